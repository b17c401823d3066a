package io.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.chaos.WriteHistory.Conclusion;
import io.tidemark.chaos.WriteHistory.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client gives up on a write that is under way. Whether it is there in the end is nobody's fault, and no test may take
 * either for one.
 */
// franz-go#1217
@Timeout(120)
class LateAppendIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private final WriteHistory history = new WriteHistory();
    private Cluster cluster;
    private Chaos chaos;
    private PartitionHandle orders;

    /** @param sessionMs how long a node may stand still before another takes its place */
    private void start(int sessionMs) {
        cluster = Cluster.builder()
                .brokers(3)
                .config("broker.session.timeout.ms", Integer.toString(sessionMs))
                .topic("orders")
                .start();
        chaos = Chaos.on(cluster);
        orders = cluster.partition("orders", 0);
    }

    @AfterEach
    void closeCluster() {
        chaos.close();
        cluster.close();
    }

    @Test
    void whatAClientGaveUpIsAppendedAfterAllWhenItsLeaderGoesOn() throws Exception {
        start(60_000);
        Producer<String, String> producer = impatient();
        send(producer, "first");
        int leader = orders.leader();
        chaos.pause(leader);
        giveUp(producer, "late");

        chaos.resume(leader);
        await("it comes late").atMost(PATIENCE).until(() -> orders.highWatermark() == 2);
        send(patient(), "next");

        assertThat(history.judge(readAll(3)))
                .isEqualTo(new Verdict(Conclusion.INDETERMINATE, List.of("nobody told of [late]: it is there")));
    }

    @Test
    void whatAClientGaveUpIsNowhereWhenItsLeaderDies() throws Exception {
        start(3_000);
        Producer<String, String> producer = impatient();
        send(producer, "first");
        int leader = orders.leader();
        chaos.pause(leader);
        giveUp(producer, "late");

        chaos.kill(leader);
        send(patient(), "next");

        assertThat(history.judge(readAll(2)))
                .isEqualTo(new Verdict(
                        Conclusion.INDETERMINATE,
                        List.of("nobody told of [late]: it is not there, and may still come")));
    }

    @Test
    void commitWhoseAnswerIsLostHoldsAsAWholeAndNobodyCouldKnow() throws Exception {
        start(60_000);
        Producer<String, String> producer = cluster.clients()
                .producer(String.class, String.class, Map.of("transactional.id", "payments", "max.block.ms", "20000"));
        producer.initTransactions();
        producer.beginTransaction();
        history.write("one", "two");
        producer.send(new ProducerRecord<>("orders", 0, "key", "one")).get();
        producer.send(new ProducerRecord<>("orders", 0, "key", "two")).get();
        int coordinator = cluster.transaction("payments").coordinator();
        chaos.pause(coordinator);

        // Its application dies before it hears of it.
        Thread application = new Thread(producer::commitTransaction, "application");
        application.setUncaughtExceptionHandler((thread, death) -> {});
        application.start();
        await("it waits for the answer")
                .atMost(PATIENCE)
                .until(() -> application.getState() == Thread.State.TIMED_WAITING);
        application.interrupt();
        application.join();
        chaos.resume(coordinator);
        await("the coordinator goes on")
                .atMost(PATIENCE)
                .until(() -> cluster.transaction("payments").snapshot().state().equals("CompleteCommit"));

        assertThat(history.judge(readAll(2)))
                .isEqualTo(new Verdict(Conclusion.INDETERMINATE, List.of("nobody told of [one, two]: it is there")));
    }

    // ---- words

    private Producer<String, String> impatient() {
        return cluster.clients()
                .producer(
                        String.class,
                        String.class,
                        Map.of("request.timeout.ms", "1000", "delivery.timeout.ms", "1000", "linger.ms", "0"));
    }

    private Producer<String, String> patient() {
        return cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
    }

    private void send(Producer<String, String> producer, String value) throws Exception {
        WriteHistory.Write write = history.write(value);
        producer.send(new ProducerRecord<>("orders", 0, "key", value)).get();
        write.acknowledged();
    }

    private void giveUp(Producer<String, String> producer, String value) {
        history.write(value);
        assertThatThrownBy(() -> producer.send(new ProducerRecord<>("orders", 0, "key", value))
                        .get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    private List<String> readAll(int expected) {
        List<String> values = new ArrayList<>();
        try (Consumer<String, String> reader =
                cluster.clients().consumer(String.class, String.class, Map.of("isolation.level", "read_committed"))) {
            reader.assign(List.of(ORDERS));
            reader.seekToBeginning(List.of(ORDERS));
            await("all is read").atMost(PATIENCE).until(() -> {
                reader.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return values.size() >= expected
                        && reader.position(ORDERS)
                                == reader.endOffsets(List.of(ORDERS)).get(ORDERS);
            });
        }
        return values;
    }
}

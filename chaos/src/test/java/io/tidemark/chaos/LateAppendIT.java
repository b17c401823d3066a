package io.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.chaos.history.HistoryChecker;
import io.tidemark.chaos.history.HistoryRecorder;
import io.tidemark.chaos.history.HistoryVerdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
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

    private final HistoryRecorder recorder = new HistoryRecorder();
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

        assertNobodyKnows("nobody told of [late]: it is there");
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

        assertNobodyKnows("nobody told of [late]: it is not there, and may still come");
    }

    @Test
    void commitWhoseAnswerIsLostHoldsAsAWholeAndNobodyCouldKnow() throws Exception {
        start(60_000);
        Producer<String, String> producer = recorded(Map.of("transactional.id", "payments", "max.block.ms", "20000"));
        producer.initTransactions();
        producer.beginTransaction();
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

        assertNobodyKnows("nobody told of [one]: it is there", "nobody told of [two]: it is there");
    }

    // ---- words

    private Producer<String, String> impatient() {
        return recorded(Map.of("request.timeout.ms", "1000", "delivery.timeout.ms", "1000", "linger.ms", "0"));
    }

    private Producer<String, String> patient() {
        return recorded(Map.of("acks", "all"));
    }

    private Producer<String, String> recorded(Map<String, ?> settings) {
        return recorder.producer("shop", cluster.clients().producer(String.class, String.class, settings));
    }

    private static void send(Producer<String, String> producer, String value) throws Exception {
        producer.send(new ProducerRecord<>("orders", 0, "key", value)).get();
    }

    private static void giveUp(Producer<String, String> producer, String value) {
        assertThatThrownBy(() -> producer.send(new ProducerRecord<>("orders", 0, "key", value))
                        .get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    private void assertNobodyKnows(String... unknown) {
        Consumer<String, String> reader =
                cluster.clients().consumer(String.class, String.class, Map.of("isolation.level", "read_committed"));
        recorder.readToEnd("auditor", reader, IsolationLevel.READ_COMMITTED, "orders", PATIENCE);
        HistoryVerdict verdict = new HistoryChecker().check(recorder.history()).assertHolds();
        assertThat(verdict.conclusion()).as(verdict.report()).isEqualTo(Conclusion.INDETERMINATE);
        assertThat(verdict.unknown())
                .hasSameSizeAs(unknown)
                .zipSatisfy(List.of(unknown), (line, start) -> assertThat(line).startsWith(start));
    }
}

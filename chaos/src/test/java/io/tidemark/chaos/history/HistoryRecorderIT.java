package io.tidemark.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import io.tidemark.assertions.TidemarkAssertions;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.history.History.Told;
import io.tidemark.chaos.history.History.TransactionEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Histories of unmodified clients on a real cluster. */
@Timeout(120)
class HistoryRecorderIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HistoryRecorder recorder = new HistoryRecorder();
    private Cluster cluster;

    @BeforeEach
    void startCluster() {
        cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.partitions(2).config("min.insync.replicas", "1"))
                .start();
    }

    @AfterEach
    void closeCluster() {
        cluster.close();
    }

    @Test
    void everythingHoldsWhileALeaderDiesAndGroupsRebalance() throws Exception {
        Producer<String, String> producer = producer(Map.of());
        Thread other = new Thread(() -> sendAll(producer, 200, 400), "other sender");
        other.start();
        Consumer<String, String> first = reader("first");
        first.subscribe(List.of("orders"));
        sendAll(producer, 0, 100);
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.kill(cluster.partition("orders", 0).leader());
            sendAll(producer, 100, 200);
            poll(first, 50);
            Consumer<String, String> second = reader("second");
            second.subscribe(List.of("orders"));
            second.poll(Duration.ofMillis(100));
            first.poll(Duration.ofMillis(100));
            second.poll(Duration.ofMillis(100));
        }
        other.join();
        readToEnd();

        HistoryVerdict verdict = new HistoryChecker().check(recorder.history());
        assertThat(verdict.conclusion()).as(verdict.report()).isEqualTo(Conclusion.HOLDS);
        assertThat(recorder.history().sends()).hasSize(400).allMatch(send -> send.told() == Told.OK);
        assertThat(recorder.history().positions()).isNotEmpty();
    }

    @Test
    void endsOfTransactionsAreNoted() throws Exception {
        Producer<String, String> producer = producer(Map.of("transactional.id", "shop"));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("orders", 0, "key", "kept"));
        producer.commitTransaction();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("orders", 0, "key", "dropped")).get();
        producer.abortTransaction();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("orders", 1, "key", "left")).get();
        producer.close(Duration.ZERO);
        cluster.clock().advance(Duration.ofMinutes(2));
        readToEnd();

        assertThat(recorder.history().transactions())
                .extracting(History.Transaction::end)
                .containsExactly(TransactionEnd.COMMITTED, TransactionEnd.ABORTED, TransactionEnd.OPEN);
        HistoryVerdict verdict = new HistoryChecker().check(recorder.history());
        assertThat(verdict.anomalies()).as(verdict.report()).isEmpty();
        assertThat(verdict.conclusion()).isEqualTo(Conclusion.HOLDS);
        assertThat(recorder.history().polls())
                .flatExtracting(History.Poll::seen)
                .extracting(History.Seen::value)
                .containsExactly("kept");
    }

    @Test
    void recordsThatOneReplicaAloneAcknowledgedAreLostWithIt() throws Exception {
        Producer<String, String> careless = producer(Map.of("acks", "1", "enable.idempotence", "false"));
        careless.send(new ProducerRecord<>("orders", 0, "key", "safe")).get();
        try (Chaos chaos = Chaos.on(cluster)) {
            int leader = cluster.partition("orders", 0).leader();
            cluster.brokers().stream()
                    .filter(broker -> broker.id() != leader)
                    .forEach(broker -> chaos.stallReplication(broker.id()));
            careless.send(new ProducerRecord<>("orders", 0, "key", "gone")).get();
            // Both followers were on their way to get it, and did not.
            await().atMost(PATIENCE).until(() -> chaos.declared().stream().allMatch(fault -> fault.struck() > 0));
            chaos.kill(leader);
            TidemarkAssertions.assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasLeaderEpoch(1);
            chaos.healLinks();
            careless.send(new ProducerRecord<>("orders", 0, "key", "next")).get();
        }
        readToEnd();

        HistoryVerdict verdict = new HistoryChecker().check(recorder.history());
        assertThat(verdict.kinds())
                .as(verdict.report())
                .containsExactly(
                        Anomaly.Kind.LOST_WRITE, Anomaly.Kind.INCONSISTENT_OFFSETS, Anomaly.Kind.NONMONOTONIC_SEND);
        assertThatThrownBy(verdict::assertHolds).hasMessageContaining("[gone] of shop was acknowledged at offset 1");
    }

    private Producer<String, String> producer(Map<String, ?> settings) {
        return recorder.producer("shop", cluster.clients().producer(String.class, String.class, settings));
    }

    private Consumer<String, String> reader(String process) {
        return recorder.consumer(process, committed(Map.of("group.id", "readers")), IsolationLevel.READ_COMMITTED);
    }

    private Consumer<String, String> committed(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("isolation.level", "read_committed");
        return cluster.clients().consumer(String.class, String.class, settings);
    }

    private void readToEnd() {
        recorder.readToEnd("auditor", committed(Map.of()), IsolationLevel.READ_COMMITTED, "orders", PATIENCE);
    }

    private static void sendAll(Producer<String, String> producer, int from, int to) {
        List<Future<?>> sent = new ArrayList<>();
        for (int i = from; i < to; i++) {
            sent.add(producer.send(new ProducerRecord<>("orders", "key-" + i % 7, "order-" + i)));
        }
        producer.flush();
        assertThat(sent).allMatch(Future::isDone);
    }

    private static void poll(Consumer<String, String> consumer, int atLeast) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int count = 0;
        while (count < atLeast && System.nanoTime() < deadline) {
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
            count += records.count();
        }
        assertThat(count).isGreaterThanOrEqualTo(atLeast);
    }
}

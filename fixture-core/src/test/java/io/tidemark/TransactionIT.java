package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of Kafka's own producer, seen by its consumers, its admin client and inside. */
@Timeout(120)
class TransactionIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ID = "payments";
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private Cluster cluster;
    private PartitionHandle orders;

    @BeforeEach
    void startCluster() {
        cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start();
        orders = cluster.partition("orders", 0);
    }

    @AfterEach
    void closeCluster() {
        cluster.close();
    }

    @Test
    void openTransactionIsSeenByReadUncommittedAloneAndAfterItsAbortByNobody() throws Exception {
        Producer<String, String> producer = producer(Map.of());
        producer.initTransactions();
        producer.beginTransaction();
        send(producer, 10);
        producer.flush();

        assertThat(read("read_uncommitted", 10)).hasSize(10);
        assertThat(read("read_committed", 0)).isEmpty();
        assertThat(orders).eventually().hasHighWatermark(10);
        assertThat(orders.lastStableOffset()).isZero();
        assertThat(producerState().currentTransactionStartOffset()).hasValue(0);

        producer.abortTransaction();

        assertThat(orders).eventually().hasHighWatermark(11);
        await("the marker is stable").atMost(PATIENCE).until(() -> orders.lastStableOffset() == 11);
        assertThat(endOffset("read_uncommitted")).isEqualTo(11);
        assertThat(read("read_committed", 0)).isEmpty();
        assertThat(producerState().currentTransactionStartOffset()).isEmpty();
    }

    @Test
    void threeTransactionsLeaveTheirRecordsAndAMarkerEachWithRisingEpochs() throws Exception {
        Producer<String, String> producer = producer(Map.of());
        producer.initTransactions();
        List<Integer> epochs = new ArrayList<>();
        for (int transaction = 0; transaction < 3; transaction++) {
            producer.beginTransaction();
            send(producer, 1_000);
            producer.flush();
            epochs.add(describe().producerEpoch());
            producer.commitTransaction();
        }

        await("all markers").atMost(PATIENCE).until(() -> endOffset("read_committed") == 3_003);
        List<Long> offsets = read("read_committed", 3_000).stream()
                .map(ConsumerRecord::offset)
                .toList();
        assertThat(offsets).hasSize(3_000).doesNotContain(1_000L, 2_001L, 3_002L);
        assertThat(epochs).containsExactly(0, 1, 2);
    }

    @Test
    void producerThatIsReplacedIsFencedAndItsTransactionAborted() throws Exception {
        Producer<String, String> first = producer(Map.of());
        first.initTransactions();
        first.beginTransaction();
        send(first, 5);
        first.flush();

        Producer<String, String> second = producer(Map.of());
        second.initTransactions();

        assertThatThrownBy(() -> {
                    send(first, 1);
                    first.commitTransaction();
                })
                .isInstanceOf(KafkaException.class);
        second.beginTransaction();
        send(second, 3);
        second.commitTransaction();
        assertThat(read("read_committed", 3)).hasSize(3);
    }

    @Test
    void transactionThatIsLeftOpenIsAbortedWhenItsTimeIsUp() throws Exception {
        Producer<String, String> producer = producer(Map.of("transaction.timeout.ms", "60000"));
        producer.initTransactions();
        producer.beginTransaction();
        send(producer, 4);
        producer.flush();
        assertThat(orders).eventually().hasHighWatermark(4);
        assertThat(orders.lastStableOffset()).isZero();

        cluster.clock().advance(Duration.ofSeconds(75));

        await("the abort").atMost(PATIENCE).until(() -> orders.lastStableOffset() == 5);
        assertThat(read("read_committed", 0)).isEmpty();
        assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
    }

    @Test
    void producerThatIsSilentForADayIsForgottenThoughItsRecordsAreThere() throws Exception {
        Producer<String, String> producer = producer(Map.of());
        producer.initTransactions();
        producer.beginTransaction();
        send(producer, 4);
        producer.commitTransaction();
        await("the marker is stable").atMost(PATIENCE).until(() -> orders.lastStableOffset() == 5);
        assertThat(producerState().producerId()).isNotNegative();

        cluster.clock().advance(Duration.ofHours(25));

        await("nobody is remembered").atMost(PATIENCE).until(() -> admin().describeProducers(List.of(ORDERS))
                .partitionResult(ORDERS)
                .get(10, TimeUnit.SECONDS)
                .activeProducers()
                .isEmpty());
        assertThat(read("read_committed", 4)).hasSize(4);
    }

    @Test
    void transactionsOutliveTheirCoordinator() throws Exception {
        Producer<String, String> producer = producer(Map.of());
        producer.initTransactions();
        for (int round = 0; round < 3; round++) {
            producer.beginTransaction();
            send(producer, 10);
            producer.flush();
            int coordinator = describe().coordinatorId();
            cluster.broker(coordinator).kill();
            producer.commitTransaction();
            cluster.broker(coordinator).restart();
            cluster.awaitHealthy(PATIENCE);
        }

        assertThat(read("read_committed", 30)).hasSize(30);
        await("no transaction is left open")
                .atMost(PATIENCE)
                .until(() -> orders.lastStableOffset() == orders.highWatermark());
    }

    @Test
    void transactionsOutliveTheLeaderOfTheirPartition() throws Exception {
        Producer<String, String> producer = producer(Map.of());
        producer.initTransactions();
        for (int round = 0; round < 3; round++) {
            producer.beginTransaction();
            send(producer, 10);
            producer.flush();
            int leader = orders.leader();
            cluster.broker(leader).kill();
            producer.commitTransaction();
            cluster.broker(leader).restart();
            cluster.awaitHealthy(PATIENCE);
        }

        assertThat(read("read_committed", 30)).hasSize(30);
        await("no transaction is left open")
                .atMost(PATIENCE)
                .until(() -> orders.lastStableOffset() == orders.highWatermark());
    }

    // ---- words

    private Producer<String, String> producer(Map<String, String> more) {
        Map<String, String> settings = new java.util.HashMap<>(Map.of("transactional.id", ID, "linger.ms", "0"));
        settings.putAll(more);
        return cluster.clients().producer(String.class, String.class, settings);
    }

    private static void send(Producer<String, String> producer, int count) {
        for (int i = 0; i < count; i++) {
            producer.send(new ProducerRecord<>("orders", 0, "key", "value-" + i));
        }
    }

    /** What a consumer sees from the start: as many as are expected, and some time for one more. */
    private List<ConsumerRecord<String, String>> read(String isolation, int expected) {
        List<ConsumerRecord<String, String>> seen = new ArrayList<>();
        try (Consumer<String, String> consumer =
                cluster.clients().consumer(String.class, String.class, Map.of("isolation.level", isolation))) {
            consumer.assign(List.of(ORDERS));
            consumer.seekToBeginning(List.of(ORDERS));
            if (expected > 0) {
                await(expected + " records").atMost(PATIENCE).until(() -> {
                    consumer.poll(Duration.ofMillis(100)).forEach(seen::add);
                    return seen.size() >= expected;
                });
            }
            consumer.poll(Duration.ofMillis(300)).forEach(seen::add);
        }
        return seen;
    }

    private long endOffset(String isolation) {
        try (Consumer<String, String> consumer =
                cluster.clients().consumer(String.class, String.class, Map.of("isolation.level", isolation))) {
            return consumer.endOffsets(List.of(ORDERS)).get(ORDERS);
        }
    }

    private Admin admin() {
        return cluster.clients().admin();
    }

    private TransactionDescription describe() throws Exception {
        return admin().describeTransactions(List.of(ID)).description(ID).get(10, TimeUnit.SECONDS);
    }

    private ProducerState producerState() throws Exception {
        return admin().describeProducers(List.of(ORDERS))
                .partitionResult(ORDERS)
                .get(10, TimeUnit.SECONDS)
                .activeProducers()
                .get(0);
    }
}

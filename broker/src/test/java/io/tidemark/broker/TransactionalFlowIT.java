package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.time.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was reported of transactions by users of many clients, through Kafka's own. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionalFlowIT {
    private LocalCluster cluster;
    private Admin admin;
    private int topics;

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        cluster = new LocalCluster(
                folder,
                1,
                0,
                Map.of(
                        "offsets.topic.num.partitions", "2",
                        "offsets.topic.replication.factor", "1",
                        "transaction.state.log.replication.factor", "1",
                        "transaction.state.log.min.isr", "1",
                        "transaction.state.log.num.partitions", "2"),
                new SystemEnvironment(new SystemClock(), 42));
        cluster.start().get(20, SECONDS);
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    }

    @AfterAll
    void stopCluster() throws Exception {
        admin.close();
        cluster.close();
    }

    // librdkafka#2539, kop#1856, klag-exporter#104
    @Test
    void anOpenTransactionIsSeenByNobodyWhoReadsCommitted() throws Exception {
        TopicPartition orders = newTopic();
        try (Producer<String, String> producer = producer("open", Map.of())) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, orders, 10);

            assertThat(read(orders, "read_uncommitted")).hasSize(10);
            assertThat(read(orders, "read_committed")).isEmpty();
            assertThat(endOffset(orders, IsolationLevel.READ_UNCOMMITTED)).isEqualTo(10);
            assertThat(endOffset(orders, IsolationLevel.READ_COMMITTED)).isZero();
            assertThat(producerOf(orders).currentTransactionStartOffset()).hasValue(0);

            producer.abortTransaction();

            awaitStable(orders, 11);
            assertThat(endOffset(orders, IsolationLevel.READ_UNCOMMITTED)).isEqualTo(11);
            assertThat(read(orders, "read_committed")).isEmpty();
        }
    }

    // librdkafka#2539, flink-connector-kafka#313
    @Test
    void theLastStableOffsetReachesTheEndWhenATransactionIsCommitted() throws Exception {
        TopicPartition orders = newTopic();
        try (Producer<String, String> producer = producer("drained", Map.of())) {
            producer.initTransactions();
            for (int transaction = 1; transaction <= 3; transaction++) {
                producer.beginTransaction();
                send(producer, orders, 100);
                producer.commitTransaction();

                // 100 records and one marker for each transaction.
                awaitStable(orders, 101L * transaction);
                assertThat(read(orders, "read_committed")).hasSize(100 * transaction);
            }
        }
    }

    // KAFKA-18401
    @Test
    void aTransactionWithoutRecordsIsCommittedAndAborted() throws Exception {
        try (Producer<String, String> producer = producer("empty", Map.of())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.commitTransaction();
            producer.beginTransaction();
            producer.abortTransaction();
        }
    }

    // flink_kickstarter#787
    @Test
    void aTimeoutAboveTheBrokersLongestIsRefused() {
        try (Producer<String, String> producer = producer("patient", Map.of("transaction.timeout.ms", "900001"))) {
            assertThatThrownBy(producer::initTransactions)
                    .hasMessageContaining("The transaction timeout is larger than the maximum value allowed");
        }
    }

    // librdkafka#3265, redpanda#6423, iceberg-kafka-connect#200
    @Test
    void pendingOffsetsAreUnstableUntilTheTransactionEnds() throws Exception {
        TopicPartition orders = newTopic();
        commitPlainly("readers", orders, 3);
        try (Producer<String, String> producer = producer("pending", Map.of())) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, orders, 1);
            producer.sendOffsetsToTransaction(
                    Map.of(orders, new OffsetAndMetadata(7)), new ConsumerGroupMetadata("readers"));

            assertThat(committed("readers", orders, false)).isEqualTo(3);
            assertThat(committed("readers", orders, true))
                    .as("left out as unstable")
                    .isNull();
            assertThatThrownBy(() -> committedForAReader("readers", orders))
                    .as("a reader asks again until the transaction ends")
                    .isInstanceOf(TimeoutException.class);

            producer.commitTransaction();

            await("the offset is stable").atMost(10, SECONDS).untilAsserted(() -> assertThat(
                            committed("readers", orders, true))
                    .isEqualTo(7));
            assertThat(committed("readers", orders, false)).isEqualTo(7);
            assertThat(committedForAReader("readers", orders)).isEqualTo(7);
        }
    }

    @Test
    void offsetsOfAnAbortedTransactionNeverCount() throws Exception {
        TopicPartition orders = newTopic();
        commitPlainly("sceptics", orders, 3);
        try (Producer<String, String> producer = producer("aborted", Map.of())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.sendOffsetsToTransaction(
                    Map.of(orders, new OffsetAndMetadata(7)), new ConsumerGroupMetadata("sceptics"));
            producer.abortTransaction();

            await("the offset is stable").atMost(10, SECONDS).untilAsserted(() -> assertThat(
                            committed("sceptics", orders, true))
                    .isEqualTo(3));
        }
    }

    // confluent-kafka-python#967
    @Test
    void transactionsBackToBackAllSucceed() throws Exception {
        TopicPartition orders = newTopic();
        try (Producer<String, String> producer = producer("hasty", Map.of())) {
            producer.initTransactions();
            for (int i = 0; i < 50; i++) {
                producer.beginTransaction();
                send(producer, orders, 1);
                if (i % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
            awaitStable(orders, 100);
            assertThat(read(orders, "read_committed")).hasSize(25);
            assertThat(producerOf(orders).producerEpoch())
                    .as("transactions version 2 has an epoch for each")
                    .isEqualTo(50);
        }
    }

    // --- the verbs

    private TopicPartition newTopic() throws Exception {
        String name = "orders-" + ++topics;
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get(10, SECONDS);
        return new TopicPartition(name, 0);
    }

    private Producer<String, String> producer(String transactionalId, Map<String, String> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", cluster.bootstrapServers());
        config.put("transactional.id", transactionalId);
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private static void send(Producer<String, String> producer, TopicPartition partition, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), "key", "value-" + i));
        }
        producer.flush();
    }

    private List<String> read(TopicPartition partition, String isolation) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", cluster.bootstrapServers(), "isolation.level", isolation);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    values.add(record.value());
                }
            }
        }
        return values;
    }

    private long endOffset(TopicPartition partition, IsolationLevel isolation) throws Exception {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                .partitionResult(partition)
                .get(10, SECONDS)
                .offset();
    }

    /** A transaction's end is acknowledged when it is certain, and its markers are written soon after. */
    private void awaitStable(TopicPartition partition, long offset) {
        await("the last stable offset of " + partition + " is " + offset)
                .atMost(10, SECONDS)
                .untilAsserted(() -> assertThat(endOffset(partition, IsolationLevel.READ_COMMITTED))
                        .isEqualTo(offset));
    }

    private ProducerState producerOf(TopicPartition partition) throws Exception {
        return admin.describeProducers(List.of(partition))
                .partitionResult(partition)
                .get(10, SECONDS)
                .activeProducers()
                .get(0);
    }

    private void commitPlainly(String group, TopicPartition partition, long offset) throws Exception {
        admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset)))
                .all()
                .get(10, SECONDS);
    }

    private @Nullable Long committed(String group, TopicPartition partition, boolean requireStable) throws Exception {
        OffsetAndMetadata committed = admin.listConsumerGroupOffsets(
                        group, new ListConsumerGroupOffsetsOptions().requireStable(requireStable))
                .partitionsToOffsetAndMetadata()
                .get(10, SECONDS)
                .get(partition);
        return committed == null ? null : committed.offset();
    }

    private long committedForAReader(String group, TopicPartition partition) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "group.id",
                group,
                "isolation.level",
                "read_committed");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            return consumer.committed(Set.of(partition), Duration.ofMillis(300))
                    .get(partition)
                    .offset();
        }
    }
}

package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Logs that brokers compact by themselves, each its own replica, as clients and the disk show them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CompactionIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Far more than it takes to write the bursts on any machine: segments roll, and the cleaner looks, at a push alone. */
    private static final String SEGMENT_MS = "60000";

    private static final String BACKOFF_MS = "600000";
    private static final Duration MORE_THAN_A_SEGMENT = Duration.ofSeconds(61);
    private static final Duration MORE_THAN_A_BACKOFF = Duration.ofSeconds(601);

    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder()
                .brokers(3)
                .config("offsets.topic.num.partitions", "1")
                .config("log.cleaner.threads", "2")
                .config("log.cleaner.backoff.ms", BACKOFF_MS)
                .config("log.cleaner.min.cleanable.ratio", "0.01")
                .config("log.segment.delete.delay.ms", "1000")
                .topic("prices", topic -> topic.partitions(1)
                        .replicationFactor(3)
                        .config("cleanup.policy", "compact")
                        .config("segment.ms", SEGMENT_MS)
                        .config("min.cleanable.dirty.ratio", "0.01")
                        // The cluster's time is pushed, the producer's is not.
                        .config("message.timestamp.type", "LogAppendTime"))
                .start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    @Order(1)
    void of61VersionsOf3KeysInThreeBurstsSixRecordsStayInTwoSegmentsOnEveryReplica() throws Exception {
        writeVersions(1, 30);
        cluster.clock().advance(MORE_THAN_A_SEGMENT);
        writeVersions(31, 60);
        cluster.clock().advance(MORE_THAN_A_SEGMENT);
        writeVersions(61, 61);
        assertThat(cluster.partition("prices", 0)).eventually().hasIsr(1, 2, 3).hasHighWatermark(183);
        assertThat(segments(1, "prices-0")).contains("00000000000000000090.log", "00000000000000000180.log");

        for (ClusterNode broker : cluster.brokers()) {
            awaitCompaction(
                    broker,
                    "prices-0",
                    List.of(
                            "00000000000000000000.index",
                            "00000000000000000000.log",
                            "00000000000000000000.timeindex",
                            "00000000000000000180.index",
                            "00000000000000000180.log",
                            "00000000000000000180.snapshot",
                            "00000000000000000180.timeindex",
                            "leader-epoch-checkpoint",
                            "partition.metadata"));
        }

        assertThat(readAll())
                .containsExactly(
                        "177 gold=60", "178 oil=60", "179 wheat=60", "180 gold=61", "181 oil=61", "182 wheat=61");
        for (ClusterNode broker : cluster.brokers()) {
            assertThat(cluster.partition("prices", 0).recordsOn(broker.id()))
                    .as("records of broker %d", broker.id())
                    .hasSize(6);
        }
    }

    @Test
    @Order(2)
    void consumersReadAcrossTheHolesAfterAFailover() throws Exception {
        PartitionHandle prices = cluster.partition("prices", 0);
        int leader = prices.leader();
        cluster.broker(leader).kill();
        await("another broker leads").atMost(LIMIT).until(() -> prices.leader() != leader && prices.leader() > 0);

        assertThat(readAll()).hasSize(6).last().isEqualTo("182 wheat=61");

        cluster.broker(leader).restart();
        cluster.awaitHealthy(LIMIT);
        assertThat(segments(leader, "prices-0"))
                .containsExactly("00000000000000000000.log", "00000000000000000180.log");
    }

    @Test
    @Order(3)
    void committedOffsetsAreCompactedAndStillKnownAfterARestart() throws Exception {
        TopicPartition partition = new TopicPartition("prices", 0);
        Map<String, Object> group = Map.of("group.id", "billing");
        try (Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class, group)) {
            commit(consumer, partition, 1);
            cluster.clients()
                    .admin()
                    .incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, "__consumer_offsets"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("segment.ms", SEGMENT_MS), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            for (int offset = 2; offset <= 100; offset++) {
                commit(consumer, partition, offset);
            }
            cluster.clock().advance(MORE_THAN_A_SEGMENT);
            commit(consumer, partition, 101);
        }
        PartitionHandle offsets = cluster.partition("__consumer_offsets", 0);
        int coordinator = offsets.leader();

        await("the offsets of broker " + coordinator + " are compacted")
                .atMost(LIMIT)
                .until(() -> {
                    cluster.clock().advance(MORE_THAN_A_BACKOFF);
                    return offsets.recordsOn(coordinator).size() < 50;
                });

        cluster.broker(coordinator).stop();
        cluster.broker(coordinator).restart();
        cluster.awaitHealthy(LIMIT);
        try (Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class, group)) {
            OffsetAndMetadata committed =
                    consumer.committed(java.util.Set.of(partition)).get(partition);
            assertThat(committed.offset()).isEqualTo(101);
        }
    }

    private static void commit(Consumer<String, String> consumer, TopicPartition partition, long offset) {
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset, "at " + offset)));
    }

    private void writeVersions(int first, int last) {
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
        for (int version = first; version <= last; version++) {
            for (String key : List.of("gold", "oil", "wheat")) {
                producer.send(new ProducerRecord<>("prices", 0, key, Integer.toString(version)));
            }
        }
        producer.close();
    }

    /** The cleaner looks when its time has come; what it took out goes a second later. */
    private void awaitCompaction(ClusterNode broker, String partition, List<String> files) {
        await("only " + files + " are left on " + broker).atMost(LIMIT).untilAsserted(() -> {
            cluster.clock().advance(MORE_THAN_A_BACKOFF);
            assertThat(files(broker.id(), partition)).isEqualTo(files);
        });
    }

    private List<String> segments(int broker, String partition) {
        return files(broker, partition).stream()
                .filter(name -> name.endsWith(".log"))
                .toList();
    }

    private List<String> files(int broker, String partition) {
        try (Stream<Path> files =
                Files.list(cluster.broker(broker).logDirectory().resolve(partition))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each as {@code offset key=value}, until the log's end is reached. */
    private List<String> readAll() {
        List<String> records = new ArrayList<>();
        TopicPartition prices = new TopicPartition("prices", 0);
        try (Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class)) {
            consumer.assign(List.of(prices));
            consumer.seekToBeginning(List.of(prices));
            await("the log is read to its end").atMost(LIMIT).until(() -> {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> records.add(record.offset() + " " + record.key() + "=" + record.value()));
                return consumer.position(prices) == 183;
            });
        }
        return records;
    }
}

package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an unmodified producer's records make of a partition's folder. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogFilesIT {
    private static final String FIRST = "00000000000000000000";

    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder()
                .brokers(1)
                // Kafka's own, where the fixture takes less.
                .config("log.index.size.max.bytes", "10485760")
                .config("log.initial.task.delay.ms", "500")
                .config("log.retention.check.interval.ms", "500")
                .start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void twoSmallRecordsInOneIdempotentBatchMakeAFileOf123Bytes() throws Exception {
        cluster.createTopic("orders", topic -> topic.partitions(1));
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("linger.ms", "2000"));

        // Of the same moment: what lies between them takes a byte more from 64 ms on.
        long timestampMs = System.currentTimeMillis();
        producer.send(new ProducerRecord<>("orders", 0, timestampMs, "order-1", "{\"amt\":10,\"id\":1}"));
        producer.send(new ProducerRecord<>("orders", 0, timestampMs, "order-2", "{\"amt\":20,\"id\":2}"));
        producer.flush();

        assertThat(cluster.partition("orders", 0)).hasHighWatermark(2);
        assertThat(file("orders-0", FIRST + ".log")).hasSize(123);
    }

    @Test
    void anActiveSegmentsIndexesHaveTheirFullSizeAndTakeNoBlocks() throws Exception {
        cluster.createTopic("fresh", topic -> topic.partitions(1));

        assertThat(file("fresh-0", FIRST + ".timeindex")).hasSize(10_485_756);
        assertThat(file("fresh-0", FIRST + ".index")).hasSize(10_485_760);
        assertThat(blocksOf(file("fresh-0", FIRST + ".timeindex"))).isZero();
        assertThat(blocksOf(file("fresh-0", FIRST + ".index"))).isZero();
    }

    @Test
    void aDynamicDefaultOfAllBrokersReachesTheLogsOfTopicsThatDoNotSayOtherwise() throws Exception {
        cluster.createTopic("defaults", topic -> topic.partitions(1));
        cluster.createTopic("own", topic -> topic.partitions(1).config("retention.ms", "604800000"));
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        producer.send(new ProducerRecord<>("defaults", 0, "k", "v")).get();
        producer.send(new ProducerRecord<>("own", 0, "k", "v")).get();

        setOnAllBrokers("log.retention.ms", "60000");
        cluster.clock().advance(Duration.ofMinutes(2));

        assertThat(cluster.partition("defaults", 0)).eventually().hasLogStartOffset(1);
        assertThat(cluster.partition("own", 0)).hasLogStartOffset(0);
    }

    private void setOnAllBrokers(String name, String value) throws Exception {
        Admin admin = cluster.clients().admin();
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, ""),
                        List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
        await("the broker knows " + name)
                .atMost(Duration.ofSeconds(10))
                .until(() -> admin
                        .describeConfigs(List.of(new ConfigResource(ConfigResource.Type.BROKER, "1")))
                        .all()
                        .get()
                        .values()
                        .stream()
                        .anyMatch(config -> value.equals(config.get(name).value())));
    }

    private Path file(String partition, String name) {
        return cluster.broker(1).logDirectory().resolve(partition).resolve(name);
    }

    private static long blocksOf(Path file) throws Exception {
        assertThat(Files.exists(file)).isTrue();
        Process stat = new ProcessBuilder("stat", "--format=%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes()).trim());
    }
}

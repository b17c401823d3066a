package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.PageCacheReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicaPageCacheIT {
    private static final int RECORDS = 400;
    private static final int VALUE_BYTES = 10_000;

    /** Their pages are the file itself, or are held by another file system below. */
    private static final Set<String> KEEP_THEIR_PAGES = Set.of("tmpfs", "ramfs", "overlay");

    private Cluster cluster;

    @BeforeAll
    void start() throws IOException {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux"), "page cache control needs Linux of 64 bits");
        cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.replicationFactor(2).config("segment.bytes", "1048576"))
                .start();
        String type = Files.getFileStore(cluster.directory()).type();
        Assumptions.assumeFalse(
                KEEP_THEIR_PAGES.contains(type),
                "the cluster's folder is on [" + type + "], which keeps its pages; set java.io.tmpdir to a folder on a"
                        + " disk");
    }

    @AfterAll
    void close() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void afterADropTheNextFetchComesFromTheDiskAndReadsEverything() throws Exception {
        produce();
        PartitionHandle orders = cluster.partition("orders", 0);
        assertThat(orders).eventually().hasLogEndOffset(1, RECORDS).hasLogEndOffset(2, RECORDS);
        ReplicaPageCache leader = orders.pageCache(orders.leader());
        PageCacheReport written = leader.residency();
        assertThat(written.total().isFull()).as(written.toString()).isTrue();
        assertThat(written.files()).hasSizeGreaterThan(1);

        // What the follower was sent last may be in a socket for a moment yet.
        await("nothing of the leader's segments is in memory")
                .atMost(Duration.ofSeconds(10))
                .until(() -> leader.drop().total().isNone());
        PageCacheReport follower = orders.pageCache(2).residency();

        assertThat(leader.residency().total().isNone()).isTrue();
        assertThat(follower.total().isFull()).as(follower.toString()).isTrue();
        long readBefore = bytesReadFromDisks();
        assertThat(consume()).hasSize(RECORDS);
        assertThat(bytesReadFromDisks() - readBefore)
                .as("what this process had read from disks")
                .isGreaterThanOrEqualTo((long) RECORDS * VALUE_BYTES);
        PageCacheReport read = leader.residency();
        assertThat(read.total().residentPages()).as(read.toString()).isPositive();

        PageCacheReport warmed = leader.warm();
        assertThat(warmed.total().isFull()).as(warmed.toString()).isTrue();
    }

    @Test
    void aBrokerWithoutAReplicaSaysSo() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> cluster.partition("orders", 0).pageCache(3).drop())
                .withMessage("Could not drop the page cache of orders-0 on broker 3: Broker 3 hosts no replica of"
                        + " orders-0; it hosts []");
    }

    private void produce() throws Exception {
        Producer<String, byte[]> producer =
                cluster.clients().producer(String.class, byte[].class, Map.of("acks", "all"));
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < RECORDS; i++) {
            producer.send(new ProducerRecord<>("orders", "order-" + i, value));
        }
        producer.flush();
    }

    /** As the system counts them; what comes out of its page cache is not in it. */
    private static long bytesReadFromDisks() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("read_bytes: "))
                .mapToLong(line -> Long.parseLong(line.substring("read_bytes: ".length())))
                .findFirst()
                .orElseThrow();
    }

    private List<String> consume() {
        Consumer<String, byte[]> consumer = cluster.clients().consumer(String.class, byte[].class);
        List<TopicPartition> orders = List.of(new TopicPartition("orders", 0));
        consumer.assign(orders);
        consumer.seekToBeginning(orders);
        List<String> keys = new ArrayList<>();
        await("every record is read").atMost(Duration.ofSeconds(20)).until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(record -> keys.add(record.key()));
            return keys.size() >= RECORDS;
        });
        return keys;
    }
}

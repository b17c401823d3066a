package io.tidemark.assertions;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.ReplicaSegments;
import io.tidemark.SegmentState;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Files on disk as assertions see them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class SegmentsAssertIT {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String FIRST = "00000000000000000000";

    private Cluster cluster;
    private Producer<String, String> producer;

    @BeforeAll
    void start() {
        cluster = Cluster.builder()
                .config("log.initial.task.delay.ms", "100")
                .config("log.retention.check.interval.ms", "100")
                .config("log.cleaner.backoff.ms", "100")
                .start();
        producer = cluster.clients().producer(String.class, String.class);
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void filesAndSizesAreThoseOnDisk() throws Exception {
        PartitionHandle partition =
                cluster.partition(cluster.createTopic(topic -> topic.config("segment.ms", "600000")), 0);
        send(partition, "key", "first");
        send(partition, "key", "second");
        ReplicaSegments segments = partition.segments(1);
        SegmentState only = segments.snapshot().get(0);

        assertThat(segments)
                .hasSegments(1)
                .hasBaseOffsets(0)
                .hasFiles(FIRST + ".log", FIRST + ".index", FIRST + ".timeindex")
                .hasSize(only.sizeInBytes())
                .hasSizes(only.sizeInBytes())
                .hasSizeAtMost(only.sizeInBytes())
                // The active segment may hold a key twice.
                .isCompacted();
        assertThat(only.active()).isTrue();
        assertThat(only.sizeInBytes()).isPositive();
        assertThat(only.records()).hasSize(2);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(segments).eventually(SHORT).hasBaseOffsets(0, 2))
                .withMessageMatching("""

                        Expecting base offsets of segments of %1$s on broker 1 eventually to be:
                          \\[0, 2\\]
                        but it was:
                          \\[0\\]
                        after 50 ms\\.

                        %1$s: leader 1, leader epoch 0, ISR \\[1\\], replicas \\[1\\], partition epoch \\d+
                          broker 1  leader    epoch 0  log 0\\.\\.2  high watermark 2
                        segment 0 \\(active\\): \\d+ bytes, 2 records, \\[0{20}\\.index, 0{20}\\.log, 0{20}\\.timeindex\\]
                        """.formatted(partition));
        assertFails(() -> assertThat(segments).hasSizeAtMost(1), "at most 1");
        assertFails(() -> assertThat(segments).hasFiles("nothing.log"), "without [nothing.log]");
        assertFails(() -> assertThat(segments).hasSegments(2), "but it was:\n  1\n");
        sendAt(partition, System.currentTimeMillis() + Duration.ofMinutes(20).toMillis(), "key", "in the next segment");
        assertThat(segments).hasBaseOffsets(0, 2);
        assertFails(() -> assertThat(segments).isCompacted(), "more than once, at these offsets: {key=[0, 1]}");
    }

    @Test
    void whatRetentionTookDoesNotComeAgain() throws Exception {
        PartitionHandle partition = cluster.partition(
                cluster.createTopic(
                        topic -> topic.config("segment.bytes", "1048576").config("retention.ms", "60000")),
                0);
        send(partition, "key", "first");
        ReplicaSegments segments = partition.segments(1);
        cluster.clock().advance(Duration.ofMinutes(2));

        assertThat(segments).eventually(LONG).hasBaseOffsets(1);
        assertFails(
                () -> assertThat(segments).eventually(LONG).hasBaseOffsets(0, 1),
                "and it never will be: a segment that was deleted does not come again");
        assertThat(partition).eventually().hasLogStartOffset(1);
    }

    @Test
    void compactionLeavesOneRecordOfAKey() throws Exception {
        PartitionHandle partition = cluster.partition(
                cluster.createTopic(topic -> topic.config("cleanup.policy", "compact")
                        .config("segment.ms", "60000")
                        .config("min.cleanable.dirty.ratio", "0.0")),
                0);
        ReplicaSegments segments = partition.segments(1);
        send(partition, "price-1", "10");
        send(partition, "price-1", "11");
        send(partition, "price-2", "20");
        // The next record is behind the segment's time, so that it rolls.
        sendAt(partition, System.currentTimeMillis() + Duration.ofMinutes(2).toMillis(), "price-3", "30");

        assertThat(segments).eventually(LONG).isCompacted();
        assertThat(cluster.topic(partition.topic()))
                .eventually(LONG)
                .hasValuesOfKey("price-1", "11")
                .hasValues("11", "20", "30");
    }

    private void send(PartitionHandle partition, String key, String value) throws Exception {
        producer.send(new ProducerRecord<>(partition.topic(), 0, key, value)).get();
    }

    private void sendAt(PartitionHandle partition, long timestampMs, String key, String value) throws Exception {
        producer.send(new ProducerRecord<>(partition.topic(), 0, timestampMs, key, value))
                .get();
    }

    private static void assertFails(ThrowableAssert.ThrowingCallable assertion, String says) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(says);
    }
}

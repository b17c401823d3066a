package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A follower that is 20 records of 10,000 bytes behind and out of sync, and may have 10,000 bytes a second (KIP-73). */
class ReplicationThrottleTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final int RECORDS = 20;
    private static final int RECORD_BYTES = 10_000;

    @TempDir
    private Path folder;

    private FakeCluster cluster;
    private Uuid orders;

    @BeforeEach
    void leaveTheFollowerBehind() {
        cluster = new FakeCluster(
                folder,
                Map.of("node.id", "1", "replica.lag.time.max.ms", "2000", "replica.fetch.max.bytes", "10000"),
                2);
        orders = cluster.createTopic("orders", 1, List.of(1, 2), Map.of());
        cluster.time().runDue();
        cluster.isolate(2, true);
        for (int i = 0; i < RECORDS; i++) {
            cluster.produce(1, orders, new byte[RECORD_BYTES]);
        }
        cluster.time().runFor(5_000);
        assertThat(cluster.registration(ORDERS).isr()).containsExactly(1);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private void throttle(String role, int broker, String replicas) {
        cluster.configure(ConfigResource.topic("orders"), role + ".replication.throttled.replicas", replicas);
        cluster.configure(ConfigResource.broker(broker), role + ".replication.throttled.rate", "10000");
    }

    private long copied() {
        return cluster.node(2).replica(ORDERS).logEndOffset();
    }

    @ParameterizedTest
    @CsvSource({"leader, 1, *", "leader, 1, 0:1", "follower, 2, *", "follower, 2, 0:2"})
    void isCopiedNoFasterThanTheRate(String role, int broker, String replicas) {
        throttle(role, broker, replicas);

        cluster.isolate(2, false);
        cluster.time().runFor(7_000);

        assertThat(copied()).as("records after 7 s").isBetween(4L, 9L);
        cluster.time().runFor(25_000);
        assertThat(copied()).isEqualTo(RECORDS);
        assertThat(cluster.registration(ORDERS).isr()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void whatIsNotThrottledIsCopiedAtOnce() {
        throttle("leader", 1, "0:2,1:1");
        throttle("follower", 2, "0:1");

        cluster.isolate(2, false);
        cluster.time().runFor(2_000);

        assertThat(copied()).isEqualTo(RECORDS);
    }

    @Test
    void whatIsInSyncIsNeverHeldBack() {
        cluster.isolate(2, false);
        cluster.time().runFor(2_000);
        assertThat(cluster.registration(ORDERS).isr()).containsExactlyInAnyOrder(1, 2);
        throttle("leader", 1, "*");
        throttle("follower", 2, "*");

        for (int i = 0; i < RECORDS; i++) {
            cluster.produce(1, orders, new byte[RECORD_BYTES]);
            cluster.time().runFor(10);
        }

        assertThat(copied()).isEqualTo(2 * RECORDS);
    }
}

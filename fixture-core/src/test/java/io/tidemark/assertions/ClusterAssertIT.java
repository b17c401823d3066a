package io.tidemark.assertions;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.Cluster;
import io.tidemark.ClusterException;
import io.tidemark.ClusterNode;
import io.tidemark.ClusterState;
import io.tidemark.NodeState;
import io.tidemark.NodeStatus;
import io.tidemark.TopicHandle;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole cluster and its nodes, and what ends the waiting for anything at once. */
@Timeout(120)
class ClusterAssertIT {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void nodesThatComeAndGoAreSeen() {
        try (Cluster cluster = Cluster.builder().brokers(2).topic("orders").start()) {
            ClusterNode second = cluster.broker(2);
            assertThat(cluster)
                    .hasController(1001)
                    .hasRunningNodes(1, 2, 1001)
                    .hasNoOfflinePartitions()
                    .hasNoUnderReplicatedPartitions();
            NodeStatus running = second.snapshot();
            assertThat(running.leads()).isEmpty();
            assertThat(running.follows()).containsExactly("orders-0");
            long before = running.metadataOffset().orElseThrow();

            second.kill();
            assertThat(cluster)
                    .eventually()
                    .hasUnderReplicatedPartitions("orders-0")
                    .hasRunningNodes(1, 1001);
            assertThat(second.snapshot().state()).isEqualTo(NodeState.KILLED);
            assertThat(second.snapshot().metadataOffset()).isEmpty();
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> assertThat(cluster).eventually(SHORT).hasNoUnderReplicatedPartitions())
                    .withMessageMatching("""

                            Expecting under-replicated partitions of the cluster eventually to be:
                              \\[\\]
                            but it was:
                              \\[orders-0\\]
                            after 50 ms\\.

                            cluster .{22}, controller 1001
                              node 1: running, metadata up to \\d+, leads \\[orders-0\\]
                              node 2: killed
                              node 1001: running, metadata up to \\d+, active controller of epoch \\d+
                            orders-0: leader 1, leader epoch 0, ISR \\[1\\], replicas \\[1, 2\\], partition epoch \\d+
                              broker 1  leader    epoch 0  log 0\\.\\.0  high watermark 0
                              broker 2  killed
                            seed -?\\d+
                            """);
            assertThatExceptionOfType(ClusterException.class)
                    .isThrownBy(() -> cluster.awaitNoUnderReplicated(SHORT))
                    .withMessageContaining("Not every replica is in sync after 50 ms. Missing:\n  orders-0: leader 1");
            assertThatExceptionOfType(ClusterException.class)
                    .isThrownBy(() -> second.awaitReady(SHORT))
                    .withMessageContaining("an answer of node 2; it is killed");
            assertThatExceptionOfType(ClusterException.class)
                    .isThrownBy(() -> second.awaitMetadata(before, SHORT))
                    .withMessageContaining("it is node 2: killed");

            second.restart();
            second.awaitReady(LONG);
            cluster.awaitNoUnderReplicated(LONG);
            long after = cluster.awaitMetadata(LONG);
            assertThat(after).isGreaterThan(before);
            second.awaitMetadata(after, LONG);
            cluster.awaitMetadata(after, LONG);
            assertThat(cluster).hasMetadataUpTo(after).hasRunningNodes(1, 2, 1001);
            ClusterState state = cluster.snapshot();
            assertThat(state.underReplicated()).isEmpty();
            assertThat(state.offline()).isEmpty();
            assertThat(state.controller()).hasValue(1001);
        }
    }

    @Test
    void aNodeThatIsDownIsNoReasonToGiveUp() throws Exception {
        try (Cluster cluster = Cluster.builder().combined(true).topic("orders").start()) {
            cluster.broker(1).kill();
            assertFails(
                    () -> assertThat(cluster.partition("orders", 0))
                            .eventually(SHORT)
                            .hasLeader(1),
                    "unknown: No node of the cluster can be asked");
            assertFails(
                    () -> assertThat(cluster.topic("orders")).hasRecords(0),
                    "unknown: No node of the cluster can be asked");
            Thread other = new Thread(() -> cluster.broker(1).restart());
            other.start();

            assertThat(cluster.partition("orders", 0)).eventually().hasLeader(1).hasHighWatermark(0);
            assertThat(cluster.topic("orders")).eventually().hasRecords(0);
            other.join();
        }
    }

    @Test
    void aClosedClusterEndsEveryWait() {
        Cluster cluster = Cluster.builder().topic("orders").start();
        cluster.close();
        for (ThrowableAssert.ThrowingCallable wait : List.<ThrowableAssert.ThrowingCallable>of(
                () -> assertThat(cluster).eventually(LONG).hasController(1),
                () -> assertThat(cluster.partition("orders", 0))
                        .eventually(LONG)
                        .hasLeader(1),
                () -> assertThat(cluster.partition("orders", 0))
                        .eventually(LONG)
                        .hasProducers(),
                () -> assertThat(cluster.partition("orders", 0))
                        .eventually(LONG)
                        .hasIdenticalReplicas(),
                () -> assertThat(cluster.partition("orders", 0).segments(1))
                        .eventually(LONG)
                        .hasSegments(1),
                () -> assertThat(cluster.topic("orders")).eventually(LONG).hasRecords(1),
                () -> assertThat(cluster.topic("other")).eventually(LONG).exists(),
                () -> assertThat(cluster.group("billing")).eventually(LONG).hasMembers(1),
                () -> assertThat(cluster.transaction("billing"))
                        .eventually(LONG)
                        .hasState("Empty"))) {
            assertFails(wait, "and it never will be: the cluster is closed.");
        }
    }

    @Test
    void aDeletedTopicIsToldFromOneThatIsNotThereYet() throws Exception {
        try (Cluster cluster = Cluster.builder().brokers(2).start()) {
            TopicHandle topic = cluster.topic(cluster.createTopic(settings -> {}));
            long seen = topic.snapshot().get(0).metadataOffset();
            assertThat(topic.isDeletedSince(seen)).isFalse();
            cluster.clients().admin().deleteTopics(List.of(topic.name())).all().get();

            assertThat(topic).eventually().doesNotExist();
            assertThat(topic.isDeletedSince(seen)).isTrue();
            // A node that lags behind has not seen a deletion.
            assertThat(topic.isDeletedSince(Long.MAX_VALUE)).isFalse();
            TopicHandle later = cluster.topic("later");
            Thread creator = new Thread(() -> cluster.createTopic("later", settings -> settings.partitions(2)));
            creator.start();
            assertThat(later).eventually().hasPartitions(2).hasRecords(0);
            creator.join();
        }
    }

    private static void assertFails(ThrowableAssert.ThrowingCallable assertion, String says) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(says);
    }
}

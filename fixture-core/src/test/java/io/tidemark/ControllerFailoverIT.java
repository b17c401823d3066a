package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** Three controllers, of which some are killed while producers write. */
class ControllerFailoverIT {
    private static final long AWAIT_MS = 20_000;

    @Test
    void anotherControllerTakesOverWhileProducersGoOn() throws Exception {
        try (Cluster cluster = threeAndThree()) {
            Producer<String, String> producer = producer(cluster);
            List<Future<RecordMetadata>> written = new ArrayList<>();
            ClusterNode killed = cluster.controller();
            write(producer, written, 20);

            killed.kill();
            write(producer, written, 20);
            cluster.createTopic("after", topic -> topic.partitions(3));
            write(producer, written, 20);

            for (Future<RecordMetadata> write : written) {
                write.get(AWAIT_MS, TimeUnit.MILLISECONDS);
            }
            assertThat(cluster.controller()).isNotSameAs(killed);
            assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasIsr(1, 2, 3)
                    .hasHighWatermark(60);

            killed.restart();
            long newest = newest(cluster);
            await("the killed controller catches up", () -> metadataOf(cluster, killed) >= newest);
            assertThat(cluster.controller()).as("it does not disturb").isNotSameAs(killed);
        }
    }

    @Test
    void aControllerThatIsStoppedHandsOver() {
        try (Cluster cluster = threeAndThree()) {
            ClusterNode stopped = cluster.controller();

            stopped.stop();

            assertThat(cluster.controller()).isNotSameAs(stopped);
            cluster.createTopic("after", topic -> {});
        }
    }

    @Test
    void withoutAMajorityBrokersServeAndNothingIsDecidedUntilItIsBack() throws Exception {
        try (Cluster cluster = threeAndThree()) {
            Producer<String, String> producer = producer(cluster);
            // An idempotent producer has its id from the controller; from here on it needs nobody but the leader.
            producer.send(new ProducerRecord<>("orders", 0, "key", "value")).get(AWAIT_MS, TimeUnit.MILLISECONDS);
            ClusterNode first = cluster.controller();
            first.kill();
            ClusterNode second = cluster.controller();
            second.kill();
            for (int i = 0; i < 20; i++) {
                producer.send(new ProducerRecord<>("orders", 0, "key", "value")).get(AWAIT_MS, TimeUnit.MILLISECONDS);
            }
            int leader = cluster.partition("orders", 0).leader();
            long before = newest(cluster);
            cluster.broker(leader).kill();
            await(
                    "nobody claims the controller's office",
                    () -> cluster.view().activeController().isEmpty());
            assertThat(cluster.partition("orders", 0).snapshot().leader()).hasValue(leader);
            assertThat(newest(cluster)).as("nothing new is decided").isEqualTo(before);

            first.restart();
            await(
                    "another broker leads",
                    () -> cluster.partition("orders", 0).snapshot().leader().orElse(leader) != leader);
            cluster.createTopic("after", topic -> topic.replicationFactor(2));
            producer.send(new ProducerRecord<>("orders", 0, "key", "value")).get(AWAIT_MS, TimeUnit.MILLISECONDS);
            cluster.broker(leader).restart();
            assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasIsr(1, 2, 3)
                    .hasHighWatermark(22);
        }
    }

    @Test
    void combinedNodesElectAndFailOverToo() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .controllers(3)
                .combined(true)
                .topic("orders")
                .start()) {
            Producer<String, String> producer = producer(cluster);
            producer.send(new ProducerRecord<>("orders", 0, "key", "value")).get(AWAIT_MS, TimeUnit.MILLISECONDS);
            ClusterNode killed = cluster.controller();

            killed.kill();

            assertThat(cluster.controller()).isNotSameAs(killed);
            producer.send(new ProducerRecord<>("orders", 0, "key", "value")).get(AWAIT_MS, TimeUnit.MILLISECONDS);
            killed.restart();
            assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasIsr(1, 2, 3)
                    .hasHighWatermark(2);
        }
    }

    @Test
    void theAdminClientSeesTheQuorum() throws Exception {
        try (Cluster cluster = threeAndThree()) {
            QuorumInfo quorum = cluster.clients()
                    .admin()
                    .describeMetadataQuorum()
                    .quorumInfo()
                    .get(AWAIT_MS, TimeUnit.MILLISECONDS);

            assertThat(quorum.leaderId()).isEqualTo(cluster.controller().id());
            assertThat(quorum.highWatermark()).isPositive();
            assertThat(quorum.voters())
                    .extracting(QuorumInfo.ReplicaState::replicaId)
                    .containsExactly(1001, 1002, 1003);
            assertThat(quorum.observers())
                    .extracting(QuorumInfo.ReplicaState::replicaId)
                    .containsExactly(1, 2, 3);
            assertThat(quorum.nodes()).containsOnlyKeys(1001, 1002, 1003);
        }
    }

    @Test
    void whereNoControllerCanBeElectedThatIsSaid() {
        try (Cluster cluster = Cluster.builder()
                .controllers(3)
                .startTimeout(Duration.ofSeconds(10))
                .start()) {
            cluster.controller().kill();
            cluster.controller().kill();

            assertThatExceptionOfType(ClusterException.class)
                    .isThrownBy(() -> Readiness.awaitController(cluster::view, List.of(1001, 1002, 1003), 2_000))
                    .withMessageContaining("a majority of them has to run");
        }
    }

    private static Cluster threeAndThree() {
        return Cluster.builder()
                .brokers(3)
                .controllers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start();
    }

    private static Producer<String, String> producer(Cluster cluster) {
        return cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
    }

    private static void write(Producer<String, String> producer, List<Future<RecordMetadata>> written, int count) {
        for (int i = 0; i < count; i++) {
            written.add(producer.send(new ProducerRecord<>("orders", 0, "key", "value")));
        }
    }

    private static long newest(Cluster cluster) {
        return cluster.view().snapshots().values().stream()
                .mapToLong(snapshot -> snapshot.metadata().lastOffset())
                .max()
                .orElseThrow();
    }

    private static long metadataOf(Cluster cluster, ClusterNode node) {
        var snapshot = cluster.view().snapshots().get(node.id());
        return snapshot == null ? -1 : snapshot.metadata().lastOffset();
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AWAIT_MS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not within " + AWAIT_MS + " ms: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}

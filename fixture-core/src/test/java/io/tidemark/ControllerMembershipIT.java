package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Controllers come and go (KIP-853) while brokers and clients go on. */
@Timeout(60)
class ControllerMembershipIT {
    private static final long WAIT_SECONDS = 20;

    @TempDir
    private Path temp;

    @Test
    void theFirstControllerGoesAndTheClusterIsSavedWithoutIt() throws Exception {
        Path saved = temp.resolve("saved");
        try (Cluster cluster = Cluster.builder().brokers(3).topic("orders").start()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> cluster.removeController(1001))
                    .withMessage("Controller [1001] cannot be removed: it is the only one; add another first");

            ClusterNode second = cluster.addController();
            ClusterNode third = cluster.addController();

            assertThat(votersOf(cluster)).containsExactlyInAnyOrder(1001, 1002, 1003);
            assertThat(cluster.controllers()).extracting(ClusterNode::id).containsExactly(1001, 1002, 1003);
            assertThat(cluster.controller().id()).isEqualTo(1001);

            cluster.removeController(1001);

            assertThat(votersOf(cluster)).containsExactlyInAnyOrder(1002, 1003);
            assertThat(cluster.controller()).isIn(second, third);
            assertThat(cluster.nodes()).extracting(ClusterNode::id).containsExactly(1, 2, 3, 1002, 1003);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.removeController(1001))
                    .withMessage(
                            "There is no controller [1001]; the controllers are [controller 1002, controller 1003]");
            cluster.createTopic("after", topic -> {});
            cluster.broker(1).kill();
            cluster.broker(1).restart();
            send(cluster, "orders");
            cluster.saveTo(saved);
            int active = cluster.controller().id();
            isACluster(saved);
            assertThat(cluster.controller().id())
                    .as("the copy has nothing to do with it")
                    .isEqualTo(active);
            cluster.createTopic("later", topic -> {});
        }
    }

    private static void isACluster(Path saved) throws Exception {
        try (Cluster another = Cluster.builder()
                .brokers(3)
                .controllers(2)
                .topic("orders")
                .from(saved)
                .start()) {
            assertThat(another.nodes()).extracting(ClusterNode::id).containsExactly(1, 2, 3, 1002, 1003);
            assertThat(votersOf(another)).containsExactlyInAnyOrder(1002, 1003);
            assertThat(another.partition("orders", 0)).eventually().hasHighWatermark(1);
            another.createTopic("more", topic -> {});
            assertThatIllegalStateException()
                    .isThrownBy(another::addController)
                    .withMessageStartingWith(
                            "Controller [1004] cannot be added to a cluster that started with the data");
            another.removeController(1002);
            assertThat(votersOf(another)).containsExactly(1003);
        }
    }

    @Test
    void anAddedControllerCarriesTheQuorumAndADeadOneIsRemoved() throws Exception {
        try (Cluster cluster =
                Cluster.builder().brokers(2).controllers(2).topic("orders").start()) {
            ClusterNode added = cluster.addController();
            ClusterNode killed = cluster.controller();
            killed.kill();
            assertThat(cluster.controller()).as("two of three are a majority").isNotSameAs(killed);

            cluster.removeController(killed.id());

            assertThat(cluster.controllers()).contains(added).doesNotContain(killed);
            cluster.createTopic("after", topic -> {});
            added.kill();
            added.restart();
            cluster.createTopic("later", topic -> {});
        }
    }

    @Test
    void aCombinedNodeLosesItsVoteAndGoesOnAsABroker() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .controllers(3)
                .combined(true)
                .topic("orders")
                .start()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> cluster.removeBroker(1))
                    .withMessage(
                            "Broker [1] cannot be removed: it is a controller too; call removeController(1) first");
            int active = cluster.controller().id();

            cluster.removeController(active);

            assertThat(votersOf(cluster)).hasSize(2).doesNotContain(active);
            assertThat(cluster.controller().id()).isNotEqualTo(active);
            assertThat(cluster.broker(active).state()).isEqualTo(NodeState.RUNNING);
            cluster.broker(active).kill();
            cluster.broker(active).restart();
            send(cluster, "orders");

            assertThat(cluster.addController(active)).isSameAs(cluster.broker(active));
            assertThat(votersOf(cluster)).containsExactlyInAnyOrder(1, 2, 3);
            assertThat(cluster.addBroker().isBroker()).isTrue();
        }
    }

    @Test
    void aResetBringsTheFirstControllersBack() throws Exception {
        try (Cluster cluster = Cluster.builder().brokers(1).topic("orders").start()) {
            cluster.addController();
            cluster.removeController(1001);

            cluster.reset();

            assertThat(cluster.nodes()).extracting(ClusterNode::id).containsExactly(1, 1001);
            assertThat(votersOf(cluster)).containsExactly(1001);
            send(cluster, "orders");
        }
    }

    private static List<Integer> votersOf(Cluster cluster) throws Exception {
        return cluster
                .clients()
                .admin()
                .describeMetadataQuorum()
                .quorumInfo()
                .get(WAIT_SECONDS, TimeUnit.SECONDS)
                .voters()
                .stream()
                .map(QuorumInfo.ReplicaState::replicaId)
                .toList();
    }

    private static void send(Cluster cluster, String topic) throws Exception {
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        producer.send(new ProducerRecord<>(topic, 0, "key", "value")).get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
}

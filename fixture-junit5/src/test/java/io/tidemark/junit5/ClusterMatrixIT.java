package io.tidemark.junit5;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.clients.ClientConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/** The same test over many clusters. What ran is kept in a static list, which is why this class runs alone. */
@Isolated
class ClusterMatrixIT {
    private static final List<String> RAN = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void forget() {
        RAN.clear();
    }

    @Test
    void runsEachCombinationUnderItsName() {
        InnerRun.of(Sizes.class).passed(5);

        assertThat(RAN)
                .containsExactly(
                        "[1] brokers=1, controllers=1 apart: 1 brokers of 2 nodes",
                        "[2] brokers=1, controllers=1 combined: 1 brokers of 1 nodes",
                        "[3] brokers=2, controllers=1 apart: 2 brokers of 3 nodes",
                        "[4] brokers=2, controllers=1 combined: 2 brokers of 2 nodes",
                        "alone: 1 brokers of 2 nodes");
    }

    static class Sizes {
        private Cluster injected;

        @ClusterMatrix(
                brokers = {1, 2},
                combined = {false, true})
        @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
        void sizes(Cluster cluster, TestInfo info) {
            ran(cluster, info.getDisplayName());
        }

        @Test
        @KafkaCluster(topics = @Topic(name = "orders"))
        void tests(Cluster cluster) {
            ran(cluster, "alone");
        }

        private void ran(Cluster cluster, String name) {
            assertThat(injected).isSameAs(cluster);
            assertThat(cluster.topics()).containsExactly("orders");
            RAN.add(name + ": " + cluster.brokers().size() + " brokers of "
                    + cluster.nodes().size() + " nodes");
        }
    }

    @Test
    void variesConfigsOfBrokersAndClients() {
        InnerRun.of(Configs.class).passed(4);

        assertThat(RAN)
                .containsExactlyInAnyOrder(
                        "[1] brokers=1, controllers=1 apart, group.id=billing",
                        "[2] brokers=1, controllers=1 apart, group.id=shipping",
                        "[3] brokers=1, controllers=1 apart, num.partitions=4, message.max.bytes=2000, group.id=billing",
                        "[4] brokers=1, controllers=1 apart, num.partitions=4, message.max.bytes=2000,"
                                + " group.id=shipping");
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class Configs {
        @ClusterMatrix(
                configs = {"", "num.partitions=4, message.max.bytes=2000"},
                clientConfigs = {"group.id=billing", "group.id=shipping"})
        void configs(Consumer<String, String> consumer, TestInfo info) {
            assertThat(info.getDisplayName())
                    .endsWith("group.id=" + consumer.groupMetadata().groupId());
            RAN.add(info.getDisplayName());
        }
    }

    @Test
    void variesTheVersionOfTransactions() {
        InnerRun.of(TransactionVersions.class).passed(3);

        assertThat(RAN)
                .containsExactly(
                        "[1] brokers=1, controllers=1 apart, transaction.version=0: none, epochs 0 and 0",
                        "[2] brokers=1, controllers=1 apart, transaction.version=1: 1, epochs 0 and 0",
                        "[3] brokers=1, controllers=1 apart, transaction.version=2: 2, epochs 1 and 2");
    }

    static class TransactionVersions {
        /** From version 2 on a producer has another epoch after each transaction (KIP-890). */
        @ClusterMatrix(transactionVersions = {0, 1, 2})
        @KafkaCluster(topics = @Topic(name = "orders"))
        void epochs(
                Cluster cluster,
                Admin admin,
                @ClientConfig("transactional.id=payments") Producer<String, String> producer,
                TestInfo info)
                throws Exception {
            var level = admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get("transaction.version");
            producer.initTransactions();
            List<Integer> epochs = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("orders", "value"));
                producer.commitTransaction();
                assertThat(cluster.transaction("payments")).eventually().hasState("CompleteCommit");
                epochs.add(cluster.transaction("payments").snapshot().producerEpoch());
            }
            RAN.add(info.getDisplayName() + ": " + (level == null ? "none" : level.maxVersionLevel()) + ", epochs "
                    + epochs.get(0) + " and " + epochs.get(1));
        }
    }

    @Test
    void controllersThatDoNotFitAreLeftOut() {
        InnerRun.of(LeftOut.class).passed(1);
    }

    static class LeftOut {
        @ClusterMatrix(
                brokers = {1, 3},
                controllers = 3,
                combined = true)
        void fits(Cluster cluster) {
            assertThat(cluster.controllers()).hasSize(3);
        }
    }

    @Test
    void wrongMatricesAreRefused() {
        assertThat(InnerRun.of(NothingLeft.class).failure())
                .hasMessageStartingWith("@ClusterMatrix on method neverRuns: no combination is left");
        assertThat(InnerRun.of(NoPair.class).failure())
                .hasMessage("@ClusterMatrix on method neverRuns: configs() has [num.partitions], which is not a pair:"
                        + " write [name=value], several with commas");
    }

    @Test
    void wrongMatricesNameTheRemedy() {
        assertThat(InnerRun.of(VersionsThatAreNone.class).failure())
                .hasMessage("@ClusterMatrix on method neverRuns: transactionVersions() has [3]; Kafka has 0 to 2");
        assertThat(InnerRun.of(NoBrokers.class).failure())
                .hasMessage("@ClusterMatrix on method neverRuns: A cluster cannot have [0] brokers: ask for 1 to 100");
        assertThat(InnerRun.of(ATestToo.class).failure())
                .hasMessage(
                        "@ClusterMatrix on method alone: it makes the method a test by itself; drop @Test, which runs"
                                + " it once more without a combination");
    }

    static class VersionsThatAreNone {
        @ClusterMatrix(transactionVersions = 3)
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    static class NoBrokers {
        @ClusterMatrix(brokers = 0)
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    static class ATestToo {
        @Test
        @ClusterMatrix(brokers = 1)
        void alone() {}
    }

    static class NothingLeft {
        @ClusterMatrix(brokers = 1, controllers = 3, combined = true)
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    static class NoPair {
        @ClusterMatrix(configs = "num.partitions")
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }
}

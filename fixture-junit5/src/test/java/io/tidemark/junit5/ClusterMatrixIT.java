package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
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

package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.Cluster;
import io.tidemark.ClusterNode;
import io.tidemark.NodeState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChaosIT {
    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.partitions(3))
                .start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void closingHealsWhatWasHurt() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.kill(1).pause(2);

            assertThat(cluster.brokers())
                    .extracting(ClusterNode::state)
                    .containsExactly(NodeState.KILLED, NodeState.PAUSED, NodeState.RUNNING);
        }

        assertThat(cluster.brokers()).extracting(ClusterNode::state).containsOnly(NodeState.RUNNING);
        for (int partition = 0; partition < 3; partition++) {
            assertThat(cluster.partition("orders", partition)).hasIsr(1, 2, 3);
        }
    }

    @Test
    void healsTheControllerFirst() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.kill(3).kill(1001);
        }

        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
    }

    @Test
    void stopsAndRestarts() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.stop(2);
            assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 3);

            chaos.restart(2);

            assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3);
        }
    }

    @Test
    void aNodeThatIsNotThereIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Chaos.on(cluster).kill(9))
                .withMessage("There is no node [9]; the cluster has [broker 1, broker 2, broker 3, controller 1001]");
    }

    @Test
    void aFaultThatCannotBeDoneFailsByNameAndIsNotRemembered() {
        Chaos chaos = Chaos.on(cluster);

        assertThatIllegalStateException()
                .isThrownBy(() -> chaos.resume(2))
                .withMessage("Cannot resume broker 2: it is [running]; only a paused node can go on");
        assertThat(chaos.timeline()).isEmpty();
    }

    @Test
    void remembersWhatWasDone() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.pause(2).resume(2);

            assertThat(chaos.timeline()).extracting(Fault::kind).containsExactly("pause", "resume");
            assertThat(chaos.toString()).contains("pause(2)", "resume(2)");
        }
    }
}

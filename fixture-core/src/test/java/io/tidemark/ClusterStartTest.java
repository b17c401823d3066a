package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterStartTest {
    private final FakeBackend backend = new FakeBackend();

    @TempDir
    private Path parent;

    @Test
    void startsEveryBrokerAndASeparateController() {
        try (Cluster cluster = start(Cluster.builder().brokers(3))) {
            assertThat(backend.calls).containsExactly("start 1", "start 2", "start 3", "start 1001");
            assertThat(cluster.brokers()).extracting(ClusterNode::id).containsExactly(1, 2, 3);
            assertThat(cluster.controller().id()).isEqualTo(1001);
        }
    }

    @Test
    void aCombinedClusterHasItsControllerOnTheFirstBroker() {
        try (Cluster cluster = start(Cluster.builder().brokers(2).combined(true))) {
            assertThat(backend.calls).containsExactly("start 1", "start 2");
            assertThat(cluster.controller()).isSameAs(cluster.broker(1));
        }
    }

    @Test
    void aFailedStartNamesTheNodeAndLeavesNothing() {
        backend.startFailures.put(2, new IllegalStateException("the port is taken"));

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> start(Cluster.builder().brokers(3)))
                .withMessage("Could not start broker 2: the port is taken");

        assertThat(backend.calls).contains("kill 1", "kill 2", "kill 3", "kill 1001");
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void aFailureIsNotWaitedForBehindTheOthers() {
        backend.neverStarting.add(1);
        backend.startFailures.put(1001, new IllegalStateException("the disk is full"));

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> start(Cluster.builder()))
                .withMessage("Could not start controller 1001: the disk is full");
    }

    @Test
    void aStartThatTakesTooLongSaysWhatIsMissing() {
        backend.neverStarting.add(2);

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> start(Cluster.builder().brokers(2).startTimeout(Duration.ofMillis(50))))
                .withMessageStartingWith("The cluster did not start within 50 ms. Not serving: [broker 2]. Missing:\n")
                .withMessageContaining("broker 1 does not see broker 2 registered and unfenced");
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whoVotesIsStoppedLastSoThatBrokersMayAskToLeave() {
        Cluster cluster = start(Cluster.builder().brokers(3).combined(true).keepFiles(true));
        backend.calls.clear();

        cluster.close();

        assertThat(backend.calls)
                .filteredOn(call -> call.startsWith("shutdown"))
                .containsExactly("shutdown 2", "shutdown 3", "shutdown 1");
    }

    @Test
    void closingDeletesTheFolder() {
        Cluster cluster = start(Cluster.builder());
        Path folder = cluster.directory();
        assertThat(folder).exists();

        cluster.close();

        assertThat(folder).doesNotExist();
        assertThat(backend.calls).containsExactly("start 1", "start 1001", "kill 1", "kill 1001");
    }

    @Test
    void closingInGoodOrderKeepsTheFiles() {
        Cluster cluster = start(Cluster.builder().keepFiles(true));

        cluster.close();

        assertThat(cluster.directory()).exists();
        assertThat(backend.calls).contains("shutdown 1", "shutdown 1001");
    }

    @Test
    void closingTwiceIsHarmless() {
        Cluster cluster = start(Cluster.builder());

        cluster.close();
        cluster.close();

        assertThat(cluster.isClosed()).isTrue();
    }

    @Test
    void aClosedClusterSaysSo() {
        Cluster cluster = start(Cluster.builder());
        cluster.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.partition("orders", 0).snapshot())
                .withMessage("Cluster " + cluster.clusterId() + " is closed");
    }

    @Test
    void theSameSeedGivesTheSameClusterId() {
        try (Cluster first = start(Cluster.builder().seed(5));
                Cluster second = start(Cluster.builder().seed(5))) {
            assertThat(first.clusterId()).isEqualTo(second.clusterId());
            assertThat(first.directory()).isNotEqualTo(second.directory());
        }
    }

    private Cluster start(Cluster.Builder builder) {
        return Cluster.start(builder.directory(parent).spec(), backend);
    }
}

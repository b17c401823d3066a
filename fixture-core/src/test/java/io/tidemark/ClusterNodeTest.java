package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.backend.Capability;
import io.tidemark.broker.transport.LinkScope;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterNodeTest {
    private final FakeBackend backend = new FakeBackend();
    private Cluster cluster;

    @BeforeEach
    void start(@TempDir Path parent) {
        cluster = Cluster.start(Cluster.builder().brokers(3).directory(parent).spec(), backend);
        backend.calls.clear();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void killsAndRestarts() {
        ClusterNode broker = cluster.broker(2);

        broker.kill();
        broker.restart();

        assertThat(backend.calls).containsExactly("kill 2", "start 2");
        assertThat(broker.state()).isEqualTo(NodeState.RUNNING);
    }

    @Test
    void keepsItsAddressOverAKill() {
        String before = cluster.bootstrapServers();

        cluster.broker(2).kill();

        assertThat(cluster.bootstrapServers()).isEqualTo(before);
    }

    @Test
    void refusesToKillTwice() {
        cluster.broker(2).kill();

        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.broker(2).kill())
                .withMessage("Cannot kill broker 2: it is [killed]; restart it first");
    }

    @Test
    void refusesToRestartWhatRuns() {
        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.broker(2).restart())
                .withMessage("Cannot restart broker 2: it is [running]; kill or stop it first");
    }

    @Test
    void refusesToResumeWhatIsNotPaused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.broker(2).resume())
                .withMessage("Cannot resume broker 2: it is [running]; only a paused node can go on");
    }

    @Test
    void refusesToStopWhatIsPaused() {
        cluster.broker(2).pause();

        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.broker(2).stop())
                .withMessage("Cannot stop broker 2: it is [paused]; resume it first");
    }

    @Test
    void killsWhatIsPaused() {
        cluster.broker(2).pause();

        cluster.broker(2).kill();

        assertThat(cluster.broker(2).state()).isEqualTo(NodeState.KILLED);
    }

    @Test
    void refusesByNameWhatTheBackendCannotDo() {
        backend.capabilities = EnumSet.of(Capability.KILL);

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> cluster.broker(2).pause())
                .withMessage("Cannot do PAUSE to broker 2: the fake backend is capable of [KILL] only");
        assertThat(backend.calls).isEmpty();
    }

    @Test
    void refusesRequestFaultsByNameToo() {
        backend.capabilities = EnumSet.of(Capability.KILL);

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> cluster.requests())
                .withMessage("The fake backend is not capable of REQUEST_FAULTS, only of [KILL]");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> cluster.broker(2).refuseConnections())
                .withMessageContaining("Cannot do REQUEST_FAULTS to broker 2");
        assertThat(backend.calls).isEmpty();
    }

    @Test
    void saysWhatPageCacheControlNeedsAndOfWhichReplica() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> cluster.partition("orders", 0).pageCache(2).drop())
                .withMessage("Could not drop the page cache of orders-0 on broker 2: add what is missing");
        assertThat(backend.calls).containsExactly("DROP 2");
    }

    @Test
    void reachesNoPageCacheOfANodeThatDoesNotRun() {
        cluster.broker(2).kill();

        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.partition("orders", 0).pageCache(2).residency())
                .withMessage("Cannot reach the page cache of orders-0 on broker 2: it is [killed]; restart it first");
    }

    @Test
    void aFailedRestartLeavesTheNodeAsItWas() {
        cluster.broker(2).kill();
        backend.startFailures.put(2, new IllegalStateException("the disk is full"));

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> cluster.broker(2).restart())
                .withMessage("Could not restart broker 2: the disk is full");
        assertThat(cluster.broker(2).state()).isEqualTo(NodeState.KILLED);
    }

    @Test
    void namesTheBrokersThereAre() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> cluster.broker(7))
                .withMessage("There is no broker [7]; the cluster has the brokers [1, 2, 3]");
    }

    @Test
    void aPausedOrKilledNodeIsNotAsked() {
        cluster.broker(1).pause();
        cluster.broker(2).kill();

        assertThat(cluster.view().snapshots()).containsOnlyKeys(3, ClusterSpec.CONTROLLER_ID);
        assertThat(cluster.view().states())
                .containsEntry(1, NodeState.PAUSED)
                .containsEntry(2, NodeState.KILLED)
                .containsEntry(3, NodeState.RUNNING);
    }

    @Test
    void aBrokerThatIsCutOffFromTheControllersIsNotAskedToFindThem(@TempDir Path another) {
        Cluster ofThree = Cluster.start(
                Cluster.builder().brokers(3).controllers(3).directory(another).spec(), backend);
        backend.links().hold(LinkScope.between(List.of(1001, 1002, 1003), List.of(1)));
        backend.links().hold(LinkScope.between(List.of(2), List.of(1003)));
        backend.calls.clear();

        assertThatExceptionOfType(ClusterException.class).isThrownBy(() -> ofThree.createTopic("orders", topic -> {}));

        assertThat(backend.calls).containsExactly("ask 3");
        ofThree.close();
    }
}

package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.backend.Capability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reset returns when every node serves, also those that are on their way down or up while it looks. */
class ClusterResetTest {
    private static final IOException REFUSED = new IOException("what the disk refused before it was healed");

    private final FakeBackend backend = new FakeBackend();

    @TempDir
    private Path parent;

    private Cluster cluster;

    @BeforeEach
    void start() {
        backend.capabilities = EnumSet.of(Capability.KILL, Capability.PAUSE, Capability.RESTART);
        cluster = start(Duration.ofSeconds(20));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Cluster start(Duration timeout) {
        Cluster started = Cluster.start(
                Cluster.builder()
                        .brokers(3)
                        .startTimeout(timeout)
                        .directory(parent)
                        .spec(),
                backend);
        backend.calls.clear();
        return started;
    }

    @Test
    void aNodeThatGoesDownAMomentAfterTheHealIsRestarted() {
        backend.afterLook = id -> {
            if (id == 2 && backend.calls.isEmpty()) {
                backend.faults.put(2, REFUSED);
            }
        };

        cluster.reset();

        assertThat(cluster.broker(2).state()).isEqualTo(NodeState.RUNNING);
        assertThat(backend.calls).containsExactly("kill 2", "start 2");
    }

    @Test
    void aNodeThatGoesDownWhileAnotherIsRestartedIsRestartedToo() {
        cluster.broker(3).kill();
        backend.afterLook = id -> {
            if (id == 2 && backend.calls.contains("start 3") && !backend.calls.contains("start 2")) {
                backend.faults.put(2, REFUSED);
            }
        };

        cluster.reset();

        assertThat(cluster.nodes()).extracting(ClusterNode::state).containsOnly(NodeState.RUNNING);
        assertThat(backend.calls).containsExactly("kill 3", "start 3", "kill 2", "start 2");
    }

    @Test
    void aControllerThatGoesDownIsBackBeforeABrokerAsksForIt() {
        cluster.broker(1).kill();
        backend.afterLook = id -> {
            if (id == 1001 && !backend.calls.contains("start 1001")) {
                backend.faults.put(1001, REFUSED);
            }
        };

        cluster.reset();

        assertThat(backend.calls).containsExactly("kill 1", "kill 1001", "start 1001", "start 1");
    }

    @Test
    void aBrokerThatIsStillFencedIsWaitedFor() {
        AtomicInteger looks = new AtomicInteger();
        backend.fenced.add(3);
        backend.afterLook = id -> {
            if (looks.incrementAndGet() == 100) {
                backend.fenced.clear();
            }
        };

        cluster.reset();

        assertThat(backend.fenced).isEmpty();
        assertThat(backend.calls).isEmpty();
    }

    @Test
    @Timeout(30)
    void aNodeThatGoesDownAgainAndAgainEndsTheReset() {
        cluster.close();
        cluster = start(Duration.ofMillis(10));
        backend.afterLook = id -> {
            if (id == 1001) {
                backend.faults.put(1001, REFUSED);
            }
        };

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(cluster::reset)
                .withMessageStartingWith(
                        "The cluster cannot be reset: not every node serves 10 ms after all was healed. ")
                .withMessageContaining("1001=failed");
    }

    @Test
    void aBrokerThatStaysFencedIsNamed() {
        cluster.close();
        cluster = start(Duration.ofMillis(10));
        backend.fenced.add(3);

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(cluster::reset)
                .withMessageStartingWith(
                        "The cluster cannot be reset: not every node serves 10 ms after all was healed. ")
                .withMessageContaining("broker 1 does not see broker 3 registered and unfenced");
    }
}

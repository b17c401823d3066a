package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.backend.Backend;
import io.tidemark.backend.BackendNode;
import io.tidemark.backend.Capability;
import io.tidemark.backend.InProcessBackend;
import io.tidemark.backend.NodeSpec;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PageCacheAction;
import io.tidemark.broker.PageCacheReport;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.transport.LinkFaults;
import io.tidemark.broker.types.TopicPartition;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** No thread, port, descriptor, mapped file or folder outlives a cluster, however it ends. */
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterLeavesNothingIT {
    @TempDir
    private Path parent;

    /** So that what the JVM and the libraries set up once and for all is there before anything is counted. */
    @BeforeAll
    void warmUp() throws Exception {
        useAndClose(cluster -> cluster.broker(1).kill());
    }

    @Test
    void afterAClose() throws Exception {
        ProcessResources before = ProcessResources.now(parent);

        List<String> addresses = useAndClose(cluster -> {});

        assertNothingIsLeft(before, addresses);
    }

    @Test
    void afterAKillAndAClose() throws Exception {
        ProcessResources before = ProcessResources.now(parent);

        List<String> addresses = useAndClose(cluster ->
                cluster.broker(cluster.partition("orders", 0).leader()).kill());

        assertNothingIsLeft(before, addresses);
    }

    @Test
    void afterAKillARestartAPauseAndAClose() throws Exception {
        ProcessResources before = ProcessResources.now(parent);

        List<String> addresses = useAndClose(cluster -> {
            cluster.broker(2).kill();
            cluster.broker(2).restart();
            cluster.broker(3).pause();
        });

        assertNothingIsLeft(before, addresses);
    }

    @Test
    void afterAStopAndAClose() throws Exception {
        ProcessResources before = ProcessResources.now(parent);

        List<String> addresses = useAndClose(cluster -> cluster.broker(1).stop());

        assertNothingIsLeft(before, addresses);
    }

    @Test
    void afterControllersWereKilledAndOneCameBack() throws Exception {
        ProcessResources before = ProcessResources.now(parent);

        List<String> addresses = useAndClose(3, cluster -> {
            ClusterNode first = cluster.controller();
            first.kill();
            cluster.controller().kill();
            first.restart();
        });

        assertNothingIsLeft(before, addresses);
    }

    @Test
    void afterNodesCameAndWent() throws Exception {
        ProcessResources before = ProcessResources.now(parent);

        List<String> addresses = useAndClose(cluster -> {
            cluster.addBroker();
            cluster.removeBroker(1, HeldReplicas.MOVE);
            cluster.addController();
            cluster.removeController(ClusterSpec.CONTROLLER_ID);
            cluster.addBroker().kill();
        });

        assertNothingIsLeft(before, addresses);
    }

    @Test
    void afterAFailedStart() throws Exception {
        ProcessResources before = ProcessResources.now(parent);

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> Cluster.start(
                        Cluster.builder().brokers(3).directory(parent).spec(), new LastNodeFails()))
                .withMessage("Could not start controller 1001: as the test wants it");

        assertNothingIsLeft(before, List.of());
    }

    private void assertNothingIsLeft(ProcessResources before, List<String> addresses) throws Exception {
        ProcessResources after = ProcessResources.now(parent);
        assertThat(after.threads()).isSubsetOf(before.threads());
        assertThat(after.descriptors()).isEqualTo(before.descriptors());
        assertThat(after.mappedFiles()).isEmpty();
        assertThat(parent).isEmptyDirectory();
        for (String address : addresses) {
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                assertThat(socket.isBound()).isTrue();
            }
        }
    }

    private List<String> useAndClose(FailingUse use) throws Exception {
        return useAndClose(1, use);
    }

    private List<String> useAndClose(int controllers, FailingUse use) throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .controllers(controllers)
                .topic("orders", topic -> topic.partitions(3))
                .directory(parent)
                .start()) {
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
            producer.send(new ProducerRecord<>("orders", 0, "key", "value")).get();
            assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(1);
            use.on(cluster);
            return cluster.nodes().stream().map(ClusterNode::address).toList();
        }
    }

    private interface FailingUse {
        void on(Cluster cluster) throws Exception;
    }

    /** Starts real nodes, of which the controller fails once it serves, when the others are half way up. */
    private static final class LastNodeFails implements Backend {
        private final Backend real = new InProcessBackend();

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public Set<Capability> capabilities() {
            return real.capabilities();
        }

        @Override
        public LinkFaults links() {
            return real.links();
        }

        @Override
        public BackendNode create(NodeSpec spec) {
            BackendNode node = real.create(spec);
            return spec.nodeId() == ClusterSpec.CONTROLLER_ID ? new FailingNode(node) : node;
        }
    }

    private record FailingNode(BackendNode real) implements BackendNode {
        @Override
        public CompletableFuture<Void> start() {
            return real.start().thenRun(() -> {
                throw new IllegalStateException("as the test wants it");
            });
        }

        @Override
        public CompletableFuture<Void> shutdown() {
            return real.shutdown();
        }

        @Override
        public void kill() {
            real.kill();
        }

        @Override
        public void pause() {
            real.pause();
        }

        @Override
        public void resume() {
            real.resume();
        }

        @Override
        public CompletableFuture<NodeSnapshot> snapshot() {
            return real.snapshot();
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiMessage request) {
            return real.call(request);
        }

        @Override
        public CompletableFuture<PageCacheReport> pageCache(TopicPartition partition, PageCacheAction action) {
            return real.pageCache(partition, action);
        }
    }
}

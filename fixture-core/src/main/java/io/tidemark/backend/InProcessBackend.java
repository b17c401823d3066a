package io.tidemark.backend;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.Broker;
import io.tidemark.broker.BrokerConfig;
import io.tidemark.broker.BrokerEnvironment;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PageCacheAction;
import io.tidemark.broker.PageCacheReport;
import io.tidemark.broker.SystemEnvironment;
import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.disk.FaultyDisk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.disk.PowerLossDisk;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.LinkFaults;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.journal.ClusterJournal;
import io.tidemark.requests.RequestFaultBoard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs each node on one loop of its own in this JVM: the fastest way, and the default.
 *
 * <pre>{@code
 * BackendNode node = new InProcessBackend().create(spec);
 * node.start().get();
 * }</pre>
 */
public final class InProcessBackend implements Backend {
    private static final Set<Capability> CAPABILITIES = Collections.unmodifiableSet(EnumSet.allOf(Capability.class));

    /** One for the whole cluster, so that its nodes agree on the time. */
    private final SystemClock clock = new SystemClock();

    private final ClusterJournal journal = new ClusterJournal(clock::wallTimeMs);
    private final Map<Integer, AtomicLong> skewsMs = new ConcurrentHashMap<>();
    private final NodeStalls stalls = new NodeStalls();
    private final LinkFaults links = new LinkFaults();
    private final RequestFaultBoard requests = new RequestFaultBoard();
    /** What is in a disk's files outlives the runs of a node, forced or not. */
    private final Map<Integer, NodeDisk> disks = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "in-process";
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public BackendNode create(NodeSpec spec) {
        BrokerConfig config = BrokerConfig.of(spec.properties(), BrokerConfig.UnknownNames.REJECT);
        SystemEnvironment real = new SystemEnvironment(clock, spec.seed());
        NodeDisk disk = disks.computeIfAbsent(spec.nodeId(), id -> NodeDisk.of(id, config));
        BrokerEnvironment environment = new HurtableEnvironment(
                real,
                new SkewedClock(clock, skewMs(spec.nodeId())),
                spec.nodeId(),
                links,
                requests,
                disk.faulty(),
                stalls,
                journal);
        Broker broker = Broker.create(config, environment);
        requests.lookInto(spec.nodeId(), broker::snapshot);
        return new InProcessNode(broker, disk);
    }

    @Override
    public void forget(int nodeId) {
        skewsMs.remove(nodeId);
        requests.forget(nodeId);
        NodeDisk disk = disks.remove(nodeId);
        if (disk != null) {
            settle(disk, nodeId);
        }
    }

    /** What was deleted is not kept any longer. */
    private static void settle(NodeDisk disk, int nodeId) {
        try {
            disk.power().settleNames();
        } catch (IOException e) {
            throw new UncheckedIOException("Node " + nodeId + " could not clean up after itself", e);
        }
    }

    @Override
    public LinkFaults links() {
        return links;
    }

    @Override
    public RequestFaultBoard requestFaults() {
        return requests;
    }

    @Override
    public ClusterJournal journal() {
        return journal;
    }

    @Override
    public SystemClock clock() {
        return clock;
    }

    @Override
    public void skewClock(int nodeId, long ms) {
        skewMs(nodeId).set(ms);
    }

    private AtomicLong skewMs(int nodeId) {
        return skewsMs.computeIfAbsent(nodeId, id -> new AtomicLong());
    }

    /** The file system, which remembers what was forced, and over it what is wrong with it. */
    private record NodeDisk(PowerLossDisk power, FaultyDisk faulty) {
        static NodeDisk of(int nodeId, BrokerConfig config) {
            Path folder = config.metadataLogDir().toAbsolutePath();
            // What a node loses with its power is told by what it forced; the machine's own power is nobody's concern.
            PowerLossDisk power = new PowerLossDisk(
                    FileSystemDisk.withoutForces(), folder.resolveSibling(".node-" + nodeId + "-not-forced"));
            return new NodeDisk(power, new FaultyDisk(power, new DiskFaults(NodeDisk::pause)));
        }

        private static void pause(long ms) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
        }
    }

    private record InProcessNode(Broker broker, NodeDisk disk) implements BackendNode {
        @Override
        public CompletableFuture<Void> start() {
            return broker.start();
        }

        @Override
        public CompletableFuture<Void> shutdown() {
            return broker.shutdown().thenRun(() -> settle(disk, broker.nodeId()));
        }

        @Override
        public void kill() {
            broker.kill();
        }

        @Override
        public void losePower(long seed) {
            broker.kill();
            try {
                disk.power().losePower(seed);
            } catch (IOException e) {
                throw new UncheckedIOException("The power loss of node " + broker.nodeId() + " could not be done", e);
            }
        }

        @Override
        public DiskFaults diskFaults() {
            return disk.faulty().faults();
        }

        @Override
        public @Nullable Throwable fault() {
            return broker.fault();
        }

        @Override
        public void pause() {
            broker.pause();
        }

        @Override
        public void resume() {
            broker.resume();
        }

        @Override
        public CompletableFuture<NodeSnapshot> snapshot() {
            return broker.snapshot();
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiMessage request) {
            return broker.call(request);
        }

        @Override
        public CompletableFuture<PageCacheReport> pageCache(TopicPartition partition, PageCacheAction action) {
            return broker.pageCache(partition, action);
        }

        @Override
        public CompletableFuture<Long> appendUnasked(TopicPartition partition, ByteBuf batch) {
            return broker.appendUnasked(partition, batch);
        }
    }
}

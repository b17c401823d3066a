package io.tidemark;

import io.netty.buffer.ByteBuf;
import io.tidemark.backend.Backend;
import io.tidemark.backend.BackendNode;
import io.tidemark.backend.Capability;
import io.tidemark.backend.NodeSpec;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PageCacheAction;
import io.tidemark.broker.PageCacheReport;
import io.tidemark.broker.protocol.message.ApiVersionsRequest;
import io.tidemark.broker.protocol.message.ApiVersionsResponse;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.requests.FaultWitness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster. Its address and its files are the same over all its kills and restarts. Each fault is done when
 * its method returns; one that cannot be done, because the node is not in a state for it or the backend is not able to,
 * throws at once. Safe from any thread.
 *
 * <pre>{@code
 * ClusterNode broker = cluster.broker(2);
 * broker.kill();
 * broker.restart();
 * assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3);
 * }</pre>
 */
public final class ClusterNode {
    private final Backend backend;
    private final int id;
    /** Of each of its lives. */
    private final Supplier<NodeSpec> specs;

    private final boolean broker;
    /** By the names of the listeners. */
    private final SortedMap<String, String> addresses;

    private final Path directory;
    private final Duration timeout;

    /** The bits of its files that were turned over and not back. */
    private final List<SegmentRot> rot = new CopyOnWriteArrayList<>();
    /** Hears of what is done to the node. */
    private volatile @Nullable FaultWitness witness;

    /** All nodes as they are now. */
    private volatile Supplier<ClusterView> peers = () -> ClusterView.of(List.of(this), Map.of(), 0);

    private volatile NodeState state = NodeState.STARTING;
    private volatile BackendNode current;

    ClusterNode(
            Backend backend,
            Supplier<NodeSpec> specs,
            boolean broker,
            Map<String, String> addresses,
            Path directory,
            Duration timeout) {
        this.backend = backend;
        this.specs = specs;
        this.broker = broker;
        this.addresses = new TreeMap<>(addresses);
        this.directory = directory;
        this.timeout = timeout;
        NodeSpec first = specs.get();
        this.id = first.nodeId();
        this.current = backend.create(first);
    }

    void witness(FaultWitness newWitness) {
        this.witness = newWitness;
    }

    void among(Supplier<ClusterView> newPeers) {
        this.peers = newPeers;
    }

    /** Something was done to the node. */
    void did(String text) {
        FaultWitness hearing = witness;
        if (hearing != null) {
            hearing.did(toString(), text);
        }
    }

    /** Tells that something that is wrong with this node has struck. */
    void struck(String fault, String text) {
        FaultWitness hearing = witness;
        if (hearing != null) {
            hearing.struck(new StruckHere(toString(), fault), toString(), text);
        }
    }

    /** What is wrong with one node, as the witness tells it from the rest. */
    private record StruckHere(String node, String fault) {
        @Override
        public String toString() {
            return fault;
        }
    }

    public int id() {
        return id;
    }

    /** True where it has the broker role: clients may talk to it. */
    public boolean isBroker() {
        return broker;
    }

    /** Host and port: for clients where it is a broker, else for its peers. */
    public String address() {
        return Objects.requireNonNull(addresses.get(broker ? ClusterListeners.DEFAULT : ClusterListeners.CONTROLLER));
    }

    /**
     * Host and port of one of its listeners: {@code PLAINTEXT} is the one of {@link #address()}, the others are those of
     * {@link Cluster.Builder#listeners}. Upper and lower case are the same.
     *
     * @throws IllegalArgumentException if it has no such listener; the message names those that it has
     */
    public String address(String listener) {
        String address = addresses.get(listener.toUpperCase(Locale.ROOT));
        if (address == null) {
            throw new IllegalArgumentException("The " + this + " has no listener [" + listener + "]; it has "
                    + addresses.keySet() + ". Ask for more with listeners(\"" + listener
                    + "\") when the cluster is built");
        }
        return address;
    }

    public NodeState state() {
        NodeState left = state;
        return left.isUp() && current.fault() != null ? NodeState.FAILED : left;
    }

    /**
     * The node now. One that does not run tells where it stands, and no more.
     *
     * <pre>{@code
     * assertThat(cluster.broker(2).snapshot().leads()).contains("orders-1");
     * }</pre>
     */
    public NodeStatus snapshot() {
        return NodeStatus.of(id(), state(), peers.get().snapshots().get(id()));
    }

    /**
     * Waits until the node runs and, with the broker role, every running broker sees it registered and unfenced.
     *
     * @throws ClusterException if it is not so when the time is up; the message names what is missing
     */
    public void awaitReady(Duration timeout) {
        Readiness.awaitNothing(
                () -> Readiness.missingOf(peers.get(), id(), broker),
                "The " + this + " is not ready",
                timeout.toMillis());
    }

    /**
     * Waits until the node has applied the metadata up to an offset, or further.
     *
     * @throws ClusterException if it has not when the time is up; the message shows the node
     */
    public void awaitMetadata(long offset, Duration timeout) {
        Readiness.awaitNothing(
                () -> {
                    NodeStatus now = snapshot();
                    return now.metadataOffset().orElse(-1) >= offset ? List.of() : List.of("it is " + now);
                },
                "The " + this + " does not have the metadata up to offset " + offset,
                timeout.toMillis());
    }

    /**
     * True where the node serves requests of a kind, by Kafka's number for it, and tells clients so.
     *
     * @throws ClusterException if it does not answer
     */
    public boolean serves(int apiKey) {
        ApiVersionsResponse response = (ApiVersionsResponse) Outcome.await(
                current.call(new ApiVersionsRequest()
                        .setClientSoftwareName("tidemark")
                        .setClientSoftwareVersion("fixture")),
                timeout.toMillis(),
                "ask " + this + " for what it serves");
        return response.apiKeys().stream().anyMatch(api -> api.apiKey() == apiKey);
    }

    /** Where its segments lie. */
    public Path logDirectory() {
        return directory;
    }

    /** Ends the node at once, mid-work, as {@code kill -9} does. On return its port refuses. */
    public synchronized void kill() {
        require(Capability.KILL);
        if (!state().isUp()) {
            throw refused("kill", "restart it first");
        }
        state = NodeState.KILLED;
        current.kill();
        did("killed");
    }

    /**
     * Cuts the node off from power: it ends at once, and of what it never forced to disk a part that the seed decides is
     * lost, in the files themselves. On return its port refuses; a restart recovers from what is left.
     */
    public synchronized void losePower(long seed) {
        require(Capability.LOSE_POWER);
        if (!state().isUp()) {
            throw refused("cut the power of", "restart it first");
        }
        state = NodeState.KILLED;
        current.losePower(seed);
        did("lost its power");
    }

    /** Its disk, to be hurt. What is wrong with it stays so over kills and restarts. */
    public NodeDisk disk() {
        require(Capability.DISK_FAULTS);
        return new NodeDisk(this, current.diskFaults());
    }

    List<SegmentRot> rot() {
        return rot;
    }

    /** Shuts the node down in good order: leaderships move away first. On return its port refuses. */
    public synchronized void stop() {
        require(Capability.STOP);
        if (state() != NodeState.RUNNING) {
            throw refused("stop", state() == NodeState.PAUSED ? "resume it first" : "restart it first");
        }
        await(current.shutdown(), "stop");
        state = NodeState.STOPPED;
        did("stopped");
    }

    /**
     * Starts a killed, stopped or failed node again. On return it serves: registered, unfenced and caught up with the
     * metadata.
     */
    public synchronized void restart() {
        require(Capability.RESTART);
        if (state().isUp() || state == NodeState.STARTING) {
            throw refused("restart", "kill or stop it first");
        }
        NodeState before = state();
        if (state() == NodeState.FAILED) {
            // It may still have a thread on its way out.
            current.kill();
        }
        current = backend.create(specs.get());
        state = NodeState.STARTING;
        try {
            await(current.start(), "restart");
            state = NodeState.RUNNING;
            did("restarted");
        } catch (RuntimeException e) {
            current.kill();
            state = before;
            throw e;
        }
    }

    /** Halts the node with its sockets open, as SIGSTOP does. */
    public synchronized void pause() {
        require(Capability.PAUSE);
        if (state() != NodeState.RUNNING) {
            throw refused("pause", state() == NodeState.PAUSED ? "resume it first" : "restart it first");
        }
        state = NodeState.PAUSED;
        current.pause();
        did("paused");
    }

    /** Lets a paused node go on. */
    public synchronized void resume() {
        require(Capability.PAUSE);
        if (state() != NodeState.PAUSED) {
            throw refused("resume", "only a paused node can go on");
        }
        current.resume();
        state = NodeState.RUNNING;
        did("resumed");
    }

    /**
     * Refuses whoever connects, and closes the connections that it has taken in, of clients and of other nodes; the node
     * itself lives and reaches others. It stays so over kills and restarts.
     */
    public synchronized void refuseConnections() {
        require(Capability.REQUEST_FAULTS);
        await(backend.requestFaults().refuse(id(), true), "refuse the connections of");
        did("refuses connections");
    }

    /** Takes connections again, on the same address. */
    public synchronized void acceptConnections() {
        require(Capability.REQUEST_FAULTS);
        await(backend.requestFaults().refuse(id(), false), "take connections again at");
        did("takes connections");
    }

    /** Not while it is in another state: the node itself looks after its files. */
    PageCacheReport pageCache(TopicPartition partition, PageCacheAction action) {
        require(Capability.PAGE_CACHE);
        if (state() != NodeState.RUNNING) {
            throw refused(
                    "reach the page cache of " + partition + " on",
                    state() == NodeState.PAUSED ? "resume it first" : "restart it first");
        }
        String task = action.name().toLowerCase(Locale.ROOT) + (action == PageCacheAction.LOOK ? " at" : "")
                + " the page cache of " + partition + " on " + this;
        try {
            return Outcome.await(current.pageCache(partition, action), timeout.toMillis(), task);
        } catch (ClusterException e) {
            if (e.getCause() instanceof UnsupportedOperationException) {
                throw new UnsupportedOperationException(e.getMessage(), e);
            }
            throw e;
        }
    }

    /** Past the check that a transaction's coordinator knows of it; the first record's offset. */
    long appendUnasked(TopicPartition partition, ByteBuf batch) {
        require(Capability.ORPHAN_TRANSACTIONS);
        return Outcome.await(
                current.appendUnasked(partition, batch), timeout.toMillis(), "append to " + partition + " on " + this);
    }

    CompletableFuture<Void> begin() {
        return current.start();
    }

    void serving() {
        state = NodeState.RUNNING;
    }

    /** A snapshot under way, or null where the node would not answer. */
    @Nullable
    CompletableFuture<NodeSnapshot> beginSnapshot() {
        return state() == NodeState.RUNNING || state == NodeState.STARTING ? current.snapshot() : null;
    }

    BackendNode current() {
        return current;
    }

    /** At the end of the cluster: as fast as can be, or in good order where the files are to be kept. */
    synchronized void close(boolean inGoodOrder) {
        if (state == NodeState.KILLED || state == NodeState.STOPPED) {
            return;
        }
        try {
            if (inGoodOrder && state() == NodeState.RUNNING) {
                await(current.shutdown(), "stop");
            }
        } finally {
            current.kill();
            state = NodeState.STOPPED;
        }
    }

    private void require(Capability capability) {
        if (!backend.capabilities().contains(capability)) {
            throw new UnsupportedOperationException("Cannot do " + capability + " to " + this + ": the "
                    + backend.name() + " backend is capable of " + backend.capabilities() + " only");
        }
    }

    private IllegalStateException refused(String fault, String remedy) {
        return new IllegalStateException("Cannot " + fault + " " + this + ": it is [" + state() + "]; " + remedy);
    }

    private void await(CompletableFuture<Void> done, String what) {
        Outcome.await(done, timeout.toMillis(), what + " " + this);
    }

    /** For example {@code broker 2}. */
    @Override
    public String toString() {
        return (broker ? "broker " : "controller ") + id();
    }
}

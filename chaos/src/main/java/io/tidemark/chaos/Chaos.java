package io.tidemark.chaos;

import io.tidemark.Cluster;
import io.tidemark.ClusterException;
import io.tidemark.ClusterLinks;
import io.tidemark.ClusterNode;
import io.tidemark.ClusterTransactions;
import io.tidemark.LinkFault;
import io.tidemark.NodeDisk;
import io.tidemark.NodeState;
import io.tidemark.OpenTransaction;
import io.tidemark.OrphanTransaction;
import io.tidemark.PartitionHandle;
import io.tidemark.requests.ReplicationRule;
import io.tidemark.requests.RequestFault;
import io.tidemark.requests.RequestRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Hurts the nodes of a cluster, their disks and the links between them, and heals what it has hurt when it is closed. Each
 * fault is done when its method returns; one that cannot be done throws and says why. Safe from any thread.
 *
 * <pre>{@code
 * try (Chaos chaos = Chaos.on(cluster)) {
 *     chaos.kill(cluster.partition("orders", 0).leader()).pause(3);
 *     // what does the application do now?
 * }
 * // every broker is back, and every replica is in sync
 * }</pre>
 */
public final class Chaos implements AutoCloseable {
    private static final Duration HEAL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration HEAL_LOOK = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final long startNanos = System.nanoTime();
    private final Set<Integer> hurt = new LinkedHashSet<>();
    private final List<LinkFault> linkFaults = new ArrayList<>();
    private final Set<Integer> skewed = new LinkedHashSet<>();
    private boolean isLeadershipHurt;
    private final Set<Integer> refusing = new LinkedHashSet<>();
    private final Set<Integer> hurtDisks = new LinkedHashSet<>();
    private final List<RequestFault> requestFaults = new ArrayList<>();
    private final DeclaredFaults declared = new DeclaredFaults();
    private final List<Fault> timeline = new ArrayList<>();
    private final SplittableRandom random;

    private Chaos(Cluster cluster) {
        this.cluster = cluster;
        this.random = new SplittableRandom(cluster.seed());
    }

    public static Chaos on(Cluster cluster) {
        return new Chaos(cluster);
    }

    /** Ends a node at once, mid-work, as {@code kill -9} does. Its port stays its own and refuses. */
    public Chaos kill(int nodeId) {
        return fault("kill", nodeId, ClusterNode::kill);
    }

    /**
     * Cuts a node off from power: it ends at once, and of what it never forced to disk a part is lost, in its files
     * themselves, as the cluster's seed decides. Kafka forces nothing before it acknowledges, so what only this node had
     * may be gone; what an ISR of others had is not.
     */
    public Chaos losePower(int nodeId) {
        long seed = nextSeed();
        return fault("lose power", nodeId, node -> node.losePower(seed));
    }

    /** The disk of a node, to be hurt: see {@link ChaosDisk}. */
    public ChaosDisk disk(int nodeId) {
        return new ChaosDisk(this, nodeId, cluster);
    }

    /** Shuts a node down in good order, as SIGTERM does: its leaderships move away first. */
    public Chaos stop(int nodeId) {
        return fault("stop", nodeId, ClusterNode::stop);
    }

    /**
     * Starts a killed or stopped node again, on its address and its data. On return a broker is registered, unfenced and
     * caught up with the metadata; its replicas join the ISR in their own time.
     */
    public Chaos restart(int nodeId) {
        return fault("restart", nodeId, ClusterNode::restart);
    }

    /** Halts a node with its sockets open, as SIGSTOP or a very long garbage collection does. */
    public Chaos pause(int nodeId) {
        return fault("pause", nodeId, ClusterNode::pause);
    }

    /** Lets a paused node go on. */
    public Chaos resume(int nodeId) {
        return fault("resume", nodeId, ClusterNode::resume);
    }

    /** Cuts two nodes off from each other. */
    public Chaos cut(int nodeId, int otherId) {
        return linkFault("cut", nodeId + " <-> " + otherId, links -> links.cut(Set.of(nodeId), Set.of(otherId)));
    }

    /** Nothing that one node sends reaches the other any more; the way back is open. */
    public Chaos cutOneWay(int fromId, int toId) {
        return linkFault("cutOneWay", fromId + " -> " + toId, links -> links.cutOneWay(Set.of(fromId), Set.of(toId)));
    }

    /** Cuts a node off from all others, controllers included; clients still reach it. */
    public Chaos isolate(int nodeId) {
        return linkFault("isolate", String.valueOf(nodeId), links -> links.isolate(nodeId));
    }

    /** Splits the network in two: no node of one group hears one of the other. */
    public Chaos split(Set<Integer> some, Set<Integer> others) {
        return linkFault("split", some + " <-> " + others, links -> links.cut(some, others));
    }

    /**
     * Cuts a broker off from the controllers alone. What it leads goes to others, and it does not hear of that: clients
     * that know no better still reach a leader that was replaced.
     */
    public Chaos isolateFromControllers(int brokerId) {
        return linkFault(
                "isolateFromControllers", String.valueOf(brokerId), links -> links.isolateFromControllers(brokerId));
    }

    /**
     * Refuses whoever connects to a node, which lives on and reaches others; the connections that it has taken in are
     * closed.
     */
    public Chaos refuseConnections(int nodeId) {
        return fault("refuseConnections", nodeId, node -> {
            node.refuseConnections();
            synchronized (timeline) {
                refusing.add(nodeId);
            }
        });
    }

    /** Has a node take connections again. */
    public Chaos acceptConnections(int nodeId) {
        return fault("acceptConnections", nodeId, node -> {
            node.acceptConnections();
            synchronized (timeline) {
                refusing.remove(nodeId);
            }
        });
    }

    /** Cuts a client off from some brokers: it hears nothing of them, and they nothing of it. Others reach them. */
    public RequestFault cutClient(String clientId, int... brokerIds) {
        return requests().fromClient(clientId).toBroker(brokerIds).cutOff();
    }

    /**
     * What two nodes send each other, to be delayed, with a jitter if asked, to pass at a bandwidth, to be dropped, reset or
     * half open.
     *
     * <pre>{@code
     * chaos.between(1, 1001).delay(Duration.ofMillis(50), Duration.ofMillis(20));
     * }</pre>
     */
    public RequestRule between(int nodeId, int otherId) {
        return requests().between(nodeId, otherId);
    }

    /** Everything that a node is sent, by clients and nodes alike, is handled so much later. */
    public RequestFault slow(int nodeId, Duration by) {
        return requests().fromAnyone().toBroker(nodeId).delay(by);
    }

    /** What a broker gets as a follower, to be stalled by topic or partition, at an offset if asked. */
    public ReplicationRule replicationOf(int brokerId) {
        return requests().replicationOf(brokerId);
    }

    /** A broker's replicas get nothing from their leaders any more. It stays in its session with the controller. */
    public Chaos stallReplication(int brokerId) {
        return linkFault("stallReplication", String.valueOf(brokerId), links -> links.stallReplication(brokerId));
    }

    /**
     * The transaction coordinator on a broker decides and tells no partition any more: transactions that it ends hang
     * between prepared and complete, and readers of committed records wait. Healed with the links.
     */
    public Chaos holdMarkers(int coordinatorId) {
        return linkFault("holdMarkers", String.valueOf(coordinatorId), links -> cluster.transactions()
                .holdMarkers(coordinatorId));
    }

    /** As {@link #holdMarkers(int)}, for the partitions that some brokers lead. */
    public Chaos holdMarkers(int coordinatorId, Set<Integer> leaderIds) {
        return linkFault("holdMarkers", coordinatorId + " -> " + leaderIds, links -> cluster.transactions()
                .holdMarkers(coordinatorId, List.copyOf(leaderIds)));
    }

    /**
     * Requests, to be hurt: says which, when, and how. What is declared by it is healed with everything else.
     *
     * <pre>{@code
     * chaos.requests().on(ApiKey.PRODUCE).fromClient("orders-app").once().loseAnswer();
     * }</pre>
     */
    public RequestRule requests() {
        return cluster.requests().whenDeclared(fault -> {
            declared.add(DeclaredFault.of(fault));
            synchronized (timeline) {
                requestFaults.add(fault);
                remember("requests", fault.toString());
            }
        });
    }

    /** Says of the fault that was declared last that it need not strike. */
    public Chaos maybe() {
        declared.maybeLast();
        return this;
    }

    /** Every fault that was declared and waits, or has waited, for something to strike. */
    public List<DeclaredFault> declared() {
        return declared.all();
    }

    /** Who leads, to be changed. */
    public ChaosLeadership leadership() {
        return new ChaosLeadership(this, cluster.leadership());
    }

    /** A consumer group, to be disturbed. */
    public ChaosGroup group(String groupId) {
        return new ChaosGroup(this, cluster, groupId);
    }

    /** A transactional id, to be disturbed. */
    public ChaosTransaction transaction(String transactionalId) {
        return new ChaosTransaction(this, cluster, transactionalId);
    }

    /** Sets the wall clock of a node wrong, ahead or behind: see {@code ClusterClock.skew}. The heal sets it right. */
    public Chaos skew(int nodeId, Duration by) {
        cluster.clock().skew(nodeId, by);
        synchronized (timeline) {
            skewed.add(nodeId);
            remember("skew", nodeId + " by " + by);
        }
        return this;
    }

    /** Opens a transaction and leaves it open: see {@link ClusterTransactions#open}. It is not healed; end it. */
    public OpenTransaction openTransaction(String transactionalId, PartitionHandle partition, String... values) {
        OpenTransaction opened = cluster.transactions().open(transactionalId, partition, values);
        synchronized (timeline) {
            remember("openTransaction", transactionalId + " in " + partition);
        }
        return opened;
    }

    /** Leaves an orphan in a partition: see {@link ClusterTransactions#orphan}. It is not healed; an operator does that. */
    public OrphanTransaction orphanTransaction(PartitionHandle partition, String... values) {
        OrphanTransaction orphan = cluster.transactions().orphan(partition, values);
        synchronized (timeline) {
            remember("orphanTransaction", orphan.producerId() + " in " + partition);
        }
        return orphan;
    }

    /** Heals every link that this object has cut, and waits for nothing. */
    public Chaos healLinks() {
        synchronized (timeline) {
            if (!linkFaults.isEmpty()) {
                linkFaults.forEach(LinkFault::heal);
                linkFaults.clear();
                remember("healLinks", "");
            }
        }
        return this;
    }

    /** Heals every fault of requests, and waits for nothing. */
    public Chaos healRequests() {
        synchronized (timeline) {
            List<RequestFault> ending =
                    requestFaults.stream().filter(fault -> !fault.isHealed()).toList();
            requestFaults.clear();
            if (!ending.isEmpty()) {
                ending.forEach(RequestFault::heal);
                remember("healRequests", "");
            }
        }
        return this;
    }

    /** The faults of links that are not healed yet, with the count of what each has held back. */
    public List<LinkFault> linkFaults() {
        synchronized (timeline) {
            return List.copyOf(linkFaults);
        }
    }

    /**
     * Heals every request fault, every link and every disk, resumes and restarts every node that this object has hurt, then waits until every
     * replica of every partition is in sync again. Does nothing where nothing is hurt.
     */
    public Chaos heal() {
        List<ClusterNode> broken = new ArrayList<>();
        boolean isWhole;
        synchronized (timeline) {
            hurt.forEach(id -> broken.add(cluster.node(id)));
            isWhole = broken.isEmpty()
                    && linkFaults.isEmpty()
                    && requestFaults.isEmpty()
                    && skewed.isEmpty()
                    && !isLeadershipHurt;
        }
        if (isWhole) {
            return this;
        }
        healRequests();
        healLinks();
        healClocks();
        // A broker cannot register without its controller.
        broken.sort((a, b) -> Boolean.compare(a.isBroker(), b.isBroker()));
        mend(broken);
        boolean isToBeGivenBack;
        synchronized (timeline) {
            broken.forEach(node -> hurt.remove(node.id()));
            isToBeGivenBack = isLeadershipHurt;
            isLeadershipHurt = false;
        }
        if (isToBeGivenBack) {
            cluster.leadership().electPreferred();
        }
        return this;
    }

    private void mend(List<ClusterNode> broken) {
        long deadlineNanos = System.nanoTime() + HEAL_TIMEOUT.toNanos();
        boolean isWhole = false;
        while (!isWhole) {
            broken.forEach(this::mend);
            try {
                cluster.awaitHealthy(HEAL_LOOK);
                // What its disk has refused just before the heal takes a node down a moment later.
                isWhole = broken.stream().allMatch(node -> node.state() == NodeState.RUNNING);
            } catch (ClusterException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new ClusterException(
                            "The cluster is not whole " + HEAL_TIMEOUT.toMillis() + " ms after the heal. "
                                    + e.getMessage(),
                            e);
                }
            }
        }
    }

    private void mend(ClusterNode node) {
        healDisk(node.id());
        healConnections(node.id());
        if (node.state() == NodeState.PAUSED) {
            resume(node.id());
        } else if (node.state() != NodeState.RUNNING) {
            restart(node.id());
        }
    }

    private void healClocks() {
        List<Integer> wrong;
        synchronized (timeline) {
            wrong = List.copyOf(skewed);
            skewed.clear();
        }
        wrong.forEach(nodeId -> cluster.clock().skew(nodeId, Duration.ZERO));
    }

    /** Something is done that ends by itself. */
    void deed(String kind, String target, Runnable doIt) {
        doIt.run();
        synchronized (timeline) {
            remember(kind, target);
        }
    }

    void leadershipFault(String kind, String target, Runnable doIt) {
        synchronized (timeline) {
            isLeadershipHurt = true;
        }
        deed(kind, target, doIt);
    }

    long nextSeed() {
        synchronized (timeline) {
            return random.nextLong();
        }
    }

    private void healConnections(int nodeId) {
        boolean isRefusing;
        synchronized (timeline) {
            isRefusing = refusing.contains(nodeId);
        }
        if (isRefusing) {
            acceptConnections(nodeId);
        }
    }

    private void healDisk(int nodeId) {
        boolean isHurt;
        synchronized (timeline) {
            isHurt = hurtDisks.remove(nodeId);
        }
        if (isHurt) {
            cluster.node(nodeId).disk().heal();
        }
    }

    /** Something is done to a disk. */
    void diskFault(String kind, int nodeId, Runnable doIt) {
        fault(kind, nodeId, node -> {
            synchronized (timeline) {
                hurtDisks.add(nodeId);
            }
            doIt.run();
        });
    }

    /** As {@link #diskFault}, where it waits for the node to use its disk. */
    void waitingDiskFault(String kind, int nodeId, Runnable doIt) {
        NodeDisk disk = cluster.node(nodeId).disk();
        long before = disk.strikes();
        diskFault(kind, nodeId, doIt);
        declared.add(DeclaredFault.of(kind + " of node " + nodeId, () -> disk.strikes() - before));
    }

    /** Everything that was done so far, in order. */
    public List<Fault> timeline() {
        synchronized (timeline) {
            return List.copyOf(timeline);
        }
    }

    /**
     * {@link #heal() Heals}, unless the cluster is closed already.
     *
     * @throws AssertionError if a declared fault never struck, and nobody said {@code maybe()} of it
     */
    @Override
    public void close() {
        if (!cluster.isClosed()) {
            heal();
        }
        declared.requireStrikes();
    }

    private Chaos fault(String kind, int nodeId, Consumer<ClusterNode> doIt) {
        doIt.accept(cluster.node(nodeId));
        synchronized (timeline) {
            hurt.add(nodeId);
            remember(kind, String.valueOf(nodeId));
        }
        return this;
    }

    private Chaos linkFault(String kind, String target, Function<ClusterLinks, LinkFault> doIt) {
        synchronized (timeline) {
            LinkFault fault = doIt.apply(cluster.links());
            linkFaults.add(fault);
            declared.add(DeclaredFault.of(fault));
            remember(kind, target);
        }
        return this;
    }

    private void remember(String kind, String target) {
        timeline.add(new Fault(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos), kind, target));
    }

    @Override
    public String toString() {
        return "Chaos" + timeline();
    }
}

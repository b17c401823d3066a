package io.tidemark.chaos;

import io.tidemark.Cluster;
import io.tidemark.ClusterLinks;
import io.tidemark.ClusterNode;
import io.tidemark.ClusterTransactions;
import io.tidemark.LinkFault;
import io.tidemark.OpenTransaction;
import io.tidemark.OrphanTransaction;
import io.tidemark.PartitionHandle;
import io.tidemark.ReplicaState;
import io.tidemark.requests.ReplicationRule;
import io.tidemark.requests.RequestFault;
import io.tidemark.requests.RequestRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

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
    private final Cluster cluster;
    private final Damage damage;

    private Chaos(Cluster cluster) {
        this.cluster = cluster;
        this.damage = new Damage(cluster);
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
        long seed = damage.nextSeed();
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

    /**
     * Splits the network in two or more: no node of one group hears one of another.
     *
     * <pre>{@code
     * chaos.split(Set.of(1), Set.of(2), Set.of(3, 1001));
     * }</pre>
     */
    @SafeVarargs
    public final Chaos split(Set<Integer> some, Set<Integer> others, Set<Integer>... more) {
        List<Set<Integer>> groups = new ArrayList<>(List.of(some, others));
        groups.addAll(List.of(more));
        return split(groups);
    }

    /** As {@link #split(Set, Set, Set[])}, with the groups in a list of two or more. */
    public Chaos split(List<Set<Integer>> groups) {
        String target = groups.stream().map(Set::toString).collect(Collectors.joining(" <-> "));
        return linkFault("split", target, links -> links.split(groups));
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
        damage.refuseConnections(nodeId);
        return this;
    }

    /** Has a node take connections again. */
    public Chaos acceptConnections(int nodeId) {
        damage.acceptConnections(nodeId);
        return this;
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

    /**
     * Holds the high watermark of a partition where it is: its followers get no more records, so that nothing new is
     * committed and consumers see no more, while the leader appends. It goes on by itself when they have fallen out of the
     * ISR, after {@code replica.lag.time.max.ms}, or when the fault is healed.
     */
    public RequestFault holdHighWatermark(String topic, int partition) {
        int[] replicas = cluster.partition(topic, partition).snapshot().replicas().stream()
                .mapToInt(ReplicaState::brokerId)
                .toArray();
        return requests().replicationOf(replicas).partition(topic, partition).stall();
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
        return cluster.requests().whenDeclared(damage::declared);
    }

    /** Says of the fault that was declared last that it need not strike. */
    public Chaos maybe() {
        damage.declared().maybeLast();
        return this;
    }

    /** Every fault that was declared and waits, or has waited, for something to strike. */
    public List<DeclaredFault> declared() {
        return damage.declared().all();
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
        damage.skew(nodeId, by);
        return this;
    }

    /** Opens a transaction and leaves it open: see {@link ClusterTransactions#open}. It is not healed; end it. */
    public OpenTransaction openTransaction(String transactionalId, PartitionHandle partition, String... values) {
        OpenTransaction opened = cluster.transactions().open(transactionalId, partition, values);
        damage.remember("openTransaction", transactionalId + " in " + partition);
        return opened;
    }

    /** Leaves an orphan in a partition: see {@link ClusterTransactions#orphan}. It is not healed; an operator does that. */
    public OrphanTransaction orphanTransaction(PartitionHandle partition, String... values) {
        OrphanTransaction orphan = cluster.transactions().orphan(partition, values);
        damage.remember("orphanTransaction", orphan.producerId() + " in " + partition);
        return orphan;
    }

    /** Heals every link that this object has cut, and waits for nothing. */
    public Chaos healLinks() {
        damage.healLinks();
        return this;
    }

    /** Heals every fault of requests, and waits for nothing. */
    public Chaos healRequests() {
        damage.healRequests();
        return this;
    }

    /** The faults of links that are not healed yet, with the count of what each has held back. */
    public List<LinkFault> linkFaults() {
        return damage.linkFaults();
    }

    /**
     * Heals every request fault, every link and every disk, resumes and restarts every node that this object has hurt, then
     * waits until every replica of every partition is in sync again. Does nothing where nothing is hurt. A node that was
     * removed from the cluster meanwhile is let go.
     */
    public Chaos heal() {
        damage.heal();
        return this;
    }

    Damage damage() {
        return damage;
    }

    /** Everything that was done so far, in order. */
    public List<Fault> timeline() {
        return damage.timeline();
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
        damage.declared().requireStrikes();
    }

    private Chaos fault(String kind, int nodeId, Consumer<ClusterNode> doIt) {
        damage.fault(kind, nodeId, doIt);
        return this;
    }

    private Chaos linkFault(String kind, String target, Function<ClusterLinks, LinkFault> doIt) {
        damage.linkFault(kind, target, doIt);
        return this;
    }

    @Override
    public String toString() {
        return "Chaos" + timeline();
    }
}

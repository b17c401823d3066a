package io.tidemark;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.journal.ClusterJournal;
import io.tidemark.journal.ReplicaHistory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What can be seen of a {@link Cluster}, and waited for, without a change to it. Safe from any thread.
 *
 * <pre>{@code
 * cluster.awaitNoUnderReplicated(Duration.ofSeconds(10));
 * System.out.println(cluster.describe());
 * }</pre>
 */
public abstract sealed class InspectableCluster permits Cluster {
    InspectableCluster() {}

    public abstract String clusterId();

    /** The seed of all that is random in it, for {@link Cluster.Builder#seed(long)}. */
    public abstract long seed();

    abstract Cluster self();

    abstract ClusterView view();

    abstract ClusterJournal journal();

    abstract ClusterTopics topicsMade();

    abstract ClusterNodes members();

    /** Every node: the brokers, then the controllers where they are nodes of their own. */
    public List<ClusterNode> nodes() {
        return members().all();
    }

    /** Every broker, in the order of the ids. */
    public List<ClusterNode> brokers() {
        return members().brokers();
    }

    /**
     * A broker by its id, 1 and up.
     *
     * @throws IllegalArgumentException if there is no such broker
     */
    public ClusterNode broker(int id) {
        return members().broker(id);
    }

    /**
     * A node by its id, controllers included.
     *
     * @throws IllegalArgumentException if there is no such node
     */
    public ClusterNode node(int id) {
        return members().node(id);
    }

    /**
     * The controller, which is broker 1 in a combined cluster. Of several, the active one; where an election is under
     * way it is waited for.
     *
     * <pre>{@code
     * cluster.controller().kill();
     * cluster.createTopic("orders", topic -> {});     // by the one that took over
     * }</pre>
     *
     * @throws ClusterException if there is none within the start timeout, as without a majority of the controllers
     */
    public ClusterNode controller() {
        return members().controller();
    }

    /** Every controller that votes, in the order of the ids: 1001 and up, or the first brokers of a combined cluster. */
    public List<ClusterNode> controllers() {
        return members().controllers();
    }

    /**
     * True where the brokers serve requests of a kind, by Kafka's number for it, and tell clients so. What is not served
     * is not advertised.
     *
     * <pre>{@code
     * boolean shareGroups = cluster.serves(76);   // ShareGroupHeartbeat
     * }</pre>
     *
     * @throws IllegalStateException if no broker runs
     */
    public boolean serves(int apiKey) {
        return members().serves(apiKey);
    }

    /** A transactional id to look into; whether its coordinator knows it is asked at each look. */
    public TransactionHandle transaction(String transactionalId) {
        return new TransactionHandle(self(), transactionalId);
    }

    /** The names of the topics that were declared or created through this handle, random ones included. */
    public List<String> topics() {
        return topicsMade().names();
    }

    /** A topic to look into; whether there is one is asked at each look. */
    public TopicHandle topic(String name) {
        return new TopicHandle(self(), name);
    }

    /** A partition to look into; whether there is one is asked at each look. */
    public PartitionHandle partition(String topic, int partition) {
        return new PartitionHandle(self(), topic, partition);
    }

    /** A consumer group to look into; whether there is one is asked at each look. */
    public GroupHandle group(String groupId) {
        return new GroupHandle(self(), groupId);
    }

    /**
     * Waits until every running node has applied all metadata that any of them has now: topics, configs, ISRs.
     *
     * @return the offset that all of them have reached, in the log of the metadata
     * @throws ClusterException if one has not when the time is up; the message names it
     */
    public long awaitMetadata(Duration timeout) {
        MetadataImage newest = view().metadata();
        long offset = newest == null ? -1 : newest.lastOffset();
        awaitMetadata(offset, timeout);
        return offset;
    }

    /**
     * Waits until every running node has applied the metadata up to an offset, or further.
     *
     * @throws ClusterException if one has not when the time is up; the message names it
     */
    public void awaitMetadata(long offset, Duration timeout) {
        Readiness.awaitMetadata(this::view, offset, timeout.toMillis());
    }

    /**
     * Waits until the ISR of every partition has all its replicas, internal topics too. As
     * {@code assertThat(cluster).eventually().hasNoUnderReplicatedPartitions()}, with an exception in place of a failure.
     *
     * @throws ClusterException if one lacks a replica when the time is up; the message shows it
     */
    public void awaitNoUnderReplicated(Duration timeout) {
        Readiness.awaitNoUnderReplicated(this::snapshot, timeout.toMillis());
    }

    /** The cluster now: its nodes, each as it told itself on its own loop, and all partitions. */
    public ClusterState snapshot() {
        return ClusterState.of(clusterId(), nodes(), view());
    }

    /**
     * Waits until every broker runs and is seen unfenced by all others, and every partition of every topic has its full
     * ISR.
     *
     * @throws ClusterException if something is still missing when the time is up; the message names it
     */
    public void awaitHealthy(Duration timeout) {
        ClusterView view = view();
        Collection<String> all =
                view.partitions().stream().map(PartitionState::topic).collect(Collectors.toSet());
        Readiness.await(this::view, members().brokerIds(), new TreeSet<>(all), timeout.toMillis());
    }

    /**
     * What has happened, in the order of time: what was done to the cluster, and what its own files tell: elections, ISR
     * changes, topics, registrations, configs, transactions, generations of groups and their commits. Read out of those
     * files when it is asked for; what retention or a snapshot of the metadata took is left out, and of the rest the
     * newest thousands are given. Which clients connected and what the nodes logged is told by the nodes as it happens,
     * and the newest thousand of each are kept.
     */
    public List<TimelineEvent> timeline() {
        return ClusterTimeline.of(self());
    }

    /**
     * How far every replica of the user's topics was, over time: its log end, high watermark and last stable offset. In
     * bounded memory, so that a long history is coarser; empty where the backend cannot tell.
     */
    public List<ReplicaHistory> replicaHistories() {
        return journal().histories();
    }

    /** Every partition of every topic now, internal ones too, in the order of the names. */
    public List<PartitionState> partitions() {
        return view().partitions();
    }

    /** The state of every node and of every partition, in lines. */
    public String describe() {
        ClusterView view = view();
        return "Cluster " + clusterId() + " (seed " + seed() + "), nodes " + view.states() + "\n"
                + view.partitions().stream().map(PartitionState::toString).collect(Collectors.joining("\n"));
    }
}

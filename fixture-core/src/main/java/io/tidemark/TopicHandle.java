package io.tidemark;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One topic of a cluster, to look into. Each call asks the brokers anew. Safe from any thread.
 *
 * <pre>{@code
 * TopicHandle orders = cluster.topic("orders");
 * assertThat(orders.partition(0)).hasLeader(1);
 * }</pre>
 */
public final class TopicHandle {
    private final Cluster cluster;
    private final String name;

    TopicHandle(Cluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
    }

    /** The cluster that it belongs to. */
    public Cluster cluster() {
        return cluster;
    }

    public String name() {
        return name;
    }

    /** True where the newest metadata of the cluster has a topic of this name. */
    public boolean exists() {
        return !states().isEmpty();
    }

    /**
     * True where some node has metadata past an offset, and the newest has no topic of this name: what
     * {@link PartitionState#metadataOffset()} saw is deleted, and not just unknown to a node that lags behind.
     */
    public boolean isDeletedSince(long metadataOffset) {
        return cluster.view().isDeletedSince(metadataOffset, name);
    }

    /** A partition to look into; whether there is one is asked at each look. */
    public PartitionHandle partition(int partition) {
        return cluster.partition(name, partition);
    }

    /**
     * Every partition, in order.
     *
     * @throws IllegalArgumentException if there is no such topic
     */
    public List<PartitionHandle> partitions() {
        int count = snapshot().size();
        return IntStream.range(0, count).mapToObj(this::partition).toList();
    }

    /**
     * Every partition now, in order.
     *
     * @throws IllegalArgumentException if there is no such topic
     */
    public List<PartitionState> snapshot() {
        List<PartitionState> states = states();
        if (states.isEmpty()) {
            throw new IllegalArgumentException("Topic [" + name + "] does not exist; create it with"
                    + " cluster.createTopic(\"" + name + "\", topic -> {})");
        }
        return states;
    }

    /**
     * Every committed record that the leaders have, partition by partition, read out of their files.
     *
     * @throws IllegalStateException if a partition has no leader
     */
    public List<ReplicaRecord> committedRecords() {
        return partitions().stream()
                .flatMap(partition -> partition.committedRecords().stream())
                .toList();
    }

    /**
     * The records that a consumer of an isolation level is given, partition by partition, read out of the leaders' files.
     *
     * @throws IllegalStateException if a partition has no leader
     */
    public List<ReplicaRecord> records(IsolationLevel isolation) {
        return partitions().stream()
                .flatMap(partition -> partition.records(isolation).stream())
                .toList();
    }

    /**
     * Waits until the topic is there for every running broker, with a leader in office and its full ISR in each partition.
     *
     * @throws ClusterException if it is not when the time is up; the message names what is missing
     */
    public void awaitSettled(Duration timeout) {
        List<Integer> running = cluster.brokers().stream()
                .filter(broker -> broker.state() == NodeState.RUNNING)
                .map(ClusterNode::id)
                .toList();
        Readiness.await(cluster::view, running, List.of(name), timeout.toMillis());
    }

    private List<PartitionState> states() {
        ClusterView view = cluster.view();
        return IntStream.iterate(0, number -> number + 1)
                .mapToObj(number -> Optional.ofNullable(view.partitionOrNull(name, number)))
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Its name, so that a handle may be written where a name is read. */
    @Override
    public String toString() {
        return name;
    }
}

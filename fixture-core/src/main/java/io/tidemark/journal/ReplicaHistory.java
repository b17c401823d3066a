package io.tidemark.journal;

import java.util.List;

/**
 * How far one replica was, over time. Immutable.
 *
 * <pre>{@code
 * cluster.replicaHistories().get(0).moments().forEach(System.out::println);
 * }</pre>
 *
 * @param topic the topic's name
 * @param partition the partition's number
 * @param brokerId the broker that holds the replica
 * @param moments in the order of time; each holds until the next
 */
public record ReplicaHistory(String topic, int partition, int brokerId, List<Moment> moments) {
    public ReplicaHistory {
        moments = List.copyOf(moments);
    }

    /** The partition's name as in Kafka's own messages, for example {@code orders-0}. */
    public String name() {
        return topic + "-" + partition;
    }

    /**
     * A replica at one moment.
     *
     * @param timestampMs when, by the cluster's clock, in milliseconds since 1970
     * @param leads true where it acts as the leader
     * @param logEndOffset one past its last record
     * @param highWatermark one past the last record that it knows to be committed
     * @param lastStableOffset one past the last record that a read_committed consumer may see
     */
    public record Moment(
            long timestampMs, boolean leads, long logEndOffset, long highWatermark, long lastStableOffset) {}
}

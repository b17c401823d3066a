package io.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * One replica of a partition at one moment.
 *
 * <pre>{@code
 * ReplicaState second = cluster.partition("orders", 0).snapshot().replica(2);
 * System.out.println(second.nodeState() + " " + second.log());
 * }</pre>
 *
 * @param brokerId the broker that holds it
 * @param nodeState where that broker stands
 * @param log what it holds; null where the broker is not running or has not taken up the partition yet
 */
public record ReplicaState(
        int brokerId, NodeState nodeState, @Nullable ReplicaLog log) {
    /**
     * What a replica holds.
     *
     * @param leads true where it acts as the leader
     * @param leaderEpoch the leader epoch that it acts under
     * @param logStartOffset the first offset that it still has
     * @param logEndOffset one past its last record
     * @param highWatermark one past the last record that it knows to be committed
     * @param lastStableOffset one past the last record that a read_committed consumer may see
     */
    public record ReplicaLog(
            boolean leads,
            int leaderEpoch,
            long logStartOffset,
            long logEndOffset,
            long highWatermark,
            long lastStableOffset) {}

    /** For example {@code broker 2  leader    epoch 1  log 0..3  high watermark 3}. */
    @Override
    public String toString() {
        if (log == null) {
            return "broker " + brokerId + "  "
                    + (nodeState == NodeState.RUNNING ? "running, without this partition" : nodeState);
        }
        return "broker " + brokerId + "  " + (log.leads() ? "leader  " : "follower") + "  epoch " + log.leaderEpoch()
                + "  log " + log.logStartOffset() + ".." + log.logEndOffset() + "  high watermark "
                + log.highWatermark();
    }
}

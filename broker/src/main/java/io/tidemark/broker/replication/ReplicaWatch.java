package io.tidemark.broker.replication;

import io.tidemark.broker.types.TopicPartition;

/**
 * Hears how far the replicas of a node are. Called on the node's loop, once for each replica that has changed in a turn,
 * so it has to be quick, and must not throw.
 */
@FunctionalInterface
public interface ReplicaWatch {
    /** Looks away. */
    ReplicaWatch NONE = (partition, leads, logEndOffset, highWatermark, lastStableOffset) -> {};

    /**
     * A replica has grown, was cut, has another role, or knows more to be committed.
     *
     * @param leads true where it acts as the leader
     * @param logEndOffset one past its last record
     * @param highWatermark one past the last record that it knows to be committed
     * @param lastStableOffset one past the last record that a read_committed consumer may see
     */
    void onChanged(
            TopicPartition partition, boolean leads, long logEndOffset, long highWatermark, long lastStableOffset);
}

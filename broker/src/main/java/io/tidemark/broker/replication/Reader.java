package io.tidemark.broker.replication;

import io.tidemark.broker.partition.ReplicaBrokers;

/** Who reads a partition, which decides how far and from whom. */
public sealed interface Reader {
    /**
     * A replica, which reads to the leader's log end, and whose reads tell the leader how far it is.
     *
     * @param brokerId its broker
     * @param brokerEpoch its broker epoch, or {@link ReplicaBrokers#UNKNOWN_BROKER_EPOCH}
     */
    record Follower(int brokerId, long brokerEpoch) implements Reader {}

    /**
     * A consumer, which reads to the high watermark, or to the last stable offset.
     *
     * @param isReadCommitted whether records of open and aborted transactions are held back
     * @param mayReadFollower whether a replica that follows may answer (KIP-392)
     */
    record Consumer(boolean isReadCommitted, boolean mayReadFollower) implements Reader {}

    default boolean needsLeader() {
        return !(this instanceof Consumer consumer) || !consumer.mayReadFollower();
    }
}

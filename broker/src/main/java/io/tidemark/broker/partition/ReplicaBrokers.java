package io.tidemark.broker.partition;

import io.tidemark.broker.types.Uuid;

/** What the metadata says of the brokers that hold replicas. */
public interface ReplicaBrokers {
    /** In place of a broker epoch that is not known. */
    long UNKNOWN_BROKER_EPOCH = -1;

    /** False for a broker that is fenced, shutting down under control, or not registered. */
    boolean mayJoinIsr(int brokerId);

    /** False where the replica lies in a log directory that the broker has told to be offline (KIP-858). */
    default boolean isOnline(int brokerId, Uuid directory) {
        return true;
    }

    /** The broker's epoch, or {@link #UNKNOWN_BROKER_EPOCH}. */
    long brokerEpoch(int brokerId);
}

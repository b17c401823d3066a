package io.tidemark.broker.raft;

import io.tidemark.broker.types.Uuid;

/**
 * How far a replica of the metadata log is, as its leader knows.
 *
 * @param replicaId the node
 * @param directoryId its directory
 * @param logEndOffset the offset it fetches from next; of the leader, its own end. -1 before its first fetch
 * @param lastFetchTimeMs wall time of its last fetch, -1 for none
 * @param lastCaughtUpTimeMs wall time when it last had everything, -1 for never
 */
public record ReplicaProgress(
        int replicaId, Uuid directoryId, long logEndOffset, long lastFetchTimeMs, long lastCaughtUpTimeMs) {
    ReplicaKey key() {
        return new ReplicaKey(replicaId, directoryId);
    }
}

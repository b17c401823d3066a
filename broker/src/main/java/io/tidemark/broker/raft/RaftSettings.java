package io.tidemark.broker.raft;

import io.tidemark.broker.types.Uuid;

/**
 * What one node of the quorum goes by. Times are in milliseconds and have the names of Kafka's
 * {@code controller.quorum.*}.
 *
 * @param nodeId the node
 * @param directoryId of its directory with the metadata log
 * @param electionTimeoutMs after so long without a leader, and up to twice as long, a voter stands
 * @param electionBackoffMaxMs a candidate that lost waits at most so long before it stands again
 * @param fetchTimeoutMs a voter that has not fetched for so long doubts its leader; a leader that no majority has
 *     fetched from for half as long again resigns
 * @param retryBackoffMs between two tries of a request
 */
public record RaftSettings(
        int nodeId,
        Uuid directoryId,
        long electionTimeoutMs,
        long electionBackoffMaxMs,
        long fetchTimeoutMs,
        long retryBackoffMs) {
    ReplicaKey self() {
        return new ReplicaKey(nodeId, directoryId);
    }

    long checkQuorumTimeoutMs() {
        return fetchTimeoutMs + fetchTimeoutMs / 2;
    }

    long beginQuorumEpochIntervalMs() {
        return Math.max(1, fetchTimeoutMs / 2);
    }
}

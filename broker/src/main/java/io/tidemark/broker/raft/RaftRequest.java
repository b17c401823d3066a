package io.tidemark.broker.raft;

import java.util.List;

/** What voters ask one another, beside the fetch. */
public sealed interface RaftRequest {
    /** The epoch that the sender knows, which is the one it stands in where it asks for a vote. */
    int leaderEpoch();

    /**
     * Asks for a vote.
     *
     * @param candidate who stands
     * @param lastEpoch the epoch of the last record of its log
     * @param logEndOffset the end of its log
     * @param isPreVote it only asks whether it would be given the vote (KIP-996)
     */
    record Vote(int leaderEpoch, ReplicaKey candidate, int lastEpoch, long logEndOffset, boolean isPreVote)
            implements RaftRequest {}

    /** The sender leads. */
    record BeginQuorumEpoch(int leaderEpoch, int leaderId) implements RaftRequest {}

    /**
     * The sender no longer leads.
     *
     * @param successors whom it would like to follow it, those with the longest log first
     */
    record EndQuorumEpoch(int leaderEpoch, int leaderId, List<ReplicaKey> successors) implements RaftRequest {
        public EndQuorumEpoch {
            successors = List.copyOf(successors);
        }
    }
}

package io.tidemark.broker.raft;

import io.tidemark.broker.types.Uuid;

/**
 * What a voter must not forget: the newest epoch it has heard of, who leads in it, and whom it gave its vote.
 *
 * @param leaderEpoch the epoch
 * @param leaderId the leader of the epoch, or {@link #NOBODY}
 * @param votedId whom this node voted for in the epoch, or {@link #NOBODY}
 * @param votedDirectoryId that candidate's directory id, or zero
 */
public record ElectionState(int leaderEpoch, int leaderId, int votedId, Uuid votedDirectoryId) {
    /** In place of a node's id. */
    public static final int NOBODY = -1;

    /** A node that was never part of a quorum. */
    public static final ElectionState INITIAL = new ElectionState(0, NOBODY, NOBODY, Uuid.ZERO);

    public boolean hasLeader() {
        return leaderId != NOBODY;
    }
}

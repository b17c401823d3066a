package io.tidemark.broker.raft;

import io.tidemark.broker.protocol.ErrorCode;

/** What a leader makes of a fetch, before it looks for records. */
public sealed interface FetchOutcome {
    /** The asked epoch or offset is not this leader's; the answer names the current leader. */
    record Refused(ErrorCode error) implements FetchOutcome {}

    /**
     * The replica's log is not a prefix of the leader's.
     *
     * @param leaderEpoch the greatest epoch of the leader's log not above the replica's last one
     * @param endOffset where that epoch ends
     */
    record Diverging(int leaderEpoch, long endOffset) implements FetchOutcome {}

    /** What the replica needs next is gone from the log: it has to begin with a snapshot (KIP-630). */
    record SnapshotNeeded(SnapshotId snapshot) implements FetchOutcome {}

    /** The replica may have what follows. */
    record Accepted() implements FetchOutcome {}
}

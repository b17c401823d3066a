package io.tidemark.broker.raft;

import org.jspecify.annotations.Nullable;

/** What the quorum's rules need to know of the log. */
public interface LogView {
    /** Above 0 where a snapshot stands for what is gone. */
    long startOffset();

    long endOffset();

    /** The epoch of the last record; in an empty log that of the snapshot it starts from, else 0. */
    int lastEpoch();

    /** The greatest epoch not above the asked one, -1 where there is none. */
    int epochFloor(int leaderEpoch);

    /** The first offset that is not of an epoch, for an epoch that {@link #epochFloor} gave; the log's start for -1. */
    long endOffsetOf(int leaderEpoch);

    /** The oldest snapshot there is, null where there is none. */
    default @Nullable SnapshotId earliestSnapshot() {
        return null;
    }

    /** The newest snapshot there is, null where there is none. */
    default @Nullable SnapshotId latestSnapshot() {
        return null;
    }
}

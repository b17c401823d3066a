package io.tidemark.broker.raft;

/** What the quorum's rules need to know of the log. */
public interface LogView {
    long startOffset();

    long endOffset();

    /** The epoch of the last record, 0 in an empty log. */
    int lastEpoch();

    /** The greatest epoch not above the asked one, -1 where there is none. */
    int epochFloor(int leaderEpoch);

    /** The first offset that is not of an epoch, for an epoch that {@link #epochFloor} gave; the log's start for -1. */
    long endOffsetOf(int leaderEpoch);
}

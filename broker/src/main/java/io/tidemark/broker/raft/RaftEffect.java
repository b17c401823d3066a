package io.tidemark.broker.raft;

/** What the driver has to do, in the order given. */
public sealed interface RaftEffect {
    /** Write the election state down durably, then tell {@link RaftNode#onElectionDurable}. */
    record PersistElection(ElectionState state) implements RaftEffect {}

    /** Assign the epoch its start, and append its LeaderChange control record first of all. */
    record BeginEpoch(Leader leader) implements RaftEffect {}

    /** Records below the offset are committed. */
    record HighWatermarkMoved(long highWatermark) implements RaftEffect {}

    /** Cut the log to an end: what lies above is not what the leader has. */
    record Truncate(long endOffset) implements RaftEffect {}
}

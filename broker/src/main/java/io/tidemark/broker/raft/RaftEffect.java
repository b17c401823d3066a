package io.tidemark.broker.raft;

/** What the driver has to do, in the order given. */
public sealed interface RaftEffect {
    /** Write the election state down durably, then tell {@link RaftNode#onElectionDurable}. */
    record PersistElection(ElectionState state) implements RaftEffect {}

    /** Assign the epoch its start, and append its LeaderChange control record first of all. */
    record BeginEpoch(Leader leader) implements RaftEffect {}

    /** This node led the epoch and does no longer: what waits for a commit is not to be answered as committed. */
    record EndEpoch(int leaderEpoch) implements RaftEffect {}

    /** There is another leader to fetch from, or none that is known of: leaderId is then NOBODY. */
    record LeaderChanged(int leaderEpoch, int leaderId) implements RaftEffect {}

    /** Records below the offset are committed. */
    record HighWatermarkMoved(long highWatermark) implements RaftEffect {}

    /** Cut the log to an end: what lies above is not what the leader has. */
    record Truncate(long endOffset) implements RaftEffect {}

    /** Send a request to a voter, and tell what becomes of it: {@link RaftNode#onReply} or {@link RaftNode#onNoReply}. */
    record Send(Voter to, RaftRequest request) implements RaftEffect {}

    /** Answer a request that came in. */
    record Answer(long requestId, RaftReply reply) implements RaftEffect {}
}

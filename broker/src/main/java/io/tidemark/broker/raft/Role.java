package io.tidemark.broker.raft;

/** What a node is in the quorum, in one epoch. */
public sealed interface Role permits Unattached, Leader, Follower {
    int leaderEpoch();
}

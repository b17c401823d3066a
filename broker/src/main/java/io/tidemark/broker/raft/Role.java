package io.tidemark.broker.raft;

/** What a node is in the quorum, in one epoch. */
public sealed interface Role permits Unattached, Prospective, Candidate, Follower, Leader, Resigned {
    /** No time. */
    long NEVER = Long.MAX_VALUE;

    int leaderEpoch();

    /** When it has to do something if nothing comes in before, by the monotonic clock; {@link #NEVER} for never. */
    long deadlineMs();
}

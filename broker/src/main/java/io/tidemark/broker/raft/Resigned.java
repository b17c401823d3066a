package io.tidemark.broker.raft;

/**
 * Led the epoch and gave it up. It stands again, in an epoch after that, if nobody else does for a while.
 *
 * @param leaderEpoch the epoch that it led
 * @param deadlineMs when it goes on
 */
public record Resigned(int leaderEpoch, long deadlineMs) implements Role {}

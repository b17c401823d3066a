package io.tidemark.broker.raft;

/**
 * Knows of no leader that it could fetch from. It may have given its vote in the epoch.
 *
 * @param leaderEpoch the newest epoch it has heard of
 * @param deadlineMs when a voter stands
 */
public record Unattached(int leaderEpoch, long deadlineMs) implements Role {}

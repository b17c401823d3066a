package io.tidemark.broker.raft;

/**
 * Knows of no leader in its epoch.
 *
 * @param leaderEpoch the newest epoch it has heard of
 */
public record Unattached(int leaderEpoch) implements Role {}

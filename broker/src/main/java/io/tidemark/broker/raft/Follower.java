package io.tidemark.broker.raft;

/**
 * Fetches from a leader: a broker, or a voter that does not lead.
 *
 * @param leaderEpoch the leader's epoch
 * @param leaderId the leader
 * @param highWatermark as far as this node knows it, never above its own log end; -1 before the first fetch. Below it,
 *     records are committed
 */
public record Follower(int leaderEpoch, int leaderId, long highWatermark) implements Role {}

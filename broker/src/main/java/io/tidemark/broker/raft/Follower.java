package io.tidemark.broker.raft;

/**
 * Fetches from a leader: a broker, or a voter that does not lead.
 *
 * @param leaderEpoch the leader's epoch
 * @param leaderId the leader
 * @param hasFetched it has had an answer from this leader, and holds to it: others are refused their pre-votes
 * @param deadlineMs when a voter doubts the leader, unless it has an answer before
 */
public record Follower(int leaderEpoch, int leaderId, boolean hasFetched, long deadlineMs) implements Role {}

package io.tidemark.broker.raft;

/**
 * Stands for its epoch.
 *
 * @param ballot the votes
 * @param timeoutMs when it gives up
 */
record Candidate(int leaderEpoch, Ballot ballot, long timeoutMs) implements Role {
    @Override
    public long deadlineMs() {
        return Math.min(timeoutMs, ballot.nextAskMs());
    }
}

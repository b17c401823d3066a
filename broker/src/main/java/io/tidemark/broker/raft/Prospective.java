package io.tidemark.broker.raft;

/**
 * Asks whether it would be elected, before it disturbs anybody with a new epoch (KIP-996).
 *
 * @param ballot the answers
 * @param timeoutMs when it gives up
 */
record Prospective(int leaderEpoch, Ballot ballot, long timeoutMs) implements Role {
    @Override
    public long deadlineMs() {
        return Math.min(timeoutMs, ballot.nextAskMs());
    }
}

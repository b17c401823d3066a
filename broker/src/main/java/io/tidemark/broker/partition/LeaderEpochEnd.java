package io.tidemark.broker.partition;

/**
 * The end of a leader epoch in a log: the largest epoch at or below the one asked for, and the offset after its last
 * record (KIP-101, KIP-279).
 *
 * @param leaderEpoch the epoch found, or -1
 * @param endOffset exclusive, or -1
 */
public record LeaderEpochEnd(int leaderEpoch, long endOffset) {
    /** The answer where the log knows no epoch at or below the one asked for. */
    public static final LeaderEpochEnd UNDEFINED = new LeaderEpochEnd(-1, -1);

    public boolean isDefined() {
        return leaderEpoch >= 0 && endOffset >= 0;
    }
}

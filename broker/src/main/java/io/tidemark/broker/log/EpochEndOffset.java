package io.tidemark.broker.log;

/**
 * Where a leader epoch ends in a log.
 *
 * @param leaderEpoch the greatest epoch of the log that is not above the one asked for, or -1
 * @param endOffset the first offset that is not of it, or -1
 */
public record EpochEndOffset(int leaderEpoch, long endOffset) {
    /** The answer for an epoch of which the log knows nothing. */
    public static final EpochEndOffset UNDEFINED = new EpochEndOffset(-1, -1);

    public boolean isUndefined() {
        return endOffset < 0;
    }
}

package io.tidemark.broker.log;

import io.tidemark.broker.types.TopicPartition;

/** An offset outside of what a log holds was asked for. */
public final class OffsetOutOfRangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long logStartOffset;
    private final long logEndOffset;

    OffsetOutOfRangeException(TopicPartition partition, long offset, long logStartOffset, long logEndOffset) {
        super("Offset " + offset + " is not in the log of " + partition + "; expected " + logStartOffset + " to "
                + logEndOffset);
        this.logStartOffset = logStartOffset;
        this.logEndOffset = logEndOffset;
    }

    public long logStartOffset() {
        return logStartOffset;
    }

    public long logEndOffset() {
        return logEndOffset;
    }
}

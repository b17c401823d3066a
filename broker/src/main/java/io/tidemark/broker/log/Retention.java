package io.tidemark.broker.log;

/**
 * Decides whether a log's first segment has had its time.
 *
 * @param config the topic's limits
 * @param highWatermark what is above stays, whatever the limits say
 * @param nowMs the time
 */
record Retention(LogConfig config, long highWatermark, long nowMs) {
    boolean isOver(LogSegments segments, long logStartOffset, long logEndOffset) {
        LogSegment first = segments.first();
        long end = segments.endOf(first, logEndOffset);
        // Of a closed segment, compaction may have left nothing.
        boolean isNew = first == segments.active() && first.sizeInBytes() == 0;
        if (isNew || end > highWatermark) {
            return false;
        }
        boolean belowLogStart = end <= logStartOffset && segments.count() > 1;
        return belowLogStart || (config.delete() && (isTooOld(first) || isTooMuch(segments, first)));
    }

    private boolean isTooOld(LogSegment segment) {
        return config.retentionMs() >= 0 && nowMs - segment.ageTimestamp() > config.retentionMs();
    }

    /** As much as asked for must stay when the segment is gone. */
    private boolean isTooMuch(LogSegments segments, LogSegment segment) {
        return config.retentionBytes() >= 0
                && segments.sizeInBytes() - segment.sizeInBytes() >= config.retentionBytes();
    }
}

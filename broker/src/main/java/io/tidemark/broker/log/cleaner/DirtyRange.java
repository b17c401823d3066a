package io.tidemark.broker.log.cleaner;

import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.log.SegmentSource;
import java.io.IOException;
import java.util.List;

/**
 * How much of a log there is to compact.
 *
 * @param firstDirtyOffset what is below was compacted before
 * @param endOffset the start of the first segment that may not be compacted yet
 * @param cleanBytes the size of the segments below the first dirty offset
 * @param dirtyBytes the size of the segments from there to the end
 * @param isOverdue whether {@code max.compaction.lag.ms} have passed, so that the ratio does not matter
 */
record DirtyRange(long firstDirtyOffset, long endOffset, long cleanBytes, long dirtyBytes, boolean isOverdue) {
    /**
     * @param segments all of the log's, the active one last
     * @param cleanedTo up to where the log was compacted, -1 for never
     * @param lastStableOffset on a leader as on a follower, by its own high watermark
     */
    static DirtyRange of(
            List<SegmentSource> segments,
            long logStartOffset,
            long cleanedTo,
            long lastStableOffset,
            LogConfig config,
            long nowMs)
            throws IOException {
        long firstDirty = Math.max(logStartOffset, cleanedTo);
        long cleanBytes = 0;
        long dirtyBytes = 0;
        long end = segments.get(0).baseOffset();
        long earliestMs = Long.MAX_VALUE;
        for (SegmentSource segment : segments.subList(0, segments.size() - 1)) {
            boolean isDirty = segment.endOffset() > firstDirty;
            if (segment.endOffset() > lastStableOffset || (isDirty && isTooYoung(segment, config, nowMs))) {
                break;
            }
            end = segment.endOffset();
            if (!isDirty) {
                cleanBytes += segment.sizeInBytes();
                continue;
            }
            dirtyBytes += segment.sizeInBytes();
            if (earliestMs == Long.MAX_VALUE && config.maxCompactionLagMs() < Long.MAX_VALUE) {
                long firstMs = segment.firstTimestamp();
                earliestMs = firstMs >= 0 ? firstMs : Long.MAX_VALUE;
            }
        }
        boolean isOverdue = earliestMs < nowMs - config.maxCompactionLagMs();
        return new DirtyRange(firstDirty, end, cleanBytes, dirtyBytes, isOverdue);
    }

    private static boolean isTooYoung(SegmentSource segment, LogConfig config, long nowMs) {
        return config.minCompactionLagMs() > 0 && segment.maxTimestamp() > nowMs - config.minCompactionLagMs();
    }

    /** The share of bytes that are not compacted, from 0 to 1. */
    double ratio() {
        long bytes = cleanBytes + dirtyBytes;
        return bytes == 0 ? 0 : (double) dirtyBytes / bytes;
    }

    boolean isWorthCleaning(double minRatio) {
        return dirtyBytes > 0 && (isOverdue || ratio() > minRatio);
    }
}

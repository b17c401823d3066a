package io.tidemark.broker.log;

import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What of one log is durable, what may not be, and the work that makes it so. On the node's loop only. */
final class LogDurability {
    private static final long NOTHING_UNFLUSHED = -1;

    private final LogEnvironment environment;
    private final TopicPartition partition;
    private final LogSegments segments;
    private long recoveryPoint;

    /** Whether files beside the segments, or the folder's entries, may not be durable yet. */
    private boolean folderUnforced;

    /** Whether names of segments may not be durable yet. */
    private boolean namesUnforced;

    /** Whether the folder's own name may not be durable yet. */
    private boolean folderNameUnforced;

    /** Whether the indexes of the segment that is written to may not be durable yet. */
    private boolean indexesUnforced;

    /** Where the log was cut at the lowest since work to flush it was last handed out. */
    private long lowestCut = Long.MAX_VALUE;

    /** When the first record was appended that no work to flush was handed out for. */
    private long unflushedSinceMs = NOTHING_UNFLUSHED;

    LogDurability(LogEnvironment environment, TopicPartition partition, LogSegments segments, LoadedLog files) {
        this.environment = environment;
        this.partition = partition;
        this.segments = segments;
        this.recoveryPoint = files.recoveryPoint();
        this.folderUnforced = files.folderUnforced();
        this.namesUnforced = files.folderUnforced();
        this.folderNameUnforced = files.folderUnforced();
        this.indexesUnforced = files.folderUnforced();
    }

    /** Everything below is durable. */
    long recoveryPoint() {
        return recoveryPoint;
    }

    /** A file beside the segments, or the folder's entries, have changed. */
    void onFolderChanged() {
        folderUnforced = true;
    }

    /** A segment has come or gone. */
    void onSegmentNamesChanged() {
        namesUnforced = true;
        folderUnforced = true;
    }

    /** A flush leaves the indexes of the segment that is written to alone; an orderly close must not. */
    boolean indexesUnforced() {
        return indexesUnforced;
    }

    void onAppended(long nowMs) {
        indexesUnforced = true;
        if (unflushedSinceMs == NOTHING_UNFLUSHED) {
            unflushedSinceMs = nowMs;
        }
    }

    /** For how long something waits to be flushed; -1 where nothing does. */
    long waitedMs(long logEndOffset, long nowMs) {
        return unflushedSinceMs == NOTHING_UNFLUSHED || recoveryPoint >= logEndOffset ? -1 : nowMs - unflushedSinceMs;
    }

    boolean isDurableUpTo(long logEndOffset) {
        return recoveryPoint == logEndOffset && !folderUnforced;
    }

    /** What is written from here on is not durable, and a recovery point from before the cut must not say that it is. */
    void cutAt(long cutOffset) throws IOException {
        lowestCut = Math.min(lowestCut, cutOffset);
        recoveryPoint = Math.min(recoveryPoint, cutOffset);
        indexesUnforced = true;
        environment.recoveryPoints().lower(partition, cutOffset);
    }

    FlushWork flushWork(Path directory, long logEndOffset) {
        Path folder = folderUnforced ? directory : null;
        boolean folderName = folderNameUnforced;
        folderUnforced = false;
        folderNameUnforced = false;
        lowestCut = Long.MAX_VALUE;
        unflushedSinceMs = NOTHING_UNFLUSHED;
        return new FlushWork(
                environment.disk(),
                folder,
                folderName,
                // Where the log rolled right at the recovery point, the indexes of the segment before it were still
                // open.
                List.copyOf(segments.from(recoveryPoint - 1)),
                segments.active(),
                logEndOffset);
    }

    /** Moves the recovery point, as far as the log still reaches. */
    void flushed(long offset, long logEndOffset) {
        recoveryPoint = Math.max(recoveryPoint, Math.min(Math.min(offset, lowestCut), logEndOffset));
    }

    /**
     * A later segment's name must not outlast the first one's, or the log would seem to start there; nor may the first be
     * back when the second is gone.
     */
    void forceSegmentNames(Path directory) throws IOException {
        if (namesUnforced) {
            environment.disk().forceDirectory(directory);
            namesUnforced = false;
        }
    }
}

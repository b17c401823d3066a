package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.log.LogSegment.BatchLocation;
import io.tidemark.broker.log.index.AbortedTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** The segments of a log in the order of their base offsets; there is always one, and the last is written to. */
final class LogSegments {
    private final LogEnvironment environment;
    private final NavigableMap<Long, LogSegment> segments;
    private LogSegment active;

    LogSegments(LogEnvironment environment, NavigableMap<Long, LogSegment> segments) {
        this.environment = environment;
        this.segments = segments;
        this.active = segments.lastEntry().getValue();
    }

    LogSegment first() {
        return segments.firstEntry().getValue();
    }

    LogSegment active() {
        return active;
    }

    int count() {
        return segments.size();
    }

    NavigableMap<Long, LogSegment> byBaseOffset() {
        return segments;
    }

    long sizeInBytes() {
        long bytes = 0;
        for (LogSegment segment : segments.values()) {
            bytes += segment.sizeInBytes();
        }
        return bytes;
    }

    /** The segment that an offset falls into, and those after it. */
    Collection<LogSegment> from(long offset) {
        Long floor = segments.floorKey(offset);
        return segments.tailMap(floor == null ? offset : floor, true).values();
    }

    /**
     * The batches from the first that reaches an offset on, out of one segment.
     *
     * @param boundOffset no batch that reaches it is returned; null for all there is
     */
    LogSlice read(long startOffset, int maxBytes, @Nullable Long boundOffset, boolean minOneBatch) throws IOException {
        for (LogSegment segment : from(startOffset)) {
            BatchLocation first = segment.locate(startOffset);
            if (first != null) {
                BatchLocation bound = boundOffset == null ? null : segment.locate(boundOffset);
                int end = bound == null ? segment.sizeInBytes() : bound.position();
                int limit = minOneBatch ? Math.max(maxBytes, first.sizeInBytes()) : maxBytes;
                int size = Math.min(end - first.position(), limit);
                return size < first.sizeInBytes() ? LogSlice.EMPTY : new LogSlice(segment, first.position(), size);
            }
            // A hole that compaction left reaches into the next segment.
        }
        return LogSlice.EMPTY;
    }

    /** The aborted transactions that have a record between two offsets, the second exclusive, by their markers. */
    List<AbortedTransaction> abortedTransactions(long startOffset, long upperBoundOffset) {
        List<AbortedTransaction> found = new ArrayList<>();
        for (LogSegment segment : from(startOffset)) {
            for (AbortedTransaction transaction : segment.abortedTransactions()) {
                if (transaction.lastOffset() >= startOffset && transaction.firstOffset() < upperBoundOffset) {
                    found.add(transaction);
                }
                if (transaction.lastStableOffset() >= upperBoundOffset) {
                    return found;
                }
            }
        }
        return found;
    }

    /** The first record of a timestamp or a later one, from an offset on; null where there is none. */
    @Nullable
    TimestampedOffset offsetForTimestamp(long timestamp, long fromOffset) throws IOException {
        for (LogSegment segment : from(fromOffset)) {
            if (segment.maxTimestamp() >= timestamp) {
                TimestampedOffset found = segment.search().firstAtOrAfter(timestamp, fromOffset);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** The first record of the greatest timestamp, from an offset on; null where there are no records. */
    @Nullable
    TimestampedOffset maxTimestampOffset(long fromOffset) throws IOException {
        LogSegment newest = null;
        for (LogSegment segment : from(fromOffset)) {
            if (segment.sizeInBytes() > 0 && (newest == null || segment.maxTimestamp() > newest.maxTimestamp())) {
                newest = segment;
            }
        }
        return newest == null ? null : newest.search().firstAtOrAfter(newest.maxTimestamp(), fromOffset);
    }

    /** The offset at which a segment's successor starts. */
    long endOf(LogSegment segment, long logEndOffset) {
        Long next = segments.higherKey(segment.baseOffset());
        return next == null ? logEndOffset : next;
    }

    /** Begins a new segment. An empty one that was written to until now goes, as nothing was written to it. */
    void roll(Path directory, long baseOffset, LogConfig config, long nowMs) throws IOException {
        if (active.sizeInBytes() == 0) {
            deleteNow(active);
        } else {
            active.seal();
        }
        active = LogSegment.create(environment.disk(), directory, baseOffset, config, nowMs);
        segments.put(baseOffset, active);
    }

    /** Deletes all and begins anew. */
    void restartAt(Path directory, long baseOffset, LogConfig config, long nowMs) throws IOException {
        deleteDurably(segments, directory);
        active = LogSegment.create(environment.disk(), directory, baseOffset, config, nowMs);
        segments.put(baseOffset, active);
        environment.disk().forceDirectory(directory);
    }

    /**
     * Cuts, at an offset that is not below the first segment. The cut is durable before anything else is written: else a
     * power loss could put batches from before it together with batches from after it, each of them right by itself.
     *
     * @return the offset at which the log ends now
     */
    long truncateTo(long offset, Path directory, LogConfig config) throws IOException {
        deleteDurably(segments.tailMap(offset, false), directory);
        active = segments.lastEntry().getValue();
        active.truncateTo(offset);
        active.extendForAppends(config);
        active.file().force(true);
        return active.sizeInBytes() == 0 ? active.baseOffset() : active.nextOffset();
    }

    /** From the last to the first, so that a process killed in between leaves a log without a hole. */
    private void deleteDurably(NavigableMap<Long, LogSegment> deleted, Path directory) throws IOException {
        if (deleted.isEmpty()) {
            return;
        }
        for (LogSegment segment : new ArrayList<>(deleted.descendingMap().values())) {
            deleteNow(segment);
        }
        environment.disk().forceDirectory(directory);
    }

    private void deleteNow(LogSegment segment) throws IOException {
        segments.remove(segment.baseOffset());
        segment.release();
        for (Path path : segment.paths()) {
            environment.disk().delete(path);
        }
    }

    /** Takes the first segment out: its files get out of the way now, and go when readers have had their time. */
    void removeFirst(long deleteDelayMs) throws IOException {
        LogSegment segment = first();
        segments.remove(segment.baseOffset());
        List<Path> renamed = moveAside(environment.disk(), segment);
        environment.deletions().deleteLater(renamed, segment::release, deleteDelayMs);
    }

    /** Renames a segment's files to what is to be deleted; who has them open does not notice. */
    static List<Path> moveAside(Disk disk, LogSegment segment) throws IOException {
        List<Path> renamed = new ArrayList<>();
        for (Path path : segment.paths()) {
            if (disk.exists(path)) {
                Path target = path.resolveSibling(path.getFileName() + LogFiles.DELETED);
                disk.rename(path, target);
                renamed.add(target);
            }
        }
        return renamed;
    }

    /** Puts a segment in the place of closed ones, the first of which has its base offset. */
    void replace(List<SegmentSource> replaced, LogSegment replacement) {
        for (SegmentSource source : replaced) {
            segments.remove(source.baseOffset());
        }
        segments.put(replacement.baseOffset(), replacement);
    }

    void release() throws IOException {
        IOException failure = null;
        for (LogSegment segment : segments.values()) {
            try {
                segment.release();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    void moved(Path directory) {
        for (LogSegment segment : segments.values()) {
            segment.moved(directory);
        }
    }
}

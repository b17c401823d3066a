package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the files of a log that is there. After an orderly close the indexes are believed and only the tail is looked
 * at; else every segment that reaches above the recovery point is recovered. What is left of deletions and compactions
 * that never finished is brought to an end before, see {@link SwapRecovery}.
 */
final class LogLoader {
    private static final Logger LOG = LoggerFactory.getLogger(LogLoader.class);

    private final Disk disk;
    private final Path directory;
    private final LogConfig config;
    private final long nowMs;
    private final NavigableMap<Long, LogSegment> segments = new TreeMap<>();
    private final ProducerSnapshots snapshots;
    private final LeaderEpochs epochs;

    LogLoader(Disk disk, Path directory, LogConfig config, long nowMs) throws IOException {
        this.disk = disk;
        this.directory = directory;
        this.config = config;
        this.nowMs = nowMs;
        this.snapshots = new ProducerSnapshots(disk, directory);
        this.epochs = LeaderEpochs.load(disk, directory.resolve(LogFiles.LEADER_EPOCHS));
    }

    /** Opens, recovers where need be, and tells how the log stands. Where that fails, no file stays open. */
    LoadedLog load(LastStop lastStop) throws IOException {
        try {
            SwapRecovery.finish(disk, directory);
            openSegments();
            recoverSegments(lastStop.clean(), lastStop.recoveryPoint());
            startAnewIfBelow(lastStop.logStartOffset());
            restoreEpochs(lastStop.logStartOffset());
            return new LoadedLog(
                    PartitionMetadata.read(disk, directory.resolve(LogFiles.PARTITION_METADATA)),
                    segments,
                    epochs,
                    snapshots,
                    Math.max(lastStop.logStartOffset(), segments.firstKey()),
                    logEndOffset(),
                    lastStop.clean() ? logEndOffset() : Math.min(lastStop.recoveryPoint(), logEndOffset()),
                    !lastStop.clean());
        } catch (IOException | RuntimeException e) {
            for (LogSegment segment : segments.values()) {
                segment.release();
            }
            throw e;
        }
    }

    /** A log that ends below its own start has lost what it was to go on from. */
    private void startAnewIfBelow(long logStartOffset) throws IOException {
        if (!segments.isEmpty() && logEndOffset() < logStartOffset) {
            LOG.warn(
                    "Log in {} ends at offset {}, below its start {}: it starts anew there",
                    directory,
                    logEndOffset(),
                    logStartOffset);
            deleteSegmentsAbove(-1);
            epochs.clear();
        }
        if (segments.isEmpty()) {
            segments.put(logStartOffset, LogSegment.create(disk, directory, logStartOffset, config, nowMs));
        }
    }

    private void openSegments() throws IOException {
        List<Path> indexes = new ArrayList<>();
        for (Path file : disk.list(directory)) {
            long offset = LogFiles.offsetOf(file);
            if (offset >= 0 && LogFiles.isA(file, LogFiles.LOG)) {
                segments.put(offset, LogSegment.open(disk, directory, offset, config, nowMs));
            } else if (offset >= 0 && LogFiles.isA(file, LogFiles.PRODUCER_SNAPSHOT)) {
                snapshots.found(offset);
            } else if (offset >= 0) {
                indexes.add(file);
            }
        }
        for (Path index : indexes) {
            if (!segments.containsKey(LogFiles.offsetOf(index))) {
                disk.delete(index);
            }
        }
    }

    private void recoverSegments(boolean clean, long recoveryPoint) throws IOException {
        LogSegment previous = null;
        for (LogSegment segment : new ArrayList<>(segments.values())) {
            boolean durable = clean || segment.baseOffset() <= recoveryPoint;
            if (!durable && previous != null && !follows(segment, previous)) {
                LOG.info(
                        "Cutting the log in {} at offset {}: the next segment starts at {}",
                        directory,
                        previous.nextOffset(),
                        segment.baseOffset());
                deleteSegmentsAbove(previous.baseOffset());
                return;
            }
            previous = segment;
            Long next = segments.higherKey(segment.baseOffset());
            boolean trusted = clean || (next != null && next <= recoveryPoint);
            if (trusted && segment.load()) {
                continue;
            }
            if (SegmentRecovery.recover(segment, epochs)) {
                deleteSegmentsAbove(segment.baseOffset());
                return;
            }
            if (next != null) {
                segment.seal();
            }
        }
    }

    /** Whether there is no hole in between. In a compacted log there may be. */
    private boolean follows(LogSegment segment, LogSegment previous) {
        return segment.baseOffset() == previous.nextOffset()
                || (config.compact() && segment.baseOffset() > previous.nextOffset());
    }

    private void deleteSegmentsAbove(long baseOffset) throws IOException {
        for (LogSegment segment : new ArrayList<>(
                segments.tailMap(baseOffset, false).descendingMap().values())) {
            segments.remove(segment.baseOffset());
            segment.release();
            for (Path path : segment.paths()) {
                disk.delete(path);
            }
        }
    }

    private void restoreEpochs(long logStartOffset) throws IOException {
        if (epochs.isEmpty()) {
            for (LogSegment segment : segments.values()) {
                SegmentRecovery.noteEpochs(segment, epochs);
            }
            if (!epochs.isEmpty()) {
                epochs.write();
            }
        }
        if (epochs.knownFrom() > Math.max(logStartOffset, segments.firstKey())) {
            SegmentRecovery.noteEarlierEpochs(segments.values(), epochs);
        }
        epochs.truncateTo(logEndOffset());
        epochs.startAt(Math.max(logStartOffset, segments.firstKey()));
    }

    private long logEndOffset() {
        return segments.lastEntry().getValue().nextOffset();
    }
}

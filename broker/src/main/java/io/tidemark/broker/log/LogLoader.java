package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Opens the files of a log that is there. After an orderly close the indexes are believed and only the tail is looked
 * at; else every segment that reaches above the recovery point is recovered. What is left of deletions and compactions
 * that never finished is brought to an end before, see {@link SwapRecovery}.
 */
final class LogLoader {
    private static final NodeLog LOG = NodeLog.of(LogLoader.class);

    private final LogEnvironment environment;
    private final TopicPartition partition;
    private final Disk disk;
    private final Path directory;
    private final LogConfig config;
    private final long nowMs;
    private final NavigableMap<Long, LogSegment> segments = new TreeMap<>();
    private final ProducerSnapshots snapshots;
    private final LeaderEpochs epochs;
    private final boolean epochsLost;

    /** Below, what is there is durable as it is. */
    private long recoveryPoint;

    LogLoader(LogEnvironment environment, TopicPartition partition, Path directory, LogConfig config, long nowMs)
            throws IOException {
        this.environment = environment;
        this.partition = partition;
        this.disk = environment.disk();
        this.directory = directory;
        this.config = config;
        this.nowMs = nowMs;
        this.snapshots = new ProducerSnapshots(disk, directory);
        this.epochs = LeaderEpochs.load(disk, directory.resolve(LogFiles.LEADER_EPOCHS));
        this.epochsLost = epochs.isEmpty();
    }

    /** Opens, recovers where need be, and tells how the log stands. Where that fails, no file stays open. */
    LoadedLog load(LastStop lastStop) throws IOException {
        try {
            SwapRecovery.finish(disk, directory);
            openSegments();
            List<LogSegment> madeAnew = recoverSegments(lastStop);
            cutEmptyEnd(lastStop);
            for (LogSegment recovered : madeAnew) {
                if (recovered.baseOffset() < segments.lastKey()) {
                    recovered.seal();
                }
            }
            startAnewIfBelow(lastStop.logStartOffset());
            restoreEpochs(lastStop.logStartOffset());
            if (lastStop.recoveryPoint() > logEndOffset()) {
                // What is appended from here on is not forced, and must not be believed at the next start.
                environment.recoveryPoints().lower(partition, logEndOffset());
            }
            segments.lastEntry().getValue().extendForAppends(config);
            return new LoadedLog(
                    PartitionMetadata.read(disk, directory.resolve(LogFiles.PARTITION_METADATA)),
                    segments,
                    epochs,
                    snapshots,
                    Math.max(lastStop.logStartOffset(), segments.firstKey()),
                    logEndOffset(),
                    Math.min(recoveryPoint, logEndOffset()),
                    !lastStop.clean() || !madeAnew.isEmpty());
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

    /** Returns the segments whose indexes were made anew. */
    private List<LogSegment> recoverSegments(LastStop lastStop) throws IOException {
        List<LogSegment> recovered = new ArrayList<>();
        boolean clean = lastStop.clean();
        recoveryPoint = clean ? Long.MAX_VALUE : lastStop.recoveryPoint();
        LogSegment previous = null;
        for (LogSegment segment : new ArrayList<>(segments.values())) {
            boolean durable = segment.baseOffset() <= lastStop.recoveryPoint();
            if (!clean && !durable && previous != null && !follows(segment, previous, lastStop)) {
                LOG.info(
                        "Cutting the log in {} at offset {}: the next segment starts at {}",
                        directory,
                        previous.nextOffset(),
                        segment.baseOffset());
                deleteSegmentsAbove(previous.baseOffset());
                break;
            }
            previous = segment;
            Long next = segments.higherKey(segment.baseOffset());
            boolean trusted = clean || (next != null && next < lastStop.recoveryPoint());
            if (trusted && segment.load()) {
                continue;
            }
            recovered.add(segment);
            if (trusted) {
                // Its indexes are not durable any more, and must not be trusted at the next start.
                recoveryPoint = Math.min(recoveryPoint, segment.baseOffset());
                environment.recoveryPoints().lower(partition, segment.baseOffset());
            }
            if (SegmentRecovery.recover(segment, epochs)) {
                deleteSegmentsAbove(segment.baseOffset());
                break;
            }
        }
        return recovered;
    }

    /**
     * Whether there is no hole in between. In a log that was compacted there may be, and in one whose topic is, since a
     * follower takes over its leader's. But only compaction itself empties a segment.
     */
    private boolean follows(LogSegment segment, LogSegment previous, LastStop lastStop) {
        boolean wasCompacted = lastStop.cleanedTo() != PartitionLog.NEVER_CLEANED;
        boolean mayBeHole = wasCompacted || (config.compact() && previous.sizeInBytes() > 0);
        return segment.baseOffset() == previous.nextOffset()
                || (mayBeHole && segment.baseOffset() > previous.nextOffset());
    }

    /** Compaction leaves no hole at a log's end: there, an empty segment is what outlived the batches before it. */
    private void cutEmptyEnd(LastStop lastStop) throws IOException {
        while (!lastStop.clean() && segments.size() > 1) {
            LogSegment last = segments.lastEntry().getValue();
            LogSegment previous = segments.lowerEntry(last.baseOffset()).getValue();
            if (last.sizeInBytes() > 0
                    || last.baseOffset() <= Math.max(lastStop.recoveryPoint(), lastStop.cleanedTo())
                    || last.baseOffset() == previous.nextOffset()) {
                return;
            }
            deleteSegmentsAbove(previous.baseOffset());
        }
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
        if (epochsLost) {
            // Recovery has put back those of the segments that it read, and it need not have read all.
            epochs.clear();
            for (LogSegment segment : segments.values()) {
                SegmentRecovery.noteEpochs(segment, epochs);
            }
        }
        if (epochs.knownFrom() > Math.max(logStartOffset, segments.firstKey())) {
            SegmentRecovery.noteEarlierEpochs(segments.values(), epochs);
        }
        epochs.truncateTo(logEndOffset());
        epochs.startAt(Math.max(logStartOffset, segments.firstKey()));
        epochs.writeWhatWasNoted();
    }

    private long logEndOffset() {
        return segments.lastEntry().getValue().nextOffset();
    }
}

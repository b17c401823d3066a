package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The {@code .snapshot} files of a log, and the way from them and the log back to the producers' state.
 *
 * <p>A snapshot holds the last batch of each producer, and a producer may repeat any of its last five. So the log is
 * read again from an older snapshot, or from its start, as far back as {@link #REPLAY_BYTES} reach: within them the
 * state after a restart is the one before it. Of a larger log, it is what Kafka's would be. The newest snapshot is asked
 * all the same, for what compaction has taken from the log.
 */
final class ProducerSnapshots {
    private static final NodeLog LOG = NodeLog.of(ProducerSnapshots.class);

    /** How much log is worth reading again for the sake of repeats. */
    private static final long REPLAY_BYTES = 16L * 1024 * 1024;

    private static final int CHUNK_BYTES = 8 * 1024;

    private final Disk disk;
    private final TreeSet<Long> offsets = new TreeSet<>();
    private Path directory;

    ProducerSnapshots(Disk disk, Path directory) {
        this.disk = disk;
        this.directory = directory;
    }

    /** A file that is there. */
    void found(long offset) {
        offsets.add(offset);
    }

    void write(long offset, ProducerStates states) throws IOException {
        disk.rewrite(pathOf(offset), ProducerSnapshot.format(states.all()));
        offsets.add(offset);
    }

    /** The log was cut: snapshots above its end are of another history, and must not come back into the next one. */
    void deleteAbove(long logEndOffset) throws IOException {
        if (offsets.isEmpty() || offsets.last() <= logEndOffset) {
            return;
        }
        while (!offsets.isEmpty() && offsets.last() > logEndOffset) {
            delete(offsets.last());
        }
        disk.forceDirectory(directory);
    }

    void deleteAll() throws IOException {
        deleteAbove(-1);
    }

    /** Keeps those at the start of a segment and the newest. */
    void prune(NavigableMap<Long, LogSegment> segments) throws IOException {
        for (long offset : new TreeSet<>(offsets)) {
            if (offset != offsets.last() && !segments.containsKey(offset)) {
                delete(offset);
            }
        }
    }

    private void delete(long offset) throws IOException {
        disk.delete(pathOf(offset));
        offsets.remove(offset);
    }

    /** Makes the state of a log's producers anew. */
    void rebuild(ProducerStates states, NavigableMap<Long, LogSegment> segments) throws IOException {
        while (true) {
            states.clear();
            long from = startOfReplay(segments);
            Optional<List<ProducerState>> snapshot = offsets.contains(from) ? read(from) : Optional.of(List.of());
            if (snapshot.isPresent()) {
                states.restore(snapshot.get());
                replay(states, segments, from);
                return;
            }
        }
    }

    private long startOfReplay(NavigableMap<Long, LogSegment> segments) {
        long from = startOfReplayForRepeats(segments);
        for (LogSegment segment : segments.values()) {
            if (segment.awaitsTransactions()) {
                // What its abort markers ended may have begun before it.
                Long known = offsets.floor(segment.baseOffset());
                return Math.min(from, known == null ? segments.firstKey() : Math.max(known, segments.firstKey()));
            }
        }
        return from;
    }

    private long startOfReplayForRepeats(NavigableMap<Long, LogSegment> segments) {
        long first = segments.firstKey();
        long bytes = 0;
        long oldestInReach = -1;
        for (Map.Entry<Long, LogSegment> entry : segments.descendingMap().entrySet()) {
            bytes += entry.getValue().sizeInBytes();
            if (bytes > REPLAY_BYTES) {
                break;
            }
            if (entry.getKey() == first || offsets.contains(entry.getKey())) {
                oldestInReach = entry.getKey();
            }
        }
        if (oldestInReach >= 0) {
            return oldestInReach;
        }
        Long newest = offsets.isEmpty() ? null : offsets.last();
        return newest == null || newest < first ? first : newest;
    }

    /** Nothing where the file is damaged: it is gone then. */
    private Optional<List<ProducerState>> read(long offset) throws IOException {
        Path path = pathOf(offset);
        try {
            return Optional.of(ProducerSnapshot.parse(path, disk.readAll(path)));
        } catch (IOException e) {
            LOG.warn("Throwing away a producer snapshot: {}", e.getMessage());
            delete(offset);
            return Optional.empty();
        }
    }

    private void replay(ProducerStates states, NavigableMap<Long, LogSegment> segments, long from) throws IOException {
        long newest = offsets.isEmpty() ? from : offsets.last();
        boolean isAsked = newest <= from;
        Long floor = segments.floorKey(from);
        for (LogSegment segment :
                segments.tailMap(floor == null ? from : floor, true).values()) {
            boolean fillsIndex = segment.awaitsTransactions();
            if (fillsIndex) {
                segment.restartTransactions();
            }
            if (from >= segment.nextOffset() && !fillsIndex) {
                continue;
            }
            BatchScanner scanner = fillsIndex || from <= segment.baseOffset()
                    ? segment.scan(0, CHUNK_BYTES)
                    : segment.search().scanTowards(from);
            while (scanner.next()) {
                RecordBatch batch = scanner.header();
                if (!isAsked && batch.baseOffset() >= newest) {
                    supplement(states, newest);
                    isAsked = true;
                }
                if (batch.baseOffset() >= from && batch.hasProducerId()) {
                    CompletedTransaction completed = states.append(
                            batch, batch.isControl() ? markerAt(segment, scanner.position(), batch) : null);
                    if (fillsIndex && completed != null && completed.aborted()) {
                        segment.noteAborted(completed.toIndexEntry());
                    }
                }
            }
        }
        if (!isAsked) {
            supplement(states, newest);
        }
    }

    private void supplement(ProducerStates states, long offset) throws IOException {
        read(offset).ifPresent(states::supplement);
    }

    private static @Nullable EndTransactionMarker markerAt(LogSegment segment, int position, RecordBatch header)
            throws IOException {
        ByteBuf whole = new LogSlice(segment, position, header.sizeInBytes()).toByteBuf();
        return EndTransactionMarker.of(new RecordBatch(whole, 0));
    }

    private Path pathOf(long offset) {
        return LogFiles.of(directory, offset, LogFiles.PRODUCER_SNAPSHOT);
    }

    void moved(Path newDirectory) {
        directory = newDirectory;
    }
}

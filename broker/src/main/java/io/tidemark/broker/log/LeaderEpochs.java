package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Where each leader epoch of a log starts (KIP-101); epochs and start offsets rise strictly. Kept in
 * {@code leader-epoch-checkpoint}, a {@link CheckpointFile} of {@code epoch startOffset} lines.
 *
 * <p>Crash policy: written before an epoch's first record is appended, so that a killed process leaves the entry of
 * every batch. Not forced: a power loss may take the file back or leave one that cannot be read, but it takes or keeps
 * the batches too, and recovery puts the epoch of every batch that it reads back in. What is lost is at most an epoch
 * without records, of which nobody needs to know.
 */
final class LeaderEpochs {
    private static final NodeLog LOG = NodeLog.of(LeaderEpochs.class);
    private static final int FIELDS = 2;

    private final Disk disk;
    private final TreeMap<Integer, Long> startOffsets = new TreeMap<>();
    private Path path;

    /** Whether the file has what is noted. */
    private boolean isWritten = true;

    private LeaderEpochs(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    /** For a new log: there is no file yet, and none is made. */
    static LeaderEpochs empty(Disk disk, Path path) {
        return new LeaderEpochs(disk, path);
    }

    /** Reads the file. One that cannot be read, or does not rise, counts as empty; {@link #isEmpty} tells. */
    static LeaderEpochs load(Disk disk, Path path) throws IOException {
        LeaderEpochs epochs = new LeaderEpochs(disk, path);
        if (!disk.exists(path)) {
            return epochs;
        }
        byte[] content = disk.readAll(path);
        try {
            for (String[] fields : CheckpointFile.parse(path, content, FIELDS)) {
                int epoch = (int) CheckpointFile.number(path, 0, fields[0]);
                long start = CheckpointFile.number(path, 0, fields[1]);
                Map.Entry<Integer, Long> last = epochs.startOffsets.lastEntry();
                if (last != null && (epoch <= last.getKey() || start <= last.getValue())) {
                    throw new IOException("Checkpoint " + path + " has epoch " + epoch + " at " + start
                            + " after epoch " + last.getKey() + " at " + last.getValue() + "; expected both to rise");
                }
                epochs.startOffsets.put(epoch, start);
            }
        } catch (IOException e) {
            LOG.warn("Building leader epochs again from the log: {}", e.getMessage());
            epochs.startOffsets.clear();
        }
        return epochs;
    }

    boolean isEmpty() {
        return startOffsets.isEmpty();
    }

    OptionalInt latest() {
        return startOffsets.isEmpty() ? OptionalInt.empty() : OptionalInt.of(startOffsets.lastKey());
    }

    /** All entries, in order. */
    Map<Integer, Long> entries() {
        return new TreeMap<>(startOffsets);
    }

    OptionalInt epochFor(long offset) {
        OptionalInt found = OptionalInt.empty();
        for (Map.Entry<Integer, Long> entry : startOffsets.entrySet()) {
            if (entry.getValue() > offset) {
                break;
            }
            found = OptionalInt.of(entry.getKey());
        }
        return found;
    }

    /** Whether an offset is known to be of an epoch. */
    private boolean isOf(int epoch, long offset) {
        Long start = startOffsets.get(epoch);
        Map.Entry<Integer, Long> next = startOffsets.higherEntry(epoch);
        return start != null && start <= offset && (next == null || next.getValue() > offset);
    }

    /**
     * Notes what a batch of the log says. The file may be of another history, which a cut has ended and a power loss has
     * brought back: where they differ, the log is right. That the log started later once is no difference.
     */
    void noteFound(int epoch, long offset) {
        boolean isBeforeAll = !startOffsets.isEmpty() && offset < knownFrom() && epoch <= startOffsets.firstKey();
        if (epoch >= 0 && !isBeforeAll && !isOf(epoch, offset)) {
            note(epoch, offset);
        }
    }

    /** Notes the start of an epoch and, where that changed anything, writes the file; see {@link #note}. */
    boolean assign(int epoch, long startOffset) throws IOException {
        boolean changed = note(epoch, startOffset);
        if (changed) {
            write();
        }
        return changed;
    }

    /**
     * Notes the start of an epoch without writing the file. An entry that is at or above it in epoch or in start offset
     * contradicts it, or had no records, and goes.
     *
     * @return true where anything changed
     */
    boolean note(int epoch, long startOffset) {
        Map.Entry<Integer, Long> last = startOffsets.lastEntry();
        if (epoch < 0 || (last != null && last.getKey() == epoch && startOffset >= last.getValue())) {
            return false;
        }
        while (last != null && (last.getKey() >= epoch || last.getValue() >= startOffset)) {
            startOffsets.remove(last.getKey());
            last = startOffsets.lastEntry();
        }
        startOffsets.put(epoch, startOffset);
        isWritten = false;
        return true;
    }

    /** The least offset whose epoch is known, or the greatest long. */
    long knownFrom() {
        return startOffsets.isEmpty()
                ? Long.MAX_VALUE
                : startOffsets.firstEntry().getValue();
    }

    /** Notes the epoch of a batch that lies before everything that is known. */
    void noteEarlier(int epoch, long startOffset) {
        if (epoch >= 0 && (startOffsets.isEmpty() || epoch <= startOffsets.firstKey())) {
            startOffsets.put(epoch, startOffset);
            isWritten = false;
        }
    }

    EpochEndOffset endOffsetFor(int epoch, long logEndOffset) {
        if (epoch < 0 || startOffsets.isEmpty()) {
            return EpochEndOffset.UNDEFINED;
        }
        if (startOffsets.lastKey() == epoch) {
            return new EpochEndOffset(epoch, logEndOffset);
        }
        Map.Entry<Integer, Long> higher = startOffsets.higherEntry(epoch);
        if (higher == null) {
            // An epoch from the future: this log knows nothing of it (KAFKA-6857).
            return EpochEndOffset.UNDEFINED;
        }
        Map.Entry<Integer, Long> floor = startOffsets.floorEntry(epoch);
        return new EpochEndOffset(floor == null ? epoch : floor.getKey(), higher.getValue());
    }

    /** The log now ends here: epochs that start at or after it go. */
    void truncateTo(long logEndOffset) throws IOException {
        if (startOffsets.values().removeIf(start -> start >= logEndOffset)) {
            write();
        }
    }

    /** The log now starts here: of the epochs before, the last one stays, and starts here. */
    void startAt(long logStartOffset) throws IOException {
        List<Integer> before = new ArrayList<>();
        for (Map.Entry<Integer, Long> entry : startOffsets.entrySet()) {
            if (entry.getValue() < logStartOffset) {
                before.add(entry.getKey());
            }
        }
        if (before.isEmpty()) {
            return;
        }
        int kept = before.get(before.size() - 1);
        before.forEach(startOffsets::remove);
        if (!startOffsets.containsValue(logStartOffset)) {
            startOffsets.put(kept, logStartOffset);
        }
        write();
    }

    void clear() throws IOException {
        if (!startOffsets.isEmpty()) {
            startOffsets.clear();
            write();
        }
    }

    void write() throws IOException {
        List<String> lines = new ArrayList<>(startOffsets.size());
        for (Map.Entry<Integer, Long> entry : startOffsets.entrySet()) {
            lines.add(entry.getKey() + " " + entry.getValue());
        }
        disk.rewrite(path, CheckpointFile.format(lines));
        isWritten = true;
    }

    /** Recovery has ended: what it put back must be in the file before the next stop, which may be an orderly one. */
    void writeWhatWasNoted() throws IOException {
        if (!isWritten) {
            write();
        }
    }

    void moved(Path newPath) {
        path = newPath;
    }
}

package io.tidemark.broker.log.index;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The time index of a segment, {@code .timeindex}: how the greatest timestamp of the segment rose. Timestamps rise
 * strictly; an entry says that no batch up to its offset has a greater timestamp.
 *
 * <pre>
 * position  size  field of an entry
 *        0     8  timestamp, milliseconds since the epoch
 *        8     4  last offset of the batch that has it, from the segment's base offset
 * </pre>
 *
 * <p>Crash policy: see {@link IndexFile}; rebuilt from the log after a crash, never trusted.
 */
public final class TimeIndex extends SegmentIndex {
    static final int ENTRY_BYTES = 12;
    private static final int OFFSET = 8;

    public TimeIndex(Disk disk, Path path, long baseOffset, int maxBytes) {
        super(disk, path, ENTRY_BYTES, baseOffset, maxBytes);
    }

    /**
     * Takes over the file as an orderly close left it.
     *
     * @return false where it cannot be right, and must be rebuilt
     */
    public boolean load() throws IOException {
        if (!file.load()) {
            return false;
        }
        if (file.entries() == 0) {
            return true;
        }
        file.map();
        int last = file.entries() - 1;
        return file.longAt(last, 0) >= file.longAt(0, 0) && file.intAt(last, OFFSET) >= file.intAt(0, OFFSET);
    }

    /** One entry stays free, for the last timestamp when the segment is closed. */
    public boolean isFull() {
        return file.entries() >= file.maxEntries() - 1;
    }

    /** The last entry, or no timestamp at the segment's start. */
    public TimestampOffset last() throws IOException {
        return file.entries() == 0
                ? new TimestampOffset(RecordBatch.NO_TIMESTAMP, baseOffset)
                : entry(file.entries() - 1);
    }

    public TimestampOffset entry(int entry) throws IOException {
        file.map();
        return new TimestampOffset(file.longAt(entry, 0), baseOffset + file.intAt(entry, OFFSET));
    }

    /** Adds an entry, unless the timestamp is not above the last one. */
    public void appendIfLater(long timestamp, long offset) throws IOException {
        if (timestamp > last().timestamp()) {
            file.add().putLong(timestamp).putInt((int) (offset - baseOffset));
        }
    }

    /** The last entry at or below a timestamp, or no timestamp at the segment's start. */
    public TimestampOffset lookup(long timestamp) throws IOException {
        file.map();
        int low = 0;
        int high = file.entries();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (file.longAt(middle, 0) <= timestamp) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? new TimestampOffset(RecordBatch.NO_TIMESTAMP, baseOffset) : entry(low - 1);
    }

    /** Removes the entries at or above an offset. */
    public void truncateTo(long offset) throws IOException {
        file.map();
        int count = file.entries();
        while (count > 0 && file.intAt(count - 1, OFFSET) >= offset - baseOffset) {
            count--;
        }
        file.cutTo(count);
    }
}

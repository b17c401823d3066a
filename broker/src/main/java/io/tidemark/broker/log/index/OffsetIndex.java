package io.tidemark.broker.log.index;

import io.tidemark.broker.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The offset index of a segment, {@code .index}: for some of its batches, where they lie. Offsets rise strictly.
 *
 * <pre>
 * position  size  field of an entry
 *        0     4  last offset of the batch, from the segment's base offset
 *        4     4  position of the batch in the log file
 * </pre>
 *
 * <p>Crash policy: see {@link IndexFile}; rebuilt from the log after a crash, never trusted. A wrong entry would cost
 * time, not data: whoever looks up goes on by scanning the log.
 */
public final class OffsetIndex extends SegmentIndex {
    static final int ENTRY_BYTES = 8;
    private static final int POSITION = 4;

    public OffsetIndex(Disk disk, Path path, long baseOffset, int maxBytes) {
        super(disk, path, ENTRY_BYTES, baseOffset, maxBytes);
    }

    /**
     * Takes over the file as an orderly close left it.
     *
     * @param logBytes the length of the log file, which no position can pass
     * @return false where it cannot be right, and must be rebuilt
     */
    public boolean load(int logBytes) throws IOException {
        if (!file.load()) {
            return false;
        }
        if (file.entries() == 0) {
            return true;
        }
        file.map();
        int last = file.entries() - 1;
        return file.intAt(last, 0) >= last
                && file.intAt(last, POSITION) < logBytes
                && file.intAt(last, POSITION) >= last;
    }

    public boolean isFull() {
        return file.entries() >= file.maxEntries();
    }

    /** The last entry, or the segment's start. */
    public OffsetPosition last() throws IOException {
        return file.entries() == 0 ? new OffsetPosition(baseOffset, 0) : entry(file.entries() - 1);
    }

    public OffsetPosition entry(int entry) throws IOException {
        file.map();
        return new OffsetPosition(baseOffset + file.intAt(entry, 0), file.intAt(entry, POSITION));
    }

    /**
     * Adds an entry.
     *
     * @throws IllegalArgumentException if the offset is not above the last one
     */
    public void append(long offset, int position) throws IOException {
        if (file.entries() > 0 && offset <= last().offset()) {
            throw new IllegalArgumentException(
                    "Index " + path() + " is given offset " + offset + "; expected one above " + last().offset());
        }
        file.add().putInt((int) (offset - baseOffset)).putInt(position);
    }

    /** The last entry at or below an offset, or the segment's start: where to scan from. */
    public OffsetPosition lookup(long offset) throws IOException {
        return lookupGap(offset).from();
    }

    /** The same, and how far it is from there to the next entry. */
    public Gap lookupGap(long offset) throws IOException {
        file.map();
        int below = entriesBelow(offset + 1);
        OffsetPosition from = below == 0 ? new OffsetPosition(baseOffset, 0) : entry(below - 1);
        return new Gap(from, below == file.entries() ? 0 : file.intAt(below, POSITION) - from.position());
    }

    /**
     * What lies between two entries.
     *
     * @param from the lower entry, or the segment's start
     * @param sizeInBytes how far away the next one is; 0 where there is none
     */
    public record Gap(OffsetPosition from, int sizeInBytes) {}

    /** Removes the entries at or above an offset. */
    public void truncateTo(long offset) throws IOException {
        file.map();
        file.cutTo(entriesBelow(offset));
    }

    private int entriesBelow(long offset) {
        long relative = offset - baseOffset;
        int low = 0;
        int high = file.entries();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (file.intAt(middle, 0) < relative) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

package io.tidemark.broker.log;

import org.jspecify.annotations.Nullable;

/**
 * Where the batches lie that were appended last. Nearly every read is of the log's tail, and is answered from here
 * without touching the index or the file.
 */
final class RecentBatches {
    private static final int CAPACITY = 64;

    private final long[] baseOffsets = new long[CAPACITY];
    private final long[] lastOffsets = new long[CAPACITY];
    private final int[] positions = new int[CAPACITY];
    private int first;
    private int count;

    void add(long baseOffset, long lastOffset, int position) {
        int slot = (first + count) % CAPACITY;
        baseOffsets[slot] = baseOffset;
        lastOffsets[slot] = lastOffset;
        positions[slot] = position;
        if (count < CAPACITY) {
            count++;
        } else {
            first = (first + 1) % CAPACITY;
        }
    }

    void clear() {
        count = 0;
        first = 0;
    }

    /** True where the answer for an offset is here: it is not below all of these batches. */
    boolean covers(long offset) {
        return count > 0 && baseOffsets[first] <= offset;
    }

    /**
     * The first batch that reaches a covered offset; null where none does.
     *
     * @param logBytes where the last batch ends
     */
    LogSegment.@Nullable BatchLocation locate(long offset, int logBytes) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lastOffsets[(first + middle) % CAPACITY] < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == count) {
            return null;
        }
        int position = positionAt(low);
        int end = low + 1 < count ? positionAt(low + 1) : logBytes;
        return new LogSegment.BatchLocation(position, end - position);
    }

    private int positionAt(int place) {
        return positions[(first + place) % CAPACITY];
    }
}

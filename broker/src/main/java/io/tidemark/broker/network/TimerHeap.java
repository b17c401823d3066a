package io.tidemark.broker.network;

import io.tidemark.broker.time.Loop;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Timers in the order of their deadlines, those of one deadline in the order of their scheduling. */
final class TimerHeap {
    private static final int NOT_IN_HEAP = -1;

    private @Nullable Entry[] entries = new @Nullable Entry[64];
    private int size;
    private long nextSequence;

    Entry add(long deadlineMs, Runnable task) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size * 2);
        }
        Entry entry = new Entry(deadlineMs, nextSequence++, task);
        place(entry, size++);
        siftUp(entry);
        return entry;
    }

    @Nullable
    Entry peek() {
        return size == 0 ? null : entries[0];
    }

    /** Every entry scheduled from now on has this sequence or a higher one. */
    long nextSequence() {
        return nextSequence;
    }

    void remove(Entry entry) {
        int index = entry.index;
        if (index == NOT_IN_HEAP) {
            return;
        }
        entry.index = NOT_IN_HEAP;
        Entry last = at(--size);
        entries[size] = null;
        if (last != entry) {
            place(last, index);
            siftUp(last);
            siftDown(last);
        }
    }

    private void siftUp(Entry entry) {
        while (entry.index > 0) {
            Entry parent = at((entry.index - 1) / 2);
            if (!entry.isBefore(parent)) {
                return;
            }
            swap(entry, parent);
        }
    }

    private void siftDown(Entry entry) {
        while (true) {
            int child = 2 * entry.index + 1;
            if (child >= size) {
                return;
            }
            if (child + 1 < size && at(child + 1).isBefore(at(child))) {
                child++;
            }
            Entry least = at(child);
            if (!least.isBefore(entry)) {
                return;
            }
            swap(least, entry);
        }
    }

    private void swap(Entry one, Entry other) {
        int index = one.index;
        place(one, other.index);
        place(other, index);
    }

    private void place(Entry entry, int index) {
        entries[index] = entry;
        entry.index = index;
    }

    private Entry at(int index) {
        Entry entry = entries[index];
        if (entry == null) {
            throw new IllegalStateException("No timer at " + index + " of " + size);
        }
        return entry;
    }

    /** A scheduled task. */
    final class Entry implements Loop.Timer {
        final long deadlineMs;
        final long sequence;
        final Runnable task;
        private int index;

        Entry(long deadlineMs, long sequence, Runnable task) {
            this.deadlineMs = deadlineMs;
            this.sequence = sequence;
            this.task = task;
        }

        boolean isBefore(Entry other) {
            return deadlineMs != other.deadlineMs ? deadlineMs < other.deadlineMs : sequence < other.sequence;
        }

        @Override
        public void cancel() {
            remove(this);
        }
    }
}

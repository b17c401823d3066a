package io.tidemark.broker.raft;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A log that is only its epochs. */
final class EpochLog implements LogView {
    private final TreeMap<Integer, Long> starts = new TreeMap<>();
    private long start;
    private long end;
    private @Nullable SnapshotId snapshot;

    EpochLog with(int epoch, long count) {
        starts.putIfAbsent(epoch, end);
        end += count;
        return this;
    }

    /** All below is gone into a snapshot. */
    EpochLog startingAt(SnapshotId newStart) {
        snapshot = newStart;
        start = newStart.endOffset();
        end = Math.max(end, start);
        return this;
    }

    @Override
    public long startOffset() {
        return start;
    }

    @Override
    public long endOffset() {
        return end;
    }

    @Override
    public int lastEpoch() {
        return starts.isEmpty() ? 0 : starts.lastKey();
    }

    @Override
    public int epochFloor(int leaderEpoch) {
        Integer floor = starts.floorKey(leaderEpoch);
        return floor == null ? -1 : floor;
    }

    @Override
    public long endOffsetOf(int leaderEpoch) {
        Integer next = starts.higherKey(leaderEpoch);
        return next == null ? end : starts.get(next);
    }

    @Override
    public @Nullable SnapshotId earliestSnapshot() {
        return snapshot;
    }

    @Override
    public @Nullable SnapshotId latestSnapshot() {
        return snapshot;
    }
}

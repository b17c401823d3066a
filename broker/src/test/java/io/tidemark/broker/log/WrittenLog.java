package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tidemark.broker.record.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was ever written to a log, and what of it must be there after a crash. A cut that was not forced may not have
 * happened, so each cut leaves the history from before it as one that may come back.
 */
final class WrittenLog {
    private final List<List<Batch>> histories = new ArrayList<>();
    private List<Batch> current = new ArrayList<>();
    private long durableEnd;

    private long greatestStart;

    /** A batch as it should lie in the file. */
    record Batch(long baseOffset, long nextOffset, int leaderEpoch, String hex) {
        static Batch of(RecordBatch batch) {
            return new Batch(
                    batch.baseOffset(),
                    batch.nextOffset(),
                    batch.partitionLeaderEpoch(),
                    ByteBufUtil.hexDump(batch.bytes()));
        }
    }

    WrittenLog() {
        histories.add(current);
    }

    void appending(ByteBuf batch) {
        current.add(Batch.of(new RecordBatch(batch, batch.readerIndex())));
    }

    void cutting(long offset) {
        List<Batch> kept = new ArrayList<>(current);
        kept.removeIf(batch -> batch.nextOffset() > offset);
        long end = current.isEmpty() ? 0 : current.get(current.size() - 1).nextOffset();
        if (offset < end) {
            current = kept;
            histories.add(current);
            durableEnd = Math.min(
                    durableEnd, kept.isEmpty() ? 0 : kept.get(kept.size() - 1).nextOffset());
        }
    }

    void startingAnewAt(long offset) {
        current = new ArrayList<>();
        histories.add(current);
        durableEnd = 0;
        startingAt(offset);
    }

    /** The log's start is being moved. */
    void startingAt(long offset) {
        greatestStart = Math.max(greatestStart, offset);
    }

    void forced(long end) {
        histories.clear();
        histories.add(current);
        durableEnd = end;
    }

    /** What came up is what is there from now on, and nothing else may come back once it was forced. */
    void cameUpAs(List<Batch> found) {
        current = new ArrayList<>(found);
        histories.add(current);
    }

    long greatestStart() {
        return greatestStart;
    }

    /** Null where this may be what is left of the log, else why not. */
    @Nullable
    String complaintAbout(List<Batch> found, long start, long end) {
        if (start > greatestStart) {
            return "the log starts at " + start + "; expected at most " + greatestStart;
        }
        if (end < durableEnd) {
            return "the log ends at " + end + "; everything below " + durableEnd + " was forced";
        }
        long next = found.isEmpty() ? end : found.get(0).baseOffset();
        if (next > start && next != end) {
            return "the first batch is at " + next + "; the log starts at " + start;
        }
        for (Batch batch : found) {
            if (batch.baseOffset() != next) {
                return "there is a hole from " + next + " to " + batch.baseOffset();
            }
            next = batch.nextOffset();
        }
        if (next != end) {
            return "the last batch ends at " + next + ", the log at " + end;
        }
        if (found.isEmpty() || histories.stream().anyMatch(history -> isPartOf(found, history))) {
            return null;
        }
        return "these batches were never a log: " + found + "; expected the beginning of one of " + histories;
    }

    private static boolean isPartOf(List<Batch> found, List<Batch> history) {
        int at = history.indexOf(found.get(0));
        return at >= 0
                && at + found.size() <= history.size()
                && history.subList(at, at + found.size()).equals(found);
    }
}

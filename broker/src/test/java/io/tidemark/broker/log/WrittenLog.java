package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.record.RecordBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was ever written to a log, and what of it must be there after a crash. A cut that was not forced may not have
 * happened, so each cut leaves the history from before it as one that may come back.
 */
final class WrittenLog {
    private final List<History> histories = new ArrayList<>();
    private final boolean compacted;
    private final boolean keepsTombstones;
    private History current = new History(new ArrayList<>(), 0);
    private long completeEnd;
    private long durableEnd;

    /** What was in a log that came up without some of it. */
    private final Set<Batch> lost = new HashSet<>();

    /** A batch as it should lie in the file. */
    record Batch(long baseOffset, long nextOffset, int leaderEpoch, String hex) {
        static Batch of(RecordBatch batch) {
            return new Batch(
                    batch.baseOffset(),
                    batch.nextOffset(),
                    batch.partitionLeaderEpoch(),
                    ByteBufUtil.hexDump(batch.bytes()));
        }

        RecordBatch decoded() {
            return new RecordBatch(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)), 0);
        }
    }

    /** One way that the log may have been: its batches from its beginning, and the greatest start that it was given. */
    private static final class History {
        private final List<Batch> batches;
        private long greatestStart;

        History(List<Batch> batches, long greatestStart) {
            this.batches = batches;
            this.greatestStart = greatestStart;
        }

        long end() {
            return batches.isEmpty() ? 0 : batches.get(batches.size() - 1).nextOffset();
        }
    }

    /**
     * @param keepsTombstones whether delete.retention.ms is longer than the log lives
     */
    WrittenLog(boolean compacted, boolean keepsTombstones) {
        this.compacted = compacted;
        this.keepsTombstones = keepsTombstones;
        histories.add(current);
    }

    /** The batches of the log as it should be now, if nothing is lost. */
    List<Batch> batches() {
        return current.batches;
    }

    long endOfMarkersBelow(long offset) {
        return current.batches.stream()
                .filter(batch -> batch.baseOffset() < offset && batch.decoded().isControl())
                .mapToLong(Batch::nextOffset)
                .max()
                .orElse(0);
    }

    void appending(ByteBuf batch) {
        current.batches.add(Batch.of(new RecordBatch(batch, batch.readerIndex())));
    }

    /** What was begun was done, so that it outlives the process. */
    void completed() {
        completeEnd = current.end();
    }

    void cutting(long offset) {
        if (offset >= current.end()) {
            return;
        }
        List<Batch> kept = new ArrayList<>(current.batches);
        kept.removeIf(batch -> batch.nextOffset() > offset);
        lost.removeIf(batch -> batch.nextOffset() > offset);
        current = new History(kept, current.greatestStart);
        histories.add(current);
        completeEnd = Math.min(completeEnd, current.end());
        durableEnd = Math.min(durableEnd, current.end());
    }

    /** Everything is being thrown away, in no order that is promised. */
    void startingAnewAt(long offset) {
        current.greatestStart = Math.max(current.greatestStart, current.end());
        lost.clear();
        current = new History(new ArrayList<>(), offset);
        histories.add(current);
        completeEnd = 0;
        durableEnd = 0;
    }

    /** The log's start is being moved. */
    void startingAt(long offset) {
        current.greatestStart = Math.max(current.greatestStart, offset);
    }

    void forced(long end) {
        histories.clear();
        histories.add(current);
        durableEnd = end;
    }

    /** Everything below an offset was forced, but for names that had changed. */
    void contentForced(long end) {
        durableEnd = Math.max(durableEnd, Math.min(end, current.end()));
    }

    /** The process ended, and the system lived on. */
    void killed() {
        durableEnd = Math.max(durableEnd, completeEnd);
    }

    /** What came up is what is there from now on, and nothing else may come back once it was forced. */
    void cameUpAs(List<Batch> found, long start, long logEndOffset, List<Long> segmentStarts) {
        History history = historyOf(found, start, logEndOffset, segmentStarts);
        history.batches.stream()
                .filter(batch -> batch.nextOffset() <= logEndOffset)
                .forEach(lost::add);
        List<Batch> kept = new ArrayList<>(history.batches);
        kept.removeIf(batch -> batch.nextOffset() > logEndOffset
                || (compacted && (batch.nextOffset() > start || isFrom(batch, found))));
        if (beganAnew(found, start)) {
            kept.clear();
        }
        if (compacted) {
            kept.addAll(found);
        }
        current = new History(kept, history.greatestStart);
        histories.add(current);
        completed();
    }

    /** A log that ends below its start begins anew there, without a past. */
    boolean beganAnew(List<Batch> found, long start) {
        return found.isEmpty() && completeEnd < start;
    }

    private static boolean isFrom(Batch batch, List<Batch> found) {
        return !found.isEmpty() && batch.baseOffset() >= found.get(0).baseOffset();
    }

    long greatestStart() {
        return current.greatestStart;
    }

    /**
     * The history of which the batches found may be what is left, down to the log's end.
     *
     * @param segmentStarts where segments started before the crash
     * @throws AssertionError if there is none; the message says why not
     */
    List<Batch> truthOf(List<Batch> found, long start, long end, List<Long> segmentStarts) {
        if (end < durableEnd) {
            throw new AssertionError("the log ends at " + end + "; everything below " + durableEnd + " was forced");
        }
        History history = historyOf(found, start, end, segmentStarts);
        long first = found.isEmpty() ? end : found.get(0).baseOffset();
        if (!compacted && first > start && first != end) {
            throw new AssertionError("the first batch is at " + first + "; the log starts at " + start);
        }
        long last = found.isEmpty() ? end : found.get(found.size() - 1).nextOffset();
        if (last != end) {
            throw new AssertionError("the last batch ends at " + last + ", the log at " + end);
        }
        CompactedHistory rest = new CompactedHistory(
                history.batches, history.greatestStart, durableEnd, segmentStarts, keepsTombstones);
        return history.batches.stream()
                .filter(batch -> batch.nextOffset() <= end && !(compacted && rest.mayBeLost(batch, found)))
                .toList();
    }

    /** Whether the last batch that is known of a producer was ever written; it may be lost since. */
    boolean had(ProducerState state) {
        return Stream.concat(lost.stream(), histories.stream().flatMap(history -> history.batches.stream()))
                .map(Batch::decoded)
                .anyMatch(batch -> batch.producerId() == state.producerId()
                        && batch.producerEpoch() == state.epoch()
                        && batch.lastOffset() == state.lastOffset()
                        && batch.lastSequence() == state.lastSequence());
    }

    private History historyOf(List<Batch> found, long start, long end, List<Long> segmentStarts) {
        List<String> complaints = new ArrayList<>();
        for (int i = histories.size() - 1; i >= 0; i--) {
            History history = histories.get(i);
            String complaint = complaintAbout(found, start, end, segmentStarts, history);
            if (complaint == null) {
                return history;
            }
            complaints.add(complaint);
        }
        throw new AssertionError("these batches were never a log: " + describe(found) + "; " + complaints);
    }

    private static List<String> describe(List<Batch> batches) {
        return batches.stream()
                .map(batch -> batch.baseOffset() + "-" + (batch.nextOffset() - 1) + "@" + batch.leaderEpoch())
                .toList();
    }

    private @Nullable String complaintAbout(
            List<Batch> found, long start, long end, List<Long> segmentStarts, History history) {
        if (start > history.greatestStart) {
            return "the log starts at " + start + "; expected at most " + history.greatestStart;
        }
        return compacted
                ? new CompactedHistory(
                                history.batches, history.greatestStart, durableEnd, segmentStarts, keepsTombstones)
                        .complaintAbout(found, end)
                : complaintAbout(found, history);
    }

    private @Nullable String complaintAbout(List<Batch> found, History history) {
        List<Batch> forced = history.batches.stream()
                .filter(batch -> batch.nextOffset() <= durableEnd && batch.baseOffset() >= history.greatestStart)
                .toList();
        if (found.isEmpty()) {
            return forced.isEmpty() ? null : "nothing is left; these were forced: " + describe(forced);
        }
        int at = history.batches.indexOf(found.get(0));
        if (at < 0
                || at + found.size() > history.batches.size()
                || !history.batches.subList(at, at + found.size()).equals(found)) {
            return "not a part of " + describe(history.batches);
        }
        return found.containsAll(forced) ? null : "these were forced: " + describe(forced);
    }
}

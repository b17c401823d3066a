package io.tidemark.chaos.history;

import io.tidemark.chaos.history.History.LogEnd;
import io.tidemark.chaos.history.History.Poll;
import io.tidemark.chaos.history.History.Position;
import io.tidemark.chaos.history.History.Seen;
import io.tidemark.chaos.history.History.Send;
import io.tidemark.chaos.history.History.Told;
import io.tidemark.chaos.history.History.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A history seen by its partitions and values: what must be in each log, what was seen there, and who passed over it. */
final class KnownLogs {
    /** Whether a send counts, with its transaction taken into account. */
    enum Standing {
        WRITTEN,
        NOT_WRITTEN,
        UNKNOWN
    }

    /** Something at an offset: a value with its key. */
    record Entry(String value, @Nullable String key) {}

    /** A stretch of a log that one consumer went through, from the first offset on and up to the last, exclusive. */
    record Span(String lane, long startOffset, long endOffset) {
        boolean covers(long offset) {
            return startOffset <= offset && offset < endOffset;
        }
    }

    /** A place where a value was seen. */
    record Place(String partition, long offset) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byPartition = partition.compareTo(other.partition);
            return byPartition != 0 ? byPartition : Long.compare(offset, other.offset);
        }

        @Override
        public String toString() {
            return partition + " offset " + offset;
        }
    }

    private final History history;
    private final Map<Long, Transaction> transactions = new HashMap<>();
    private final Map<String, List<Send>> sendsByValue = new LinkedHashMap<>();
    private final Map<String, NavigableMap<Long, List<Entry>>> logs = new TreeMap<>();
    private final Map<String, Set<Place>> seenByAll = new HashMap<>();
    private final Map<String, Set<Place>> seenCommitted = new HashMap<>();
    private final Map<String, List<Span>> spans = new HashMap<>();
    private final Map<String, NavigableMap<Long, Long>> transactionsByEnd = new HashMap<>();

    KnownLogs(History history) {
        this.history = history;
        history.transactions().forEach(transaction -> transactions.put(transaction.number(), transaction));
        findTransactionsOfProcesses();
        for (Send send : history.sends()) {
            sendsByValue
                    .computeIfAbsent(send.value(), none -> new ArrayList<>())
                    .add(send);
            if (send.told() == Told.OK && standing(send) == Standing.WRITTEN) {
                add(partitionOf(send), send.offset(), new Entry(send.value(), send.key()));
            }
        }
        for (Poll poll : history.polls()) {
            for (Seen seen : poll.seen()) {
                add(seen.partition(), seen.offset(), new Entry(seen.value(), seen.key()));
                Place place = new Place(seen.partition(), seen.offset());
                seenByAll.computeIfAbsent(seen.value(), none -> new TreeSet<>()).add(place);
                if (poll.committedOnly()) {
                    seenCommitted
                            .computeIfAbsent(seen.value(), none -> new TreeSet<>())
                            .add(place);
                }
            }
        }
        findSpans();
    }

    private void findTransactionsOfProcesses() {
        Map<Long, Long> lastSends = new HashMap<>();
        history.sends().forEach(send -> lastSends.merge(send.transaction(), send.step(), Math::max));
        for (Transaction transaction : history.transactions()) {
            // One that nobody ended has lasted until its last send: the process may have died, and polls in another
            // life.
            long end = transaction.endStep() != History.UNKNOWN
                    ? transaction.endStep()
                    : Math.max(transaction.beginStep(), lastSends.getOrDefault(transaction.number(), History.UNKNOWN));
            transactionsByEnd
                    .computeIfAbsent(transaction.process(), none -> new TreeMap<>())
                    .put(end, transaction.number());
        }
    }

    private void add(String partition, long offset, Entry entry) {
        List<Entry> entries = logs.computeIfAbsent(partition, none -> new TreeMap<>())
                .computeIfAbsent(offset, none -> new ArrayList<>());
        if (entries.stream().noneMatch(known -> known.value().equals(entry.value()))) {
            entries.add(entry);
        }
    }

    private void findSpans() {
        record Reading(String lane, String partition) {}
        record Move(long step, Reading reading, long from, long to) {}
        List<Move> moves = new ArrayList<>();
        for (Position position : history.positions()) {
            moves.add(new Move(
                    position.step(),
                    new Reading(position.lane(), position.partition()),
                    position.offset(),
                    History.UNKNOWN));
        }
        for (Poll poll : history.polls()) {
            for (Seen seen : poll.seen()) {
                moves.add(new Move(
                        poll.step(), new Reading(poll.lane(), seen.partition()), seen.offset(), seen.offset() + 1));
            }
        }
        moves.sort((a, b) -> Long.compare(a.step(), b.step()));
        Map<Reading, Long> starts = new HashMap<>();
        for (Move move : moves) {
            if (move.to() == History.UNKNOWN) {
                if (move.from() == History.UNKNOWN) {
                    starts.remove(move.reading());
                } else {
                    starts.put(move.reading(), move.from());
                }
            } else {
                long start = Math.min(starts.getOrDefault(move.reading(), move.from()), move.from());
                starts.put(move.reading(), start);
                addSpan(move.reading().partition(), new Span(move.reading().lane(), start, move.to()));
            }
        }
        for (LogEnd end : history.logEnds()) {
            addSpan(end.partition(), new Span(end.process(), end.startOffset(), end.endOffset()));
        }
    }

    private void addSpan(String partition, Span span) {
        List<Span> known = spans.computeIfAbsent(partition, none -> new ArrayList<>());
        int last = known.size() - 1;
        // It grows with each record of a reading: keep the longest only.
        if (last >= 0
                && known.get(last).lane().equals(span.lane())
                && known.get(last).startOffset() == span.startOffset()
                && known.get(last).endOffset() <= span.endOffset()) {
            known.set(last, span);
        } else {
            known.add(span);
        }
    }

    History history() {
        return history;
    }

    Map<String, List<Send>> sendsByValue() {
        return sendsByValue;
    }

    List<Send> sendsOf(String value) {
        return sendsByValue.getOrDefault(value, List.of());
    }

    /** What is known of each log, by partition and offset: written for sure, or seen. */
    Map<String, NavigableMap<Long, List<Entry>>> logs() {
        return logs;
    }

    @Nullable
    Transaction transactionOf(Send send) {
        return transactions.get(send.transaction());
    }

    /** The transaction of the same process that a poll is for, which is the one that ends next; or none. */
    long transactionAt(Poll poll) {
        NavigableMap<Long, Long> byEnd = transactionsByEnd.get(poll.process());
        Map.Entry<Long, Long> next = byEnd == null ? null : byEnd.higherEntry(poll.step());
        return next == null ? History.NO_TRANSACTION : next.getValue();
    }

    Set<Place> seenAnywhere(String value) {
        return seenByAll.getOrDefault(value, Set.of());
    }

    Set<Place> seenCommitted(String value) {
        return seenCommitted.getOrDefault(value, Set.of());
    }

    /** Somebody who went through this offset, or null. */
    @Nullable
    Span passedOver(String partition, long offset) {
        return spans.getOrDefault(partition, List.of()).stream()
                .filter(span -> span.covers(offset))
                .findFirst()
                .orElse(null);
    }

    /** Somebody who read the partition to its end, with the furthest end; or null. */
    @Nullable
    LogEnd endOf(String partition) {
        return history.logEnds().stream()
                .filter(end -> end.partition().equals(partition))
                .max((a, b) -> Long.compare(a.endOffset(), b.endOffset()))
                .orElse(null);
    }

    /** True where a newer record of the same key is known, as compaction needs it. */
    boolean hasNewer(String partition, long offset, @Nullable String key) {
        NavigableMap<Long, List<Entry>> log = logs.get(partition);
        return key != null
                && log != null
                && log.tailMap(offset, false).values().stream()
                        .flatMap(List::stream)
                        .anyMatch(entry -> key.equals(entry.key()));
    }

    Standing standing(Send send) {
        if (send.told() == Told.FAILED) {
            return Standing.NOT_WRITTEN;
        }
        Transaction transaction = transactionOf(send);
        if (transaction == null) {
            return send.told() == Told.OK ? Standing.WRITTEN : Standing.UNKNOWN;
        }
        return switch (transaction.end()) {
            case COMMITTED -> send.told() == Told.OK ? Standing.WRITTEN : Standing.UNKNOWN;
            case ABORTED, OPEN -> Standing.NOT_WRITTEN;
            case INDETERMINATE -> Standing.UNKNOWN;
        };
    }

    static String partitionOf(Send send) {
        String partition = send.partition();
        return partition == null ? "an unknown partition" : partition;
    }
}

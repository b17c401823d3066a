package io.tidemark.chaos.history;

import io.tidemark.chaos.history.Anomaly.Kind;
import io.tidemark.chaos.history.History.Poll;
import io.tidemark.chaos.history.History.Seen;
import io.tidemark.chaos.history.History.Send;
import io.tidemark.chaos.history.KnownLogs.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether transactions depend on each other in a circle: one wrote just before the other in a partition (ww), or the other
 * saw what the one wrote (wr).
 *
 * <p>Kafka lets transactions write into a partition at the same time, so that circles with ww in them are allowed; one of wr
 * alone means that each of them saw the other one's records before those were committed.
 */
final class CycleCheck {
    private static final String NO_WRITE_ISOLATION =
            "Kafka does not isolate the writes of transactions from each other: they mix in a partition by design";

    /** One step of a circle. */
    private record Edge(long from, long to, boolean isWrite, String because) {}

    private final KnownLogs logs;
    private final List<Anomaly> anomalies;

    CycleCheck(KnownLogs logs, List<Anomaly> anomalies) {
        this.logs = logs;
        this.anomalies = anomalies;
    }

    void check() {
        if (logs.history().transactions().size() < 2) {
            return;
        }
        List<Edge> writes = writesBefore();
        List<Edge> reads = readsFrom();
        Set<Long> blamed = new HashSet<>();
        report(Kind.CIRCULAR_FLOW, reads, blamed, null);
        report(Kind.WRITE_CYCLE, writes, blamed, NO_WRITE_ISOLATION);
        List<Edge> both = new ArrayList<>(writes);
        both.addAll(reads);
        report(Kind.CIRCULAR_FLOW, both, blamed, NO_WRITE_ISOLATION);
    }

    private List<Edge> writesBefore() {
        List<Edge> edges = new ArrayList<>();
        for (Map.Entry<String, NavigableMap<Long, List<Entry>>> log :
                logs.logs().entrySet()) {
            long before = History.NO_TRANSACTION;
            String valueBefore = "";
            for (Map.Entry<Long, List<Entry>> at : log.getValue().entrySet()) {
                String value = at.getValue().get(0).value();
                long transaction = writerOf(value);
                if (transaction != History.NO_TRANSACTION) {
                    if (before != History.NO_TRANSACTION && before != transaction) {
                        edges.add(new Edge(
                                before,
                                transaction,
                                true,
                                "[" + valueBefore + "] before [" + value + "] in " + log.getKey()));
                    }
                    before = transaction;
                    valueBefore = value;
                }
            }
        }
        return edges;
    }

    private List<Edge> readsFrom() {
        List<Edge> edges = new ArrayList<>();
        for (Poll poll : logs.history().polls()) {
            long reader = poll.committedOnly() ? logs.transactionAt(poll) : History.NO_TRANSACTION;
            if (reader == History.NO_TRANSACTION) {
                continue;
            }
            for (Seen seen : poll.seen()) {
                long writer = writerOf(seen.value());
                if (writer != History.NO_TRANSACTION && writer != reader) {
                    edges.add(new Edge(writer, reader, false, "[" + seen.value() + "] seen in " + seen.partition()));
                }
            }
        }
        return edges;
    }

    /** Which transaction wrote a value, where only one tried. */
    private long writerOf(String value) {
        List<Send> sends = logs.sendsOf(value);
        return sends.size() == 1 ? sends.get(0).transaction() : History.NO_TRANSACTION;
    }

    private void report(Kind kind, List<Edge> edges, Set<Long> blamed, @Nullable String allowedBy) {
        Map<Long, List<Edge>> graph = new TreeMap<>();
        edges.forEach(edge ->
                graph.computeIfAbsent(edge.from(), none -> new ArrayList<>()).add(edge));
        for (long start : graph.keySet()) {
            List<Edge> circle = blamed.contains(start) ? List.of() : shortestCircle(graph, start);
            if (!circle.isEmpty()) {
                Set<Long> members = new TreeSet<>();
                circle.forEach(edge -> members.add(edge.from()));
                blamed.addAll(members);
                anomalies.add(new Anomaly(kind, "transactions " + members, told(circle), allowedBy));
            }
        }
    }

    /** Breadth first from a transaction back to itself. */
    private static List<Edge> shortestCircle(Map<Long, List<Edge>> graph, long start) {
        Map<Long, Edge> cameBy = new HashMap<>();
        Deque<Long> next = new ArrayDeque<>(List.of(start));
        while (!next.isEmpty()) {
            long at = next.removeFirst();
            for (Edge edge : graph.getOrDefault(at, List.of())) {
                if (edge.to() == start) {
                    return circle(cameBy, start, edge);
                }
                if (!cameBy.containsKey(edge.to())) {
                    cameBy.put(edge.to(), edge);
                    next.addLast(edge.to());
                }
            }
        }
        return List.of();
    }

    private static List<Edge> circle(Map<Long, Edge> cameBy, long start, Edge closing) {
        Deque<Edge> circle = new ArrayDeque<>(List.of(closing));
        long at = closing.from();
        while (at != start) {
            Edge edge = cameBy.get(at);
            if (edge == null) {
                throw new IllegalStateException("No way from " + start + " to " + at + " though it was found");
            }
            circle.addFirst(edge);
            at = edge.from();
        }
        return List.copyOf(circle);
    }

    private static String told(List<Edge> circle) {
        StringBuilder text = new StringBuilder();
        circle.forEach(edge -> text.append(edge.from())
                .append(edge.isWrite() ? " -ww-> " : " -wr-> ")
                .append(edge.to())
                .append(" by ")
                .append(edge.because())
                .append("; "));
        return text.substring(0, text.length() - 2);
    }
}

package io.tidemark.chaos.history;

import io.tidemark.chaos.history.Anomaly.Kind;
import io.tidemark.chaos.history.History.LogEnd;
import io.tidemark.chaos.history.History.Send;
import io.tidemark.chaos.history.History.Transaction;
import io.tidemark.chaos.history.History.TransactionEnd;
import io.tidemark.chaos.history.KnownLogs.Entry;
import io.tidemark.chaos.history.KnownLogs.Place;
import io.tidemark.chaos.history.KnownLogs.Span;
import io.tidemark.chaos.history.KnownLogs.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What became of the writes: lost, unseen, doubled, torn, or several at one offset. */
final class WriteChecks {
    static final String VERSION_1 =
            "transactions version 1 lets the late end of one transaction, or a late write, strike"
                    + " the producer's next one (KAFKA-17754, KIP-890)";

    private final KnownLogs logs;
    private final Allowances allowances;
    private final List<Anomaly> anomalies;

    WriteChecks(KnownLogs logs, Allowances allowances, List<Anomaly> anomalies) {
        this.logs = logs;
        this.allowances = allowances;
        this.anomalies = anomalies;
    }

    void check() {
        logs.history().sends().forEach(this::checkIsThere);
        logs.sendsByValue().keySet().forEach(this::checkIsOnce);
        logs.logs()
                .forEach((partition, log) -> log.forEach((offset, entries) -> checkIsOne(partition, offset, entries)));
        checkTransactionsAreWhole();
    }

    private void checkIsThere(Send send) {
        if (logs.standing(send) != Standing.WRITTEN
                || !logs.seenAnywhere(send.value()).isEmpty()
                || isCompactedAway(send)) {
            return;
        }
        String partition = KnownLogs.partitionOf(send);
        String written = "[" + send.value() + "] of " + send.process() + " was acknowledged at offset " + send.offset()
                + " (step " + send.toldStep() + ")";
        Span span = logs.passedOver(partition, send.offset());
        LogEnd end = logs.endOf(partition);
        if (span != null) {
            add(
                    Kind.LOST_WRITE,
                    partition,
                    written + ", and " + span.lane() + " went from " + span.startOffset() + " to " + span.endOffset()
                            + " without it",
                    versionOne(send));
        } else if (end != null && end.endOffset() <= send.offset()) {
            add(
                    Kind.UNSEEN,
                    partition,
                    written + ", and the log ended at " + end.endOffset() + " when " + end.process() + " read it all",
                    versionOne(send));
        }
    }

    private boolean isCompactedAway(Send send) {
        String partition = KnownLogs.partitionOf(send);
        return allowances.compacted().contains(partition) && logs.hasNewer(partition, send.offset(), send.key());
    }

    private void checkIsOnce(String value) {
        boolean isTransactional =
                logs.sendsOf(value).stream().anyMatch(send -> send.transaction() != History.NO_TRANSACTION);
        // What a transaction aborted is seen by who reads uncommitted, and sent again.
        Set<Place> places = isTransactional ? logs.seenCommitted(value) : logs.seenAnywhere(value);
        if (places.size() > 1) {
            add(
                    Kind.DUPLICATE,
                    places.iterator().next().partition(),
                    "[" + value + "] is at " + places + ", and was sent "
                            + logs.sendsOf(value).size() + " times",
                    null);
        }
    }

    private void checkIsOne(String partition, long offset, List<Entry> entries) {
        if (entries.size() > 1) {
            add(
                    Kind.INCONSISTENT_OFFSETS,
                    partition,
                    "offset " + offset + " has been told or seen to hold "
                            + entries.stream()
                                    .map(entry -> "[" + entry.value() + "]")
                                    .toList(),
                    null);
        }
    }

    private void checkTransactionsAreWhole() {
        Map<Long, List<Send>> byTransaction = new TreeMap<>();
        for (Send send : logs.history().sends()) {
            Transaction transaction = logs.transactionOf(send);
            if (transaction != null && transaction.end() == TransactionEnd.INDETERMINATE) {
                byTransaction
                        .computeIfAbsent(transaction.number(), none -> new ArrayList<>())
                        .add(send);
            }
        }
        byTransaction.values().forEach(this::checkIsWhole);
    }

    private void checkIsWhole(List<Send> sends) {
        List<Send> seen = sends.stream()
                .filter(send -> !logs.seenCommitted(send.value()).isEmpty())
                .toList();
        List<Send> missing = sends.stream().filter(this::isKnownToBeMissing).toList();
        if (!seen.isEmpty() && !missing.isEmpty()) {
            add(
                    Kind.TORN_TRANSACTION,
                    "transaction " + sends.get(0).transaction() + " of "
                            + sends.get(0).process(),
                    "of what stands and falls together " + values(seen) + " is there and " + values(missing)
                            + " is not",
                    versionOne(sends.get(0)));
        }
    }

    private boolean isKnownToBeMissing(Send send) {
        String partition = send.partition();
        return partition != null
                && send.offset() != History.UNKNOWN
                && logs.seenAnywhere(send.value()).isEmpty()
                && !isCompactedAway(send)
                && logs.passedOver(partition, send.offset()) != null;
    }

    private static List<String> values(List<Send> sends) {
        return sends.stream().map(Send::value).toList();
    }

    private @Nullable String versionOne(Send send) {
        return allowances.transactionsVersion() < 2 && send.transaction() != History.NO_TRANSACTION ? VERSION_1 : null;
    }

    private void add(Kind kind, String where, String evidence, @Nullable String allowedBy) {
        anomalies.add(new Anomaly(kind, where, evidence, allowedBy));
    }
}

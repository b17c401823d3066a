package io.tidemark.chaos.history;

import io.tidemark.chaos.history.History.Send;
import io.tidemark.chaos.history.History.Told;
import io.tidemark.chaos.history.KnownLogs.Standing;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges a history: a pure function, from what processes sent, polled and were told, to what is wrong with it. The terms are
 * those of Jepsen's workload for Kafka; {@link Anomaly.Kind} has them all.
 *
 * <p>It errs on the side of the accused. A write is lost only where a reader passed over its offset, or read the log to its
 * end; gaps between offsets that nobody accounts for are taken for markers; after a rebalance or a seek a consumer may go on
 * anywhere; two threads' sends through one producer have no order unless one was answered before the other was called.
 *
 * <pre>{@code
 * HistoryVerdict verdict = new HistoryChecker().check(recorder.history());
 * verdict.assertHolds();
 * }</pre>
 */
public final class HistoryChecker {
    private final Allowances allowances;

    /** With nothing to allow, on transactions version 2. */
    public HistoryChecker() {
        this(Allowances.none());
    }

    public HistoryChecker(Allowances allowances) {
        this.allowances = allowances;
    }

    /** What is wrong with a history. The same history gets the same verdict. */
    public HistoryVerdict check(History history) {
        KnownLogs logs = new KnownLogs(history);
        List<Anomaly> anomalies = new ArrayList<>();
        new WriteChecks(logs, allowances, anomalies).check();
        new ReadChecks(logs, allowances, anomalies).check();
        new OrderChecks(logs, allowances, anomalies).check();
        new CycleCheck(logs, anomalies).check();
        return new HistoryVerdict(anomalies, unknown(logs), counts(history));
    }

    private static List<String> unknown(KnownLogs logs) {
        List<String> unknown = new ArrayList<>();
        for (Send send : logs.history().sends()) {
            boolean isSeen = !logs.seenAnywhere(send.value()).isEmpty();
            if (logs.standing(send) == Standing.UNKNOWN) {
                unknown.add("nobody told of [" + send.value() + "]: "
                        + (isSeen ? "it is there" : "it is not there, and may still come")
                        + (send.why().isEmpty() ? "" : " (" + send.why() + ")"));
            } else if (logs.standing(send) == Standing.WRITTEN && !isSeen && isPending(logs, send)) {
                unknown.add("[" + send.value() + "] was acknowledged at " + send.partition() + " offset "
                        + send.offset() + ", and no reader came so far; read to the end to know");
            }
        }
        return unknown;
    }

    private static boolean isPending(KnownLogs logs, Send send) {
        String partition = KnownLogs.partitionOf(send);
        return logs.passedOver(partition, send.offset()) == null && logs.endOf(partition) == null;
    }

    private static String counts(History history) {
        long told =
                history.sends().stream().filter(send -> send.told() == Told.OK).count();
        long seen =
                history.polls().stream().mapToLong(poll -> poll.seen().size()).sum();
        return history.sends().size() + " sends, " + told + " acknowledged, "
                + history.transactions().size() + " transactions, " + seen + " records polled";
    }
}

package io.tidemark.chaos.history;

import io.tidemark.chaos.history.Anomaly.Kind;
import io.tidemark.chaos.history.History.Poll;
import io.tidemark.chaos.history.History.Seen;
import io.tidemark.chaos.history.History.Send;
import io.tidemark.chaos.history.History.Transaction;
import io.tidemark.chaos.history.History.TransactionEnd;
import io.tidemark.chaos.history.KnownLogs.Standing;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was seen and should not have been: aborted, not yet committed, or never written. */
final class ReadChecks {
    private final KnownLogs logs;
    private final Allowances allowances;
    private final List<Anomaly> anomalies;
    private final Set<String> told = new HashSet<>();

    ReadChecks(KnownLogs logs, Allowances allowances, List<Anomaly> anomalies) {
        this.logs = logs;
        this.allowances = allowances;
        this.anomalies = anomalies;
    }

    void check() {
        Set<String> topics = new HashSet<>();
        for (Send send : logs.history().sends()) {
            String partition = send.partition();
            if (partition != null) {
                topics.add(topicOf(partition));
            }
        }
        for (Poll poll : logs.history().polls()) {
            for (Seen seen : poll.seen()) {
                List<Send> sends = logs.sendsOf(seen.value());
                if (!sends.isEmpty()) {
                    checkIsCommitted(poll, seen, sends);
                } else if (topics.contains(topicOf(seen.partition())) && !allowances.otherWriters()) {
                    add(Kind.UNWRITTEN_READ, poll, seen, "and nobody sent it", null);
                }
            }
        }
    }

    private void checkIsCommitted(Poll poll, Seen seen, List<Send> sends) {
        if (sends.stream().anyMatch(send -> isCommittedBy(send, poll))) {
            return;
        }
        // Of several, the one that may explain it best.
        Send send = sends.stream().max(Comparator.comparingLong(Send::step)).orElseThrow();
        Transaction transaction = logs.transactionOf(send);
        if (transaction == null) {
            add(
                    Kind.ABORTED_READ,
                    poll,
                    seen,
                    "and its send failed (step " + send.toldStep() + "): " + send.why(),
                    allowedBy(poll, send));
        } else if (transaction.end() == TransactionEnd.ABORTED) {
            add(
                    Kind.ABORTED_READ,
                    poll,
                    seen,
                    "and transaction " + transaction.number() + " of " + transaction.process() + " was aborted (step "
                            + transaction.endStep() + ")",
                    allowedBy(poll, send));
        } else {
            add(
                    Kind.PRECOMMITTED_READ,
                    poll,
                    seen,
                    "and transaction " + transaction.number() + " of " + transaction.process()
                            + (transaction.process().equals(poll.process()) ? ", its own," : "")
                            + (transaction.commitStep() == History.UNKNOWN
                                    ? " was never asked to be committed"
                                    : " was asked to be committed later (step " + transaction.commitStep() + ")"),
                    allowedBy(poll, send));
        }
    }

    /** True where this send may have been there for readers of committed records. */
    private boolean isCommittedBy(Send send, Poll poll) {
        Transaction transaction = logs.transactionOf(send);
        return logs.standing(send) != Standing.NOT_WRITTEN
                && (transaction == null || transaction.commitStep() <= poll.step());
    }

    private @Nullable String allowedBy(Poll poll, Send send) {
        if (send.transaction() == History.NO_TRANSACTION) {
            return null;
        }
        if (!poll.committedOnly()) {
            return "its reader asked for isolation.level=read_uncommitted";
        }
        return allowances.transactionsVersion() < 2 ? WriteChecks.VERSION_1 : null;
    }

    private void add(Kind kind, Poll poll, Seen seen, String why, @Nullable String allowedBy) {
        if (told.add(kind + seen.partition() + '@' + seen.offset() + (allowedBy == null))) {
            anomalies.add(new Anomaly(
                    kind,
                    seen.partition(),
                    poll.lane() + " saw [" + seen.value() + "] at offset " + seen.offset() + " (step " + poll.step()
                            + "), " + why,
                    allowedBy));
        }
    }

    private static String topicOf(String partition) {
        return partition.substring(0, partition.lastIndexOf('-'));
    }
}

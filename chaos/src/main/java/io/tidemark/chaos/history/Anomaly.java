package io.tidemark.chaos.history;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a history, or that would be if Kafka's protocol did not allow it.
 *
 * <pre>{@code
 * for (Anomaly anomaly : verdict.faults()) {
 *     System.out.println(anomaly.kind() + " in " + anomaly.where() + ": " + anomaly.evidence());
 * }
 * }</pre>
 *
 * @param kind what sort
 * @param where the partition as in {@code orders-0}, the process, or the transactions of a cycle
 * @param evidence what was sent and seen, with the steps
 * @param allowedBy what allows it; null for a fault
 */
public record Anomaly(
        Kind kind, String where, String evidence, @Nullable String allowedBy) {
    /** The sorts of anomalies; most have the names of Jepsen's workload for Kafka. */
    public enum Kind {
        /** Acknowledged, and a reader passed over its offset and did not see it. */
        LOST_WRITE("lost-write"),
        /** Acknowledged, and the log was read to an end that lies before its offset. */
        UNSEEN("unseen"),
        /** One value at several offsets. */
        DUPLICATE("duplicate"),
        /** Several values at one offset. */
        INCONSISTENT_OFFSETS("inconsistent-offsets"),
        /** One producer's later send has the lower offset. */
        NONMONOTONIC_SEND("nonmonotonic-send"),
        /** The same within one transaction. */
        INTERNAL_NONMONOTONIC_SEND("int-nonmonotonic-send"),
        /** A consumer's later poll goes back, with no rebalance and no seek in between. */
        NONMONOTONIC_POLL("nonmonotonic-poll"),
        /** The same within one poll or one transaction. */
        INTERNAL_NONMONOTONIC_POLL("int-nonmonotonic-poll"),
        /** A consumer's later poll passes over records that it should have seen. */
        POLL_SKIP("poll-skip"),
        /** The same within one poll or one transaction. */
        INTERNAL_POLL_SKIP("int-poll-skip"),
        /** Seen, though it was refused or its transaction aborted; G1a in Adya's terms. */
        ABORTED_READ("aborted-read"),
        /** Seen before its transaction was asked to be committed. */
        PRECOMMITTED_READ("precommitted-read"),
        /** Some of a transaction's records are there, and others are not. */
        TORN_TRANSACTION("torn-transaction"),
        /** Seen, and nobody sent it. */
        UNWRITTEN_READ("unwritten-read"),
        /** Transactions whose writes go before each other's in a circle; G0 in Adya's terms. */
        WRITE_CYCLE("write-cycle (G0)"),
        /** Transactions that saw each other's writes in a circle; G1c in Adya's terms. */
        CIRCULAR_FLOW("circular-flow (G1c)");

        private final String term;

        Kind(String term) {
            this.term = term;
        }

        /** For example {@code lost-write}. */
        public String term() {
            return term;
        }
    }

    /** True where nothing allows it. */
    public boolean isFault() {
        return allowedBy == null;
    }

    /** For example {@code lost-write in orders-0: [b] at offset 1 ...}. */
    @Override
    public String toString() {
        return kind.term() + " in " + where + ": " + evidence
                + (allowedBy == null ? "" : "\n      allowed: " + allowedBy);
    }
}

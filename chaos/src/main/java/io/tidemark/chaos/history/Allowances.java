package io.tidemark.chaos.history;

import java.util.Collection;
import java.util.Set;

/**
 * What a history is not to be blamed for. Gaps between offsets, where Kafka puts its transaction markers, and rebalances
 * need no word.
 *
 * <pre>{@code
 * new HistoryChecker(Allowances.none().transactionsVersion(1).compacted("accounts-0")).check(history);
 * }</pre>
 *
 * @param transactionsVersion of the cluster and the clients, the lower one. Below 2, Kafka's protocol lets the end of one
 *     transaction, or a late write, strike the producer's next one (KAFKA-17754, KIP-890), and what may come of that is
 *     named and allowed
 * @param compacted the partitions in which a newer record of the same key may have replaced one
 * @param otherWriters true where somebody writes who is not recorded
 */
public record Allowances(int transactionsVersion, Set<String> compacted, boolean otherWriters) {
    public Allowances {
        compacted = Set.copyOf(compacted);
    }

    /** Transactions version 2, nothing compacted, and all writers recorded. */
    public static Allowances none() {
        return new Allowances(2, Set.of(), false);
    }

    public Allowances transactionsVersion(int version) {
        return new Allowances(version, compacted, otherWriters);
    }

    /** Partitions by their names, as in {@code accounts-0}. */
    public Allowances compacted(String... partitions) {
        return new Allowances(transactionsVersion, Set.of(partitions), otherWriters);
    }

    /** As {@link #compacted(String...)}. */
    public Allowances compacted(Collection<String> partitions) {
        return new Allowances(transactionsVersion, Set.copyOf(partitions), otherWriters);
    }

    /** Values that no recorded producer sent are no anomaly. */
    public Allowances withOtherWriters() {
        return new Allowances(transactionsVersion, compacted, true);
    }
}

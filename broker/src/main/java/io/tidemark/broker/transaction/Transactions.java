package io.tidemark.broker.transaction;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The transactional ids of a shard: of each what is committed, and apart from it that a later record of it is in the log
 * and not committed yet. While there is such a record the id is in transition, and nothing is decided on it.
 */
final class Transactions {
    private final SortedMap<String, Entry> byId = new TreeMap<>();
    private final Queue<Logged> logged = new ArrayDeque<>();

    /** A record that is not committed yet; null metadata for a tombstone. */
    private record Logged(
            long offset, String transactionalId, @Nullable TransactionMetadata metadata) {}

    private static final class Entry {
        private @Nullable TransactionMetadata committed;
        private @Nullable TransactionMetadata proposed;
        private long lastOffset = -1;
        private boolean inTransition;
    }

    /** What is committed of an id, or null. */
    @Nullable
    TransactionMetadata find(String transactionalId) {
        Entry entry = byId.get(transactionalId);
        return entry == null ? null : entry.committed;
    }

    /** A step of the id is under way: a record of it is not committed, or its markers are being written. */
    boolean isBusy(String transactionalId) {
        Entry entry = byId.get(transactionalId);
        return entry != null
                && (entry.inTransition
                        || (entry.committed != null && entry.committed.state().isPrepared()));
    }

    /** A record of the id is in the log and not committed. */
    boolean isInTransition(String transactionalId) {
        Entry entry = byId.get(transactionalId);
        return entry != null && entry.inTransition;
    }

    /** All ids of which something is committed. */
    Collection<TransactionMetadata> all() {
        return byId.values().stream()
                .map(entry -> entry.committed)
                .filter(committed -> committed != null)
                .toList();
    }

    /** Keeps what a decision is about to log, with the part of it that is in no record. */
    void propose(TransactionMetadata next) {
        byId.computeIfAbsent(next.transactionalId(), id -> new Entry()).proposed = next;
    }

    void replay(long offset, String transactionalId, @Nullable TransactionMetadata recorded) {
        Entry entry = byId.computeIfAbsent(transactionalId, id -> new Entry());
        TransactionMetadata proposed = entry.proposed;
        entry.proposed = null;
        entry.inTransition = true;
        entry.lastOffset = offset;
        boolean isOwn = proposed != null && recorded != null && sameButForLastEpoch(proposed, recorded);
        logged.add(new Logged(offset, transactionalId, isOwn ? proposed : recorded));
    }

    /** Version 0 of the record does not say it all, so what it always says is compared. */
    private static boolean sameButForLastEpoch(TransactionMetadata proposed, TransactionMetadata recorded) {
        return proposed.producerId() == recorded.producerId()
                && proposed.producerEpoch() == recorded.producerEpoch()
                && proposed.state() == recorded.state()
                && proposed.lastUpdateTimestampMs() == recorded.lastUpdateTimestampMs()
                && proposed.partitions().equals(recorded.partitions());
    }

    /**
     * @param settled told of each id that has other committed metadata now, and no later record in the log. A new
     *     coordinator may see many records of an id become committed, and only the last of them says what is to be done
     */
    void onCommitted(long endOffset, Consumer<TransactionMetadata> settled) {
        Logged next = logged.peek();
        while (next != null && next.offset() < endOffset) {
            logged.remove();
            commit(next, settled);
            next = logged.peek();
        }
    }

    private void commit(Logged record, Consumer<TransactionMetadata> settled) {
        Entry entry = byId.get(record.transactionalId());
        if (entry == null) {
            return;
        }
        TransactionMetadata metadata = record.metadata();
        entry.committed = metadata;
        if (entry.lastOffset != record.offset()) {
            return;
        }
        entry.inTransition = false;
        if (metadata == null) {
            byId.remove(record.transactionalId());
        } else {
            settled.accept(metadata);
        }
    }
}

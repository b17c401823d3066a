package io.tidemark.broker.log;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The idempotent producers of one log: a pure function of the batches appended (and of the snapshot it began with), but
 * for those that expired. Says which batch a leader may take, and knows the transactions that are open or whose marker
 * is not committed yet.
 */
final class ProducerStates {
    private static final NodeLog LOG = NodeLog.of(ProducerStates.class);

    private final TopicPartition partition;
    private final TreeMap<Long, ProducerState> states = new TreeMap<>();

    /** Open transactions: first offset to producer id. */
    private final TreeMap<Long, Long> open = new TreeMap<>();

    /** Transactions that are ended, but not below the high watermark: first offset to the marker's offset. */
    private final TreeMap<Long, Long> uncommitted = new TreeMap<>();

    ProducerStates(TopicPartition partition) {
        this.partition = partition;
    }

    void clear() {
        states.clear();
        open.clear();
        uncommitted.clear();
    }

    /** Takes over a snapshot's producers. */
    void restore(Collection<ProducerState> restored) {
        for (ProducerState state : restored) {
            states.put(state.producerId(), state);
            if (state.openTransactionOffset() != ProducerState.NO_OFFSET) {
                open.put(state.openTransactionOffset(), state.producerId());
            }
        }
    }

    /**
     * Takes over what a snapshot of this offset tells beyond what was replayed up to it: of producers whose last batches
     * or markers compaction has taken. Which transactions are open is for the log to say.
     */
    void supplement(Collection<ProducerState> snapshot) {
        for (ProducerState known : snapshot) {
            ProducerState replayed = states.get(known.producerId());
            if (replayed == null) {
                restore(List.of(known));
            } else {
                replayed.supplement(known);
            }
        }
    }

    @Nullable
    ProducerState state(long producerId) {
        return states.get(producerId);
    }

    /** All producers, in the order of their ids. */
    List<ProducerState> all() {
        return new ArrayList<>(states.values());
    }

    /**
     * Learns of a batch that was appended, on a leader, on a follower, or at recovery.
     *
     * @param batch only its header is looked at
     * @param marker what it says where it is a marker, else null
     * @return the transaction that it ends, else null
     */
    @Nullable
    CompletedTransaction append(RecordBatch batch, @Nullable EndTransactionMarker marker) {
        if (!batch.hasProducerId() || (batch.isControl() && marker == null)) {
            return null;
        }
        ProducerState state =
                states.computeIfAbsent(batch.producerId(), id -> new ProducerState(id, batch.producerEpoch()));
        if (batch.producerEpoch() < state.epoch()) {
            LOG.warn(
                    "Replicated batch of producer id {} at offset {} of {} has epoch {}, after epoch {}",
                    batch.producerId(),
                    batch.baseOffset(),
                    partition,
                    batch.producerEpoch(),
                    state.epoch());
        }
        if (marker != null) {
            return endTransaction(state, batch, marker);
        }
        if (batch.baseSequence() == RecordBatch.NO_SEQUENCE && !batch.isTransactional()) {
            return null;
        }
        state.append(batch);
        if (batch.isTransactional()) {
            open.put(state.openTransactionOffset(), state.producerId());
        }
        return null;
    }

    private @Nullable CompletedTransaction endTransaction(
            ProducerState state, RecordBatch batch, EndTransactionMarker marker) {
        long first = state.openTransactionOffset();
        state.endTransaction(batch.producerEpoch(), marker.coordinatorEpoch(), batch.maxTimestamp());
        if (first == ProducerState.NO_OFFSET) {
            return null;
        }
        open.remove(first);
        uncommitted.put(first, batch.lastOffset());
        long stable = open.isEmpty() ? batch.nextOffset() : open.firstKey();
        return new CompletedTransaction(state.producerId(), first, batch.lastOffset(), !marker.commit(), stable);
    }

    /** Where the first transaction starts that is open or whose marker is not below the high watermark; else that. */
    long lastStableOffset(long highWatermark) {
        uncommitted.values().removeIf(markerOffset -> markerOffset < highWatermark);
        long stable = highWatermark;
        if (!open.isEmpty()) {
            stable = Math.min(stable, open.firstKey());
        }
        if (!uncommitted.isEmpty()) {
            stable = Math.min(stable, uncommitted.firstKey());
        }
        return stable;
    }

    /** Forgets producers whose last batch is older, unless a transaction of theirs is open. */
    void expire(long olderThanMs) {
        states.values()
                .removeIf(state -> state.lastTimestamp() < olderThanMs
                        && state.openTransactionOffset() == ProducerState.NO_OFFSET);
    }

    boolean isEmpty() {
        return states.isEmpty();
    }

    /** All producers as others see them, in the order of their ids. */
    List<ActiveProducer> active() {
        List<ActiveProducer> active = new ArrayList<>();
        for (ProducerState state : states.values()) {
            active.add(new ActiveProducer(
                    state.producerId(),
                    state.epoch(),
                    state.lastSequence(),
                    state.lastTimestamp(),
                    state.coordinatorEpoch(),
                    state.openTransactionOffset()));
        }
        return active;
    }
}

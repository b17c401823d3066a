package io.tidemark.broker.log;

import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.Sequences;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** What a log remembers of one idempotent producer: its epoch, its last five batches, its open transaction. */
final class ProducerState {
    /** How many batches a producer may have in flight, and hence how many may come again. */
    static final int REMEMBERED_BATCHES = 5;

    static final long NO_OFFSET = -1;

    private final long producerId;
    private final Deque<Batch> batches = new ArrayDeque<>(REMEMBERED_BATCHES);
    private short epoch;
    private int coordinatorEpoch = -1;
    private long lastTimestamp;
    private long openTransactionOffset = NO_OFFSET;

    /**
     * A batch that was appended.
     *
     * @param lastSequence the sequence of its last record
     * @param lastOffset the offset of its last record
     * @param offsetDelta the count of its records less one
     * @param timestamp its greatest timestamp
     */
    record Batch(int lastSequence, long lastOffset, int offsetDelta, long timestamp) {
        int baseSequence() {
            int base = lastSequence - offsetDelta;
            return base >= 0 ? base : base + Integer.MAX_VALUE + 1;
        }

        long baseOffset() {
            return lastOffset - offsetDelta;
        }
    }

    ProducerState(long producerId, short epoch) {
        this.producerId = producerId;
        this.epoch = epoch;
    }

    /** As a snapshot has it. */
    static ProducerState restored(
            long producerId,
            short epoch,
            @Nullable Batch last,
            long lastTimestamp,
            int coordinatorEpoch,
            long openTransactionOffset) {
        ProducerState state = new ProducerState(producerId, epoch);
        if (last != null) {
            state.batches.add(last);
        }
        state.lastTimestamp = lastTimestamp;
        state.coordinatorEpoch = coordinatorEpoch;
        state.openTransactionOffset = openTransactionOffset;
        return state;
    }

    long producerId() {
        return producerId;
    }

    short epoch() {
        return epoch;
    }

    int coordinatorEpoch() {
        return coordinatorEpoch;
    }

    long lastTimestamp() {
        return lastTimestamp;
    }

    /** The first offset of the transaction that is open, or {@link #NO_OFFSET}. */
    long openTransactionOffset() {
        return openTransactionOffset;
    }

    /** Takes over what another state of the same producer knows of later batches and markers. */
    void supplement(ProducerState other) {
        if (other.epoch < epoch) {
            return;
        }
        enter(other.epoch);
        Batch last = other.lastBatch();
        if (last != null && last.lastOffset() > lastOffset()) {
            remember(last);
        }
        coordinatorEpoch = Math.max(coordinatorEpoch, other.coordinatorEpoch);
        lastTimestamp = Math.max(lastTimestamp, other.lastTimestamp);
    }

    /** Whether a transaction is open that the producer began in this epoch. */
    boolean hasOpenTransaction(short producerEpoch) {
        return openTransactionOffset != NO_OFFSET && producerEpoch == epoch;
    }

    @Nullable
    Batch lastBatch() {
        return batches.peekLast();
    }

    int rememberedBatches() {
        return batches.size();
    }

    int lastSequence() {
        Batch last = batches.peekLast();
        return last == null ? RecordBatch.NO_SEQUENCE : last.lastSequence();
    }

    long lastOffset() {
        Batch last = batches.peekLast();
        return last == null ? NO_OFFSET : last.lastOffset();
    }

    /** The remembered batch that this one repeats, or null. */
    @Nullable
    Batch repeatedBy(RecordBatch batch) {
        if (batch.producerEpoch() != epoch) {
            return null;
        }
        for (Iterator<Batch> newestFirst = batches.descendingIterator(); newestFirst.hasNext(); ) {
            Batch known = newestFirst.next();
            if (known.baseSequence() == batch.baseSequence() && known.lastSequence() == batch.lastSequence()) {
                return known;
            }
        }
        return null;
    }

    /** Whether the batch's sequence is the one that must come, for a batch of this epoch or a new one. */
    boolean isExpected(RecordBatch batch) {
        if (batch.producerEpoch() != epoch) {
            return batch.baseSequence() == 0;
        }
        return Sequences.follows(lastSequence(), batch.baseSequence());
    }

    void append(RecordBatch batch) {
        enter(batch.producerEpoch());
        remember(new Batch(batch.lastSequence(), batch.lastOffset(), batch.lastOffsetDelta(), batch.maxTimestamp()));
        lastTimestamp = batch.maxTimestamp();
        if (batch.isTransactional() && openTransactionOffset == NO_OFFSET) {
            openTransactionOffset = batch.baseOffset();
        }
    }

    private void remember(Batch batch) {
        if (batches.size() == REMEMBERED_BATCHES) {
            batches.removeFirst();
        }
        batches.add(batch);
    }

    void endTransaction(short producerEpoch, int markerCoordinatorEpoch, long timestamp) {
        enter(producerEpoch);
        coordinatorEpoch = markerCoordinatorEpoch;
        lastTimestamp = timestamp;
        openTransactionOffset = NO_OFFSET;
    }

    /** A new epoch begins without a history. */
    private void enter(short newEpoch) {
        if (newEpoch != epoch) {
            batches.clear();
            epoch = newEpoch;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProducerState state
                && producerId == state.producerId
                && epoch == state.epoch
                && openTransactionOffset == state.openTransactionOffset
                && coordinatorEpoch == state.coordinatorEpoch
                && java.util.List.copyOf(batches).equals(java.util.List.copyOf(state.batches));
    }

    @Override
    public int hashCode() {
        return Long.hashCode(producerId);
    }

    @Override
    public String toString() {
        return "ProducerState[id=" + producerId + ", epoch=" + epoch + ", batches=" + batches
                + ", openTransactionOffset=" + openTransactionOffset + "]";
    }
}

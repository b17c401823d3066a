package io.tidemark.broker.log;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordsRejectedException;
import io.tidemark.broker.record.VerificationGuard;
import io.tidemark.broker.types.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Says what a leader may append of a producer's. In this order: a repeat is no append; an epoch that is over is told
 * before anything about transactions (KAFKA-19690); a transaction must be open or known to its coordinator (KIP-890);
 * then sequences.
 */
final class ProducerRules {
    private static final int FIRST_VERSION_WITH_EPOCH_BUMP = 2;

    private final TopicPartition partition;
    private final ProducerStates states;
    private final TransactionVerifications verifications;

    ProducerRules(TopicPartition partition, ProducerStates states, TransactionVerifications verifications) {
        this.partition = partition;
        this.states = states;
        this.verifications = verifications;
    }

    /**
     * @return the batch that this one repeats, one of its producer's last five, or null where it may be appended
     * @throws RecordsRejectedException with 47 for an epoch that is over, 48 where no transaction is open, 45 for a
     *     sequence out of order, 52 for a marker of a coordinator that was replaced
     */
    ProducerState.@Nullable Batch check(RecordBatch batch, AppendTerms terms) {
        if (!batch.hasProducerId()) {
            return null;
        }
        ProducerState state = states.state(batch.producerId());
        EndTransactionMarker marker = batch.isControl() ? EndTransactionMarker.of(batch) : null;
        if (marker != null) {
            if (state != null) {
                checkMarker(state, batch, marker, terms.transactionVersion());
            }
            return null;
        }
        boolean isClient = terms.origin() == AppendOrigin.CLIENT;
        ProducerState.Batch repeated = isClient && state != null ? state.repeatedBy(batch) : null;
        if (repeated != null) {
            return repeated;
        }
        if (state != null) {
            checkEpoch(state, batch.producerEpoch());
        }
        checkTransaction(state, batch, terms.guard());
        if (isClient) {
            checkSequence(state, batch);
        }
        return null;
    }

    /**
     * What an append of transactional records is to show, {@link VerificationGuard#NONE} where a transaction is open.
     *
     * @param startsAtZero whether a producer that is not known must start at sequence 0
     * @throws RecordsRejectedException with 47 for an epoch that is over
     */
    VerificationGuard startVerification(
            long producerId, short producerEpoch, int baseSequence, boolean startsAtZero, long nowMs) {
        ProducerState state = states.state(producerId);
        if (state != null) {
            checkEpoch(state, producerId, producerEpoch);
            if (state.hasOpenTransaction(producerEpoch)) {
                return VerificationGuard.NONE;
            }
        }
        return verifications.start(producerId, producerEpoch, baseSequence, startsAtZero, nowMs);
    }

    private void checkMarker(ProducerState state, RecordBatch batch, EndTransactionMarker marker, int version) {
        short producerEpoch = batch.producerEpoch();
        if (version < FIRST_VERSION_WITH_EPOCH_BUMP) {
            checkEpoch(state, producerEpoch);
        } else if (producerEpoch <= state.epoch() && !isRepeatedMarker(state, producerEpoch)) {
            // Each end of a transaction has an epoch of its own, so one that is not above is late (KIP-1228).
            throw rejected(
                    ErrorCode.INVALID_PRODUCER_EPOCH,
                    "Marker of producer id " + state.producerId() + " in " + partition + " has epoch " + producerEpoch
                            + "; expected more than " + state.epoch());
        }
        if (marker.coordinatorEpoch() < state.coordinatorEpoch()) {
            throw rejected(
                    ErrorCode.TRANSACTION_COORDINATOR_FENCED,
                    "Marker of producer id " + state.producerId() + " in " + partition + " has coordinator epoch "
                            + marker.coordinatorEpoch() + "; expected at least " + state.coordinatorEpoch());
        }
    }

    /** A coordinator that did not hear of its first marker's outcome sends it again (KAFKA-19999). */
    private static boolean isRepeatedMarker(ProducerState state, short producerEpoch) {
        return producerEpoch == state.epoch()
                && (state.openTransactionOffset() == ProducerState.NO_OFFSET || producerEpoch == Short.MAX_VALUE);
    }

    private void checkEpoch(ProducerState state, short producerEpoch) {
        checkEpoch(state, state.producerId(), producerEpoch);
    }

    private void checkEpoch(ProducerState state, long producerId, short producerEpoch) {
        if (producerEpoch < state.epoch()) {
            throw rejected(
                    ErrorCode.INVALID_PRODUCER_EPOCH,
                    "Producer id " + producerId + " writes to " + partition + " in epoch " + producerEpoch
                            + "; expected at least " + state.epoch());
        }
    }

    private void checkTransaction(@Nullable ProducerState state, RecordBatch batch, @Nullable VerificationGuard shown) {
        long producerId = batch.producerId();
        if (!batch.isTransactional()) {
            if (state != null && state.openTransactionOffset() != ProducerState.NO_OFFSET) {
                throw rejected(
                        ErrorCode.INVALID_TXN_STATE,
                        "Producer id " + producerId + " writes to " + partition
                                + " outside of the transaction that it has open there since offset "
                                + state.openTransactionOffset());
            }
            return;
        }
        if (shown == null || (state != null && state.hasOpenTransaction(batch.producerEpoch()))) {
            return;
        }
        TransactionVerifications.Started started = verifications.of(producerId);
        if (started == null || !started.guard().equals(shown)) {
            throw rejected(
                    ErrorCode.INVALID_TXN_STATE,
                    "Producer id " + producerId + " has no transaction open in " + partition
                            + ", and its coordinator was not asked since the last one ended");
        }
    }

    private void checkSequence(@Nullable ProducerState state, RecordBatch batch) {
        TransactionVerifications.Started started = verifications.of(batch.producerId());
        if (started != null) {
            boolean isUnknown = state == null || state.lastBatch() == null;
            if ((started.startsAtZero() && isUnknown && batch.baseSequence() != 0)
                    || batch.baseSequence() > started.lowestSequence()) {
                throw outOfOrder(batch, "expected " + (isUnknown ? 0 : started.lowestSequence()) + " first");
            }
        }
        // A producer that nobody has heard of, or that was forgotten since, may begin anywhere.
        if (state != null && !state.isExpected(batch)) {
            throw outOfOrder(batch, "the last sequence was " + state.lastSequence() + " in epoch " + state.epoch());
        }
    }

    private RecordsRejectedException outOfOrder(RecordBatch batch, String expected) {
        return rejected(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                "Producer id " + batch.producerId() + " in epoch " + batch.producerEpoch() + " writes to " + partition
                        + " with base sequence " + batch.baseSequence() + "; " + expected);
    }

    private static RecordsRejectedException rejected(ErrorCode error, String message) {
        return new RecordsRejectedException(error, message);
    }
}

package io.tidemark.broker.transaction;

import io.tidemark.broker.protocol.ErrorCode;

/**
 * EndTxn. On version 2 (KIP-890) each end raises the epoch, so the epoch tells a repeat from the next request; before, it
 * does not, and the state has to. An id that is busy is refused for now: on version 2 at once, for the epoch that the
 * request has may be that before or after the step under way; before, only to the producer that has the id.
 *
 * <pre>
 *   version 2         abort, epoch before   abort, same epoch   commit, epoch before   commit, same epoch
 *   Empty             fenced                aborts nothing      fenced                 invalid state
 *   CompleteAbort     repeated              aborts nothing      invalid state          invalid state
 *   CompleteCommit    invalid state         aborts nothing      repeated               invalid state
 * </pre>
 */
final class EndTxnRules {
    private EndTxnRules() {}

    /**
     * @param isBusy a step of the id is under way
     * @param newProducerId a producer id that nobody has yet, or -1 where there is none at hand
     */
    static Decision decide(
            TransactionMetadata current, boolean isBusy, EndTxn request, long newProducerId, long nowMs) {
        if (!request.clientVersion().bumpsEpochAtEnd()) {
            return onVersionOne(current, isBusy, request, nowMs);
        }
        return isBusy
                ? new Decision.Refused(ErrorCode.CONCURRENT_TRANSACTIONS)
                : onVersionTwo(current, request, newProducerId, nowMs);
    }

    /** The coordinator aborts what a producer has open, and the producer's epoch is used up by it. */
    static Decision fence(TransactionMetadata current, TransactionVersion version, long newProducerId, long nowMs) {
        if (!version.bumpsEpochAtEnd()) {
            return new Decision.Change(
                    current.fenced(TransactionVersion.V0, TransactionMetadata.NO_PRODUCER_ID, nowMs));
        }
        if (!current.isEpochExhausted()) {
            return new Decision.Change(current.fenced(version, TransactionMetadata.NO_PRODUCER_ID, nowMs));
        }
        return newProducerId == TransactionMetadata.NO_PRODUCER_ID
                ? new Decision.NeedsProducerId()
                : new Decision.Change(current.fenced(version, newProducerId, nowMs));
    }

    private static Decision onVersionTwo(TransactionMetadata current, EndTxn request, long newProducerId, long nowMs) {
        boolean isRepeatOverIds = current.previousProducerId() == request.producerId()
                && request.producerEpoch() == TransactionMetadata.LAST_CLIENT_EPOCH
                && current.producerEpoch() == 0;
        boolean isRepeat = isRepeatOverIds || current.producerEpoch() == request.producerEpoch() + 1;
        boolean isCurrent = current.producerEpoch() == request.producerEpoch();
        if (current.producerId() != request.producerId() && !isRepeatOverIds) {
            return new Decision.Refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        }
        boolean mayBeRepeat = current.state() == TransactionState.COMPLETE_COMMIT
                || current.state() == TransactionState.COMPLETE_ABORT;
        if (!isCurrent && !(mayBeRepeat && isRepeat)) {
            return new Decision.Refused(ErrorCode.PRODUCER_FENCED);
        }
        return switch (current.state()) {
            case ONGOING -> end(current, request, newProducerId, nowMs);
            case COMPLETE_COMMIT, COMPLETE_ABORT -> {
                boolean wasCommit = current.state() == TransactionState.COMPLETE_COMMIT;
                if (isRepeat) {
                    yield wasCommit == request.isCommit() ? new Decision.Repeated(current) : invalidState();
                }
                yield request.isCommit() ? invalidState() : end(current, request, newProducerId, nowMs);
            }
            case EMPTY -> request.isCommit() ? invalidState() : end(current, request, newProducerId, nowMs);
            default -> throw unexpected(current);
        };
    }

    private static Decision onVersionOne(TransactionMetadata current, boolean isBusy, EndTxn request, long nowMs) {
        if (current.producerId() != request.producerId()) {
            return new Decision.Refused(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        }
        if (current.producerEpoch() != request.producerEpoch()) {
            return new Decision.Refused(ErrorCode.PRODUCER_FENCED);
        }
        if (isBusy) {
            return new Decision.Refused(ErrorCode.CONCURRENT_TRANSACTIONS);
        }
        return switch (current.state()) {
            case ONGOING -> end(current, request, TransactionMetadata.NO_PRODUCER_ID, nowMs);
            case COMPLETE_COMMIT -> request.isCommit() ? new Decision.Repeated(current) : invalidState();
            case COMPLETE_ABORT -> request.isCommit() ? invalidState() : new Decision.Repeated(current);
            case EMPTY -> invalidState();
            default -> throw unexpected(current);
        };
    }

    private static Decision end(TransactionMetadata current, EndTxn request, long newProducerId, long nowMs) {
        boolean needsProducerId = request.clientVersion().bumpsEpochAtEnd() && current.isEpochExhausted();
        if (needsProducerId && newProducerId == TransactionMetadata.NO_PRODUCER_ID) {
            return new Decision.NeedsProducerId();
        }
        return new Decision.Change(current.prepared(
                request.isCommit(),
                request.clientVersion(),
                needsProducerId ? newProducerId : TransactionMetadata.NO_PRODUCER_ID,
                nowMs));
    }

    private static IllegalStateException unexpected(TransactionMetadata current) {
        return new IllegalStateException("Transactional id [" + current.transactionalId() + "] is in state "
                + current.state() + " and not busy; expected a state in which nothing is under way");
    }

    private static Decision invalidState() {
        return new Decision.Refused(ErrorCode.INVALID_TXN_STATE);
    }
}

package io.tidemark.broker.transaction;

import io.tidemark.broker.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * InitProducerId: the epoch rises, so that whoever had the id before is fenced. A producer that names the id and epoch
 * that it had goes on where no other has come in between (KIP-360), and a repeat of that gets what it got. A transaction
 * that is open is aborted first, and the producer comes again.
 */
final class InitProducerIdRules {
    private InitProducerIdRules() {}

    /** The producer id and epoch that a producer says it has. */
    record Expected(long producerId, short producerEpoch) {}

    /**
     * @param current null for an id that is new; no step of it is under way
     * @param newProducerId a producer id that nobody has yet, or -1 where there is none at hand
     */
    static Decision decide(
            String transactionalId,
            @Nullable TransactionMetadata current,
            @Nullable Expected expected,
            int timeoutMs,
            TransactionVersion serverVersion,
            long newProducerId,
            long nowMs) {
        boolean hasNewId = newProducerId != TransactionMetadata.NO_PRODUCER_ID;
        if (current == null) {
            return hasNewId
                    ? initialize(
                            TransactionMetadata.unused(transactionalId, newProducerId, timeoutMs, nowMs),
                            expected,
                            timeoutMs,
                            nowMs)
                    : new Decision.NeedsProducerId();
        }
        if (expected != null && !mayGoOn(current, expected)) {
            return new Decision.Refused(ErrorCode.PRODUCER_FENCED);
        }
        if (current.state() == TransactionState.ONGOING) {
            return EndTxnRules.fence(current, serverVersion, newProducerId, nowMs);
        }
        if (!current.isEpochExhausted()) {
            return initialize(current, expected, timeoutMs, nowMs);
        }
        if (expected != null && expected.producerEpoch() != current.producerEpoch()) {
            // As Kafka: there is no epoch to give, and no sign that the id may be replaced.
            return new Decision.Refused(ErrorCode.UNKNOWN_SERVER_ERROR);
        }
        short lastEpoch = expected == null ? TransactionMetadata.NO_PRODUCER_EPOCH : current.producerEpoch();
        return hasNewId
                ? new Decision.Change(current.rotated(newProducerId, lastEpoch, timeoutMs, nowMs))
                : new Decision.NeedsProducerId();
    }

    /** Also where the id was replaced as its epochs ran out, and the answer to that was lost. */
    private static boolean mayGoOn(TransactionMetadata current, Expected expected) {
        return current.producerEpoch() == TransactionMetadata.NO_PRODUCER_EPOCH
                || expected.producerId() == current.producerId()
                || (expected.producerId() == current.previousProducerId()
                        && TransactionMetadata.isEpochExhausted(expected.producerEpoch()));
    }

    private static Decision initialize(
            TransactionMetadata current, @Nullable Expected expected, int timeoutMs, long nowMs) {
        short bumped = (short) (current.producerEpoch() + 1);
        if (expected == null) {
            // Without a last epoch, no older producer can pass for one that repeats its request.
            return new Decision.Change(
                    current.initialized(bumped, TransactionMetadata.NO_PRODUCER_EPOCH, timeoutMs, nowMs));
        }
        if (current.producerEpoch() == TransactionMetadata.NO_PRODUCER_EPOCH
                || expected.producerEpoch() == current.producerEpoch()) {
            return new Decision.Change(current.initialized(bumped, current.producerEpoch(), timeoutMs, nowMs));
        }
        if (expected.producerEpoch() == current.lastProducerEpoch()) {
            return new Decision.Change(
                    current.initialized(current.producerEpoch(), current.lastProducerEpoch(), timeoutMs, nowMs));
        }
        return new Decision.Refused(ErrorCode.PRODUCER_FENCED);
    }
}

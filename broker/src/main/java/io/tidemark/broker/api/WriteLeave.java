package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.VerificationGuard;
import org.jspecify.annotations.Nullable;

/**
 * Whether a producer may write to a partition, as far as its transaction goes.
 *
 * @param guard what the append has to show; null where transactions are not looked at
 * @param error NONE, or why nothing may be written: the coordinator's error as it is
 * @param message for the client, or null
 */
record WriteLeave(
        @Nullable VerificationGuard guard,
        ErrorCode error,
        @Nullable String message) {
    static final WriteLeave UNASKED = new WriteLeave(null, ErrorCode.NONE, null);

    static WriteLeave granted(VerificationGuard guard) {
        return new WriteLeave(guard, ErrorCode.NONE, null);
    }

    static WriteLeave refused(ErrorCode error, @Nullable String message) {
        return new WriteLeave(null, error, message);
    }

    /**
     * As a producer of records is told it. Older ones do not know every error that passes by itself;
     * NOT_ENOUGH_REPLICAS has all of them send again, without asking for metadata first.
     */
    WriteLeave forProduce() {
        return switch (error) {
            case INVALID_TXN_STATE -> refused(error, "The partition is not in the transaction");
            case CONCURRENT_TRANSACTIONS,
                    NETWORK_EXCEPTION,
                    COORDINATOR_LOAD_IN_PROGRESS,
                    COORDINATOR_NOT_AVAILABLE,
                    NOT_COORDINATOR ->
                refused(
                        ErrorCode.NOT_ENOUGH_REPLICAS,
                        "The transaction coordinator could not be asked about the partition: " + error);
            default -> this;
        };
    }

    /** As a producer of offsets is told it: a coordinator that did not answer has it ask the same group again. */
    ErrorCode errorForOffsets() {
        return error == ErrorCode.NETWORK_EXCEPTION ? ErrorCode.COORDINATOR_LOAD_IN_PROGRESS : error;
    }
}

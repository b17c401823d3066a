package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ErrorCode;

/** Errors that older versions of the transaction APIs do not know, and what stands for them there. */
final class OldErrors {
    private OldErrors() {}

    /** A fenced producer was told that its epoch is invalid. */
    static ErrorCode fenced(ErrorCode error, short version, int firstVersionWithFenced) {
        return error == ErrorCode.PRODUCER_FENCED && version < firstVersionWithFenced
                ? ErrorCode.INVALID_PRODUCER_EPOCH
                : error;
    }
}

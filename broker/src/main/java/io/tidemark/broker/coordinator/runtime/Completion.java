package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.protocol.ErrorCode;

/** Takes the outcome of an operation: exactly one of the two methods is called, once. */
public interface Completion<R> {
    void onReply(R reply);

    /** The operation had no effect, or (REQUEST_TIMED_OUT) its effect is not known to be committed. */
    void onError(ErrorCode error);
}

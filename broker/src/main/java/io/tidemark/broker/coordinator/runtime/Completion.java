package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.protocol.ErrorCode;

/** Takes the outcome of an operation: exactly one of the two methods is called, once. */
public interface Completion<R> {
    void onReply(R reply);

    /**
     * The operation had no effect, or it is not known whether its effect will last.
     *
     * @param error in the terms of a coordinator's clients: COORDINATOR_LOAD_IN_PROGRESS, NOT_COORDINATOR,
     *     COORDINATOR_NOT_AVAILABLE where the records were not committed in time, UNKNOWN_SERVER_ERROR for records that
     *     the log does not take
     */
    void onError(ErrorCode error);
}

package io.tidemark.broker.coordinator;

import io.tidemark.broker.protocol.ErrorCode;

/**
 * The log refused. {@link #error()} says why in Kafka's terms: {@code NOT_LEADER_OR_FOLLOWER} where the node does not
 * lead the partition in the epoch named, {@code KAFKA_STORAGE_ERROR} where the disk failed, {@code MESSAGE_TOO_LARGE}
 * or {@code RECORD_LIST_TOO_LARGE} for a batch that the topic does not take.
 */
public final class CoordinatorLogException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode error;

    public CoordinatorLogException(ErrorCode error, String message) {
        super(message);
        this.error = error;
    }

    public CoordinatorLogException(ErrorCode error, String message, Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    public ErrorCode error() {
        return error;
    }
}

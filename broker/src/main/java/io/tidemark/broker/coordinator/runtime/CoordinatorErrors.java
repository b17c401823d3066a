package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.protocol.ErrorCode;

/**
 * What clients of a coordinator are told of faults of its log. They know nothing of the partition behind it: either this
 * node is not the coordinator, and they look for it anew, or it cannot answer now, and they try again.
 */
final class CoordinatorErrors {
    private CoordinatorErrors() {}

    /** Errors that say nothing of this node: leadership went elsewhere, or a producer is late. */
    static boolean isExpected(ErrorCode error) {
        return switch (error) {
            case NOT_COORDINATOR, INVALID_PRODUCER_EPOCH, INVALID_TXN_STATE, TRANSACTION_COORDINATOR_FENCED -> true;
            default -> false;
        };
    }

    static ErrorCode forClients(ErrorCode logError) {
        return switch (logError) {
            case NOT_LEADER_OR_FOLLOWER, FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH, KAFKA_STORAGE_ERROR ->
                ErrorCode.NOT_COORDINATOR;
            case UNKNOWN_TOPIC_OR_PARTITION, NOT_ENOUGH_REPLICAS, NOT_ENOUGH_REPLICAS_AFTER_APPEND, REQUEST_TIMED_OUT ->
                ErrorCode.COORDINATOR_NOT_AVAILABLE;
            case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE, INVALID_FETCH_SIZE -> ErrorCode.UNKNOWN_SERVER_ERROR;
            default -> logError;
        };
    }
}

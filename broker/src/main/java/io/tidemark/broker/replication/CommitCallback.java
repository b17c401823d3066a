package io.tidemark.broker.replication;

import io.tidemark.broker.protocol.ErrorCode;

/** Takes the outcome of waiting for the high watermark. On the loop, exactly once. */
@FunctionalInterface
public interface CommitCallback {
    /**
     * @param error NONE once the high watermark has reached the offset in the leader epoch that was asked for;
     *     NOT_LEADER_OR_FOLLOWER where leadership was lost before; REQUEST_TIMED_OUT where the time was up
     */
    void onOutcome(ErrorCode error);
}

package io.tidemark.broker.partition;

import io.tidemark.broker.protocol.ErrorCode;

/** Only the current leader epoch may ask (KIP-320). */
public final class EpochFence {
    /** In a request that names no leader epoch, which passes every fence. */
    public static final int NO_LEADER_EPOCH = -1;

    private EpochFence() {}

    /**
     * @param requested the epoch that the asker believes in, or {@link #NO_LEADER_EPOCH}
     * @param current this replica's leader epoch
     * @return NONE, or FENCED_LEADER_EPOCH for an older epoch, or UNKNOWN_LEADER_EPOCH for a newer one
     */
    public static ErrorCode check(int requested, int current) {
        if (requested == NO_LEADER_EPOCH || requested == current) {
            return ErrorCode.NONE;
        }
        return requested < current ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
    }
}

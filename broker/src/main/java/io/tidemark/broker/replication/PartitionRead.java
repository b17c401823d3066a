package io.tidemark.broker.replication;

import io.tidemark.broker.log.LogSlice;
import io.tidemark.broker.partition.LeaderEpochEnd;
import io.tidemark.broker.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * What a read of a partition found.
 *
 * @param error NONE, or why nothing was read
 * @param highWatermark of this replica, -1 with an error
 * @param lastStableOffset of this replica, -1 with an error
 * @param logStartOffset of this replica, -1 with an error
 * @param records the batches, or null with an error
 * @param divergingEpoch where the reader's log parts from this one, or null where it does not
 */
public record PartitionRead(
        ErrorCode error,
        long highWatermark,
        long lastStableOffset,
        long logStartOffset,
        @Nullable LogSlice records,
        @Nullable LeaderEpochEnd divergingEpoch) {
    static PartitionRead failed(ErrorCode error) {
        return new PartitionRead(error, -1, -1, -1, null, null);
    }

    /** The bytes that were found. */
    public int sizeInBytes() {
        return records == null ? 0 : records.sizeInBytes();
    }
}

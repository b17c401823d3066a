package io.tidemark.broker.replication;

import io.tidemark.broker.log.LogSlice;
import io.tidemark.broker.log.index.AbortedTransaction;
import io.tidemark.broker.partition.LeaderEpochEnd;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a read of a partition found.
 *
 * @param error NONE, or why nothing was read
 * @param highWatermark of this replica, -1 with an error
 * @param lastStableOffset of this replica, -1 with an error
 * @param logStartOffset of this replica, -1 with an error
 * @param records the batches, or null with an error
 * @param abortedTransactions those that have a record among the batches, where the reader wants committed ones only
 * @param divergingEpoch where the reader's log parts from this one, or null where it does not
 */
public record PartitionRead(
        ErrorCode error,
        long highWatermark,
        long lastStableOffset,
        long logStartOffset,
        @Nullable LogSlice records,
        List<AbortedTransaction> abortedTransactions,
        @Nullable LeaderEpochEnd divergingEpoch) {
    static PartitionRead failed(ErrorCode error) {
        return new PartitionRead(error, -1, -1, -1, null, List.of(), null);
    }

    /** The bytes that were found. */
    public int sizeInBytes() {
        return records == null ? 0 : records.sizeInBytes();
    }
}

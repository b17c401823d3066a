package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;

/**
 * What a follower takes out of what its leader sent.
 *
 * @param batches whole, undamaged, in the order of their offsets
 * @param sizeInBytes of all of them, from the start of what was sent
 */
record ReplicatedBatches(List<RecordBatch> batches, int sizeInBytes) {
    /**
     * @param leaderEpoch batches of a later one come from a leader that is not ours, and end what is taken
     * @param logEndOffset where the follower's log ends
     * @param logIsEmpty whether it holds no batch at all
     * @throws CorruptBatchException if a batch is damaged or out of order
     */
    static ReplicatedBatches take(
            TopicPartition partition, ByteBuf sent, int leaderEpoch, long logEndOffset, boolean logIsEmpty) {
        List<RecordBatch> taken = new ArrayList<>();
        int bytes = 0;
        long least = logEndOffset;
        for (RecordBatch batch : RecordBatches.of(sent)) {
            if (batch.partitionLeaderEpoch() > leaderEpoch) {
                break;
            }
            // The start of an empty log may lie inside the leader's first batch, after DeleteRecords (KAFKA-6975).
            boolean mayStraddle = logIsEmpty && taken.isEmpty();
            if (batch.baseOffset() < least && !(mayStraddle && batch.lastOffset() >= least)) {
                throw new CorruptBatchException("Leader of " + partition + " sent a batch at offset "
                        + batch.baseOffset() + "; expected " + least + " or above");
            }
            if (batch.lastOffsetDelta() < 0 || !batch.isValid()) {
                throw new CorruptBatchException("Leader of " + partition + " sent a damaged batch at offset "
                        + batch.baseOffset() + ": checksum " + Integer.toHexString(batch.crc())
                        + ", last offset delta " + batch.lastOffsetDelta() + ", " + batch.sizeInBytes() + " bytes");
            }
            taken.add(batch);
            bytes += batch.sizeInBytes();
            least = batch.nextOffset();
        }
        return new ReplicatedBatches(taken, bytes);
    }

    boolean startsBelow(long offset) {
        return !batches.isEmpty() && batches.get(0).baseOffset() < offset;
    }
}

package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds one batch, in memory on the heap. Offsets count from the base offset, one for each record.
 *
 * <pre>{@code
 * ByteBuf batch = new RecordBatchBuilder().add(nowMs, key, value).add(nowMs, key2, null).build();
 * }</pre>
 */
public final class RecordBatchBuilder {
    /** The offset of the first record; 0 unless set. A leader's append stamps its own. */
    public RecordBatchBuilder baseOffset(long offset) {
        throw new UnsupportedOperationException();
    }

    public RecordBatchBuilder leaderEpoch(int epoch) {
        throw new UnsupportedOperationException();
    }

    public RecordBatchBuilder compression(CompressionType type) {
        throw new UnsupportedOperationException();
    }

    /** Makes the batch an idempotent producer's. */
    public RecordBatchBuilder producer(long id, short epoch, int baseSequence) {
        throw new UnsupportedOperationException();
    }

    public RecordBatchBuilder transactional() {
        throw new UnsupportedOperationException();
    }

    public RecordBatchBuilder add(long timestampMs, byte @Nullable [] key, byte @Nullable [] value) {
        return add(timestampMs, key, value, List.of());
    }

    public RecordBatchBuilder add(
            long timestampMs, byte @Nullable [] key, byte @Nullable [] value, List<LogRecord.Header> headers) {
        throw new UnsupportedOperationException();
    }

    /** Makes this a control batch and adds its record. Kafka puts one record in a control batch, and so do we. */
    public RecordBatchBuilder control(ControlRecordType type, long timestampMs, byte[] value) {
        throw new UnsupportedOperationException();
    }

    /** The count of records so far. */
    public int recordCount() {
        throw new UnsupportedOperationException();
    }

    /** The size in bytes of the batch, were it built now without compression. */
    public int sizeInBytes() {
        throw new UnsupportedOperationException();
    }

    /**
     * The batch; the caller owns it (on the heap, so that forgetting to release it leaks nothing).
     *
     * @throws IllegalStateException if there are no records
     */
    public ByteBuf build() {
        throw new UnsupportedOperationException();
    }

    /** A marker that ends a producer's transaction in a partition. */
    public static ByteBuf endTransactionMarker(
            long timestampMs, long producerId, short producerEpoch, boolean commit, int coordinatorEpoch) {
        throw new UnsupportedOperationException();
    }
}

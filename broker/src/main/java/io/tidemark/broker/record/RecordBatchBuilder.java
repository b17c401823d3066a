package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
    private static final int INITIAL_BYTES = 512;

    private final ByteBuf records = Unpooled.buffer(INITIAL_BYTES);
    private long baseOffset;
    private int leaderEpoch = RecordBatch.NO_LEADER_EPOCH;
    private CompressionType compression = CompressionType.NONE;
    private int attributes;
    private long producerId = RecordBatch.NO_PRODUCER_ID;
    private short producerEpoch = RecordBatch.NO_PRODUCER_EPOCH;
    private int baseSequence = RecordBatch.NO_SEQUENCE;
    private int recordCount;
    private int nextOffsetDelta;
    private int lastOffsetDelta = -1;
    private long baseTimestamp = RecordBatch.NO_TIMESTAMP;
    private long maxTimestamp = RecordBatch.NO_TIMESTAMP;

    /** The offset of the first record; 0 unless set. A leader's append stamps its own. */
    public RecordBatchBuilder baseOffset(long offset) {
        baseOffset = offset;
        return this;
    }

    public RecordBatchBuilder leaderEpoch(int epoch) {
        leaderEpoch = epoch;
        return this;
    }

    public RecordBatchBuilder compression(CompressionType type) {
        compression = type;
        return this;
    }

    /** Makes the batch an idempotent producer's. */
    public RecordBatchBuilder producer(long id, short epoch, int firstSequence) {
        producerId = id;
        producerEpoch = epoch;
        baseSequence = firstSequence;
        return this;
    }

    public RecordBatchBuilder transactional() {
        attributes |= RecordBatch.TRANSACTIONAL_FLAG;
        return this;
    }

    public RecordBatchBuilder add(long timestampMs, byte @Nullable [] key, byte @Nullable [] value) {
        return add(timestampMs, key, value, List.of());
    }

    public RecordBatchBuilder add(
            long timestampMs, byte @Nullable [] key, byte @Nullable [] value, List<LogRecord.Header> headers) {
        boolean hasDeleteHorizon = (attributes & RecordBatch.DELETE_HORIZON_FLAG) != 0;
        if (recordCount == 0 && !hasDeleteHorizon) {
            baseTimestamp = timestampMs;
        }
        maxTimestamp = Math.max(maxTimestamp, timestampMs);
        append(timestampMs - baseTimestamp, key, value, headers);
        recordCount++;
        nextOffsetDelta++;
        return this;
    }

    /** The next record's offset is so far from the base offset: compaction leaves holes. */
    RecordBatchBuilder atOffsetDelta(int offsetDelta) {
        nextOffsetDelta = offsetDelta;
        return this;
    }

    /** The batch reaches so far from its base offset, whatever its last record. */
    RecordBatchBuilder lastOffsetDelta(int offsetDelta) {
        lastOffsetDelta = offsetDelta;
        return this;
    }

    /** Must come before the records, whose timestamps count from it (KIP-534). */
    RecordBatchBuilder deleteHorizon(long horizonMs) {
        attributes |= RecordBatch.DELETE_HORIZON_FLAG;
        baseTimestamp = horizonMs;
        return this;
    }

    RecordBatchBuilder control() {
        attributes |= RecordBatch.CONTROL_FLAG;
        return this;
    }

    private void append(
            long timestampDelta, byte @Nullable [] key, byte @Nullable [] value, List<LogRecord.Header> headers) {
        VarInts.writeInt(records, bodyBytes(timestampDelta, key, value, headers));
        records.writeByte(0);
        VarInts.writeLong(records, timestampDelta);
        VarInts.writeInt(records, nextOffsetDelta);
        writeBytes(key);
        writeBytes(value);
        VarInts.writeInt(records, headers.size());
        for (LogRecord.Header header : headers) {
            writeBytes(header.key().getBytes(StandardCharsets.UTF_8));
            writeBytes(header.value());
        }
    }

    private int bodyBytes(
            long timestampDelta, byte @Nullable [] key, byte @Nullable [] value, List<LogRecord.Header> headers) {
        int bytes = 1 + VarInts.sizeOfLong(timestampDelta) + VarInts.sizeOfInt(nextOffsetDelta);
        bytes += sizeOf(key) + sizeOf(value) + VarInts.sizeOfInt(headers.size());
        for (LogRecord.Header header : headers) {
            bytes += sizeOf(header.key().getBytes(StandardCharsets.UTF_8)) + sizeOf(header.value());
        }
        return bytes;
    }

    private static int sizeOf(byte @Nullable [] bytes) {
        return bytes == null ? 1 : VarInts.sizeOfInt(bytes.length) + bytes.length;
    }

    private void writeBytes(byte @Nullable [] bytes) {
        if (bytes == null) {
            VarInts.writeInt(records, -1);
        } else {
            VarInts.writeInt(records, bytes.length);
            records.writeBytes(bytes);
        }
    }

    /**
     * The records of a batch in another compression; producer, sequence and timestamps stand.
     *
     * @throws CorruptBatchException if the batch's records cannot be read
     */
    public static ByteBuf recompressed(RecordBatch batch, CompressionType type) {
        RecordBatchBuilder builder = new RecordBatchBuilder()
                .baseOffset(batch.baseOffset())
                .leaderEpoch(batch.partitionLeaderEpoch())
                .compression(type)
                .producer(batch.producerId(), batch.producerEpoch(), batch.baseSequence());
        if (batch.isTransactional()) {
            builder.transactional();
        }
        for (LogRecord record : batch.records()) {
            builder.add(record.timestamp(), bytesOf(record.key()), bytesOf(record.value()), record.headers());
        }
        ByteBuf rebuilt = builder.build();
        if (batch.timestampType() == TimestampType.LOG_APPEND_TIME) {
            new RecordBatch(rebuilt, 0).stampLogAppendTime(batch.maxTimestamp());
        }
        return rebuilt;
    }

    private static byte @Nullable [] bytesOf(@Nullable ByteBuf buffer) {
        return buffer == null ? null : ByteBufUtil.getBytes(buffer);
    }

    /** Makes this a control batch and adds its record. Kafka puts one record in a control batch, and so do we. */
    public RecordBatchBuilder control(ControlRecordType type, long timestampMs, byte[] value) {
        attributes |= RecordBatch.CONTROL_FLAG;
        return add(timestampMs, type.key(), value);
    }

    /** The count of records so far. */
    public int recordCount() {
        return recordCount;
    }

    /** The size in bytes of the batch, were it built now without compression. */
    public int sizeInBytes() {
        return RecordBatch.HEADER_BYTES + records.readableBytes();
    }

    /**
     * The batch; the caller owns it (on the heap, so that forgetting to release it leaks nothing).
     *
     * @throws IllegalStateException if there are no records
     */
    public ByteBuf build() {
        if (recordCount == 0) {
            throw new IllegalStateException("A batch without records cannot be built; add a record first");
        }
        ByteBuf payload = Codec.compress(compression, records);
        int size = RecordBatch.HEADER_BYTES + payload.readableBytes();
        ByteBuf batch = Unpooled.buffer(size);
        batch.writeLong(baseOffset);
        batch.writeInt(size - RecordBatch.LOG_OVERHEAD_BYTES);
        batch.writeInt(leaderEpoch);
        batch.writeByte(RecordBatch.MAGIC);
        batch.writeInt(0);
        batch.writeShort(attributes | compression.id());
        batch.writeInt(Math.max(lastOffsetDelta, nextOffsetDelta - 1));
        batch.writeLong(baseTimestamp);
        batch.writeLong(maxTimestamp);
        batch.writeLong(producerId);
        batch.writeShort(producerEpoch);
        batch.writeInt(baseSequence);
        batch.writeInt(recordCount);
        batch.writeBytes(payload, payload.readerIndex(), payload.readableBytes());
        batch.setInt(RecordBatch.CRC, new RecordBatch(batch, 0).computeCrc());
        return batch;
    }

    /** A marker that ends a producer's transaction in a partition. */
    public static ByteBuf endTransactionMarker(
            long timestampMs, long producerId, short producerEpoch, boolean commit, int coordinatorEpoch) {
        byte[] value = ByteBuffer.allocate(EndTransactionMarker.VALUE_BYTES)
                .putShort(EndTransactionMarker.VERSION)
                .putInt(coordinatorEpoch)
                .array();
        return new RecordBatchBuilder()
                .producer(producerId, producerEpoch, RecordBatch.NO_SEQUENCE)
                .transactional()
                .control(commit ? ControlRecordType.COMMIT : ControlRecordType.ABORT, timestampMs, value)
                .build();
    }
}

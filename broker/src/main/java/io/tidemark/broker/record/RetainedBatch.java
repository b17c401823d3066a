package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What compaction leaves of a batch. Base and last offset, leader epoch, producer, epoch and base sequence stand, so that
 * the producer's state can still be read out of it; the records keep their offsets and timestamps.
 */
public final class RetainedBatch {
    private RetainedBatch() {}

    /**
     * The batch with some of its records, compressed as it was.
     *
     * @param records at least one, of this batch, in order
     * @param deleteHorizonMs when its tombstones or its marker may go, -1 for none (KIP-534)
     */
    public static ByteBuf of(RecordBatch batch, List<LogRecord> records, long deleteHorizonMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder()
                .baseOffset(batch.baseOffset())
                .lastOffsetDelta(batch.lastOffsetDelta())
                .leaderEpoch(batch.partitionLeaderEpoch())
                .compression(batch.compressionType())
                .producer(batch.producerId(), batch.producerEpoch(), batch.baseSequence());
        if (deleteHorizonMs != RecordBatch.NO_TIMESTAMP) {
            builder.deleteHorizon(deleteHorizonMs);
        }
        if (batch.isTransactional()) {
            builder.transactional();
        }
        if (batch.isControl()) {
            builder.control();
        }
        for (LogRecord record : records) {
            builder.atOffsetDelta((int) (record.offset() - batch.baseOffset()))
                    .add(record.timestamp(), bytesOf(record.key()), bytesOf(record.value()), record.headers());
        }
        ByteBuf rebuilt = builder.build();
        if (batch.timestampType() == TimestampType.LOG_APPEND_TIME) {
            new RecordBatch(rebuilt, 0).stampLogAppendTime(batch.maxTimestamp());
        }
        return rebuilt;
    }

    /** The batch without any record: a header alone, which says that its producer was there. */
    public static ByteBuf empty(RecordBatch batch) {
        ByteBuf header = Unpooled.buffer(RecordBatch.HEADER_BYTES);
        header.writeLong(batch.baseOffset());
        header.writeInt(RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES);
        header.writeInt(batch.partitionLeaderEpoch());
        header.writeByte(RecordBatch.MAGIC);
        header.writeInt(0);
        header.writeShort(batch.attributes() & ~(RecordBatch.COMPRESSION_MASK | RecordBatch.DELETE_HORIZON_FLAG));
        header.writeInt(batch.lastOffsetDelta());
        header.writeLong(RecordBatch.NO_TIMESTAMP);
        header.writeLong(batch.maxTimestamp());
        header.writeLong(batch.producerId());
        header.writeShort(batch.producerEpoch());
        header.writeInt(batch.baseSequence());
        header.writeInt(0);
        header.setInt(RecordBatch.CRC, new RecordBatch(header, 0).computeCrc());
        return header;
    }

    private static byte @Nullable [] bytesOf(@Nullable ByteBuf buffer) {
        return buffer == null ? null : ByteBufUtil.getBytes(buffer);
    }
}

package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.RecordsRejectedException.RecordError;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Says whether batches may be appended by a leader, and makes their timestamps what the topic wants. Offsets are not its
 * business.
 *
 * <p>Records that are not compressed are walked over always. Compressed ones only where the header cannot answer: on a
 * compacted topic, which wants a key of each record, and where a timestamp may be too old or is too new. Kafka looks
 * into every batch; what differs is that damage inside a compressed batch with a right checksum goes unseen here.
 */
public final class ProduceValidator {
    private static final int SHOWN_ERRORS = 3;

    private final TopicPartition partition;
    private final Rules rules;

    /**
     * What the topic asks of its records.
     *
     * @param maxBatchBytes the greatest size of a batch from a client
     * @param maxAppendBytes the greatest size of all that is appended together, a segment's
     * @param keyRequired on a compacted topic
     * @param timestampType whose clock the timestamps are from
     * @param timestampBeforeMaxMs how far a timestamp may lie behind now
     * @param timestampAfterMaxMs how far a timestamp may lie ahead of now
     */
    public record Rules(
            int maxBatchBytes,
            int maxAppendBytes,
            boolean keyRequired,
            TimestampType timestampType,
            long timestampBeforeMaxMs,
            long timestampAfterMaxMs) {}

    public ProduceValidator(TopicPartition partition, Rules rules) {
        this.partition = partition;
        this.rules = rules;
    }

    /**
     * Checks the batches and, where timestamps must change, changes them in the buffer.
     *
     * @return the batches, all whole and valid
     * @throws RecordsRejectedException if one is not; then nothing of offsets or epochs was touched
     */
    public List<RecordBatch> validate(ByteBuf batches, AppendOrigin origin, long nowMs) {
        List<RecordBatch> valid = split(batches, origin);
        for (RecordBatch batch : valid) {
            checkBatch(batch, origin);
            checkRecords(batch, origin, nowMs);
            if (rules.timestampType == TimestampType.LOG_APPEND_TIME) {
                batch.stampLogAppendTime(nowMs);
            }
        }
        return valid;
    }

    private List<RecordBatch> split(ByteBuf batches, AppendOrigin origin) {
        if (batches.readableBytes() > rules.maxAppendBytes) {
            throw rejected(
                    ErrorCode.RECORD_LIST_TOO_LARGE,
                    "Records of " + batches.readableBytes() + " bytes do not fit a segment of " + rules.maxAppendBytes
                            + " bytes (segment.bytes)");
        }
        List<RecordBatch> found = new ArrayList<>(1);
        int bytes = 0;
        int index = batches.readerIndex();
        while (batches.writerIndex() - index >= RecordBatch.HEADER_BYTES) {
            RecordBatch batch = new RecordBatch(batches, index);
            checkFrame(batch, batches.writerIndex() - index);
            found.add(batch);
            bytes += batch.sizeInBytes();
            index += batch.sizeInBytes();
        }
        if (bytes != batches.readableBytes()) {
            throw rejected(
                    ErrorCode.CORRUPT_MESSAGE,
                    "There are " + (batches.readableBytes() - bytes) + " bytes that are no whole batch after " + bytes
                            + " bytes of batches");
        }
        if (origin == AppendOrigin.CLIENT && found.size() != 1) {
            throw rejected(
                    ErrorCode.INVALID_RECORD,
                    "A produce request has " + found.size() + " batches for the partition; expected exactly one");
        }
        return found;
    }

    private void checkFrame(RecordBatch batch, int bytesLeft) {
        if (batch.magic() != RecordBatch.MAGIC) {
            throw rejected(
                    batch.magic() >= 0 && batch.magic() < RecordBatch.MAGIC
                            ? ErrorCode.INVALID_RECORD
                            : ErrorCode.CORRUPT_MESSAGE,
                    "Batch has magic " + batch.magic() + "; expected " + RecordBatch.MAGIC
                            + ", the format of producers since Kafka 0.11");
        }
        // A length near Integer.MAX_VALUE runs over to a negative size, and is refused as such.
        int size = batch.sizeInBytes();
        if (size < RecordBatch.HEADER_BYTES || size > bytesLeft) {
            throw rejected(
                    ErrorCode.CORRUPT_MESSAGE,
                    "Batch claims " + size + " bytes; expected " + RecordBatch.HEADER_BYTES + " to the " + bytesLeft
                            + " that are there");
        }
    }

    private void checkBatch(RecordBatch batch, AppendOrigin origin) {
        if (origin == AppendOrigin.CLIENT && batch.baseOffset() != 0) {
            throw rejected(
                    ErrorCode.INVALID_RECORD,
                    "Batch has base offset " + batch.baseOffset()
                            + "; expected 0, for it is the leader that gives offsets");
        }
        if (origin == AppendOrigin.CLIENT && batch.sizeInBytes() > rules.maxBatchBytes) {
            throw rejected(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "Batch has " + batch.sizeInBytes() + " bytes; expected at most " + rules.maxBatchBytes
                            + " (max.message.bytes)");
        }
        int crc = batch.computeCrc();
        if (crc != batch.crc()) {
            throw rejected(
                    ErrorCode.CORRUPT_MESSAGE,
                    "Batch has checksum " + Integer.toHexString(batch.crc()) + "; its bytes have "
                            + Integer.toHexString(crc));
        }
        int count = batch.recordCount();
        if (count <= 0 || batch.lastOffsetDelta() != count - 1) {
            throw rejected(
                    ErrorCode.INVALID_RECORD,
                    "Batch has " + count + " records and last offset delta " + batch.lastOffsetDelta()
                            + "; expected at least one record, and a delta of one less than their count");
        }
        if (origin == AppendOrigin.CLIENT) {
            checkClientBatch(batch);
        }
    }

    private void checkClientBatch(RecordBatch batch) {
        if (batch.isControl()) {
            throw rejected(ErrorCode.INVALID_RECORD, "Clients may not write control records");
        }
        if (batch.hasProducerId() && batch.baseSequence() < 0) {
            throw rejected(
                    ErrorCode.INVALID_RECORD,
                    "Batch of producer id " + batch.producerId() + " has base sequence " + batch.baseSequence()
                            + "; expected 0 or above");
        }
        if (batch.isTransactional() && !batch.hasProducerId()) {
            throw rejected(ErrorCode.INVALID_RECORD, "Transactional batch has no producer id");
        }
        if (batch.timestampType() == TimestampType.LOG_APPEND_TIME) {
            throw rejected(
                    ErrorCode.INVALID_TIMESTAMP,
                    "Producers may not set the timestamp type to LogAppendTime; that is the topic's to choose");
        }
    }

    private void checkRecords(RecordBatch batch, AppendOrigin origin, long nowMs) {
        boolean createTime = rules.timestampType == TimestampType.CREATE_TIME && origin == AppendOrigin.CLIENT;
        long newest = createTime ? saturatedAdd(nowMs, rules.timestampAfterMaxMs) : Long.MAX_VALUE;
        long oldest = createTime ? saturatedSubtract(nowMs, rules.timestampBeforeMaxMs) : Long.MIN_VALUE;
        if (!mustLookInside(batch, newest, oldest)) {
            return;
        }
        try {
            walk(batch, newest, oldest);
        } catch (CodecMissingException e) {
            throw rejected(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, String.valueOf(e.getMessage()));
        } catch (CorruptBatchException e) {
            throw rejected(ErrorCode.INVALID_RECORD, String.valueOf(e.getMessage()));
        }
    }

    private boolean mustLookInside(RecordBatch batch, long newest, long oldest) {
        CompressionType compression = CompressionType.forId(batch.attributes() & RecordBatch.COMPRESSION_MASK);
        if (compression == null) {
            throw rejected(
                    ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
                    "Batch has compression type " + (batch.attributes() & RecordBatch.COMPRESSION_MASK)
                            + "; expected 0 (none) to 4 (zstd)");
        }
        return compression == CompressionType.NONE || rules.keyRequired || oldest >= 0 || batch.maxTimestamp() > newest;
    }

    private void walk(RecordBatch batch, long newest, long oldest) {
        List<RecordError> unkeyed = new ArrayList<>(0);
        List<RecordError> mistimed = new ArrayList<>(0);
        RecordCursor cursor = RecordIterator.cursor(batch);
        long maxTimestamp = RecordBatch.NO_TIMESTAMP;
        for (int index = 0; cursor.hasNext(); index++) {
            cursor.next();
            if (cursor.offsetDelta() != index) {
                throw new CorruptBatchException("Record " + index + " of a batch has offset delta "
                        + cursor.offsetDelta() + "; expected " + index);
            }
            if (rules.keyRequired && !batch.isControl() && !cursor.hasKey()) {
                unkeyed.add(new RecordError(
                        index,
                        "Compacted topic cannot accept message without key in topic partition " + partition + "."));
            }
            long timestamp = batch.baseTimestamp() + cursor.timestampDelta();
            maxTimestamp = Math.max(maxTimestamp, timestamp);
            if (timestamp != RecordBatch.NO_TIMESTAMP && (timestamp > newest || timestamp < oldest)) {
                mistimed.add(new RecordError(
                        index,
                        "Timestamp " + timestamp + " of record " + index + " is out of range; expected " + oldest
                                + " to " + newest));
            }
        }
        if (cursor.bytesLeft() > 0) {
            throw new CorruptBatchException("There are " + cursor.bytesLeft() + " bytes after a batch's last record");
        }
        rejectIfAny(ErrorCode.INVALID_TIMESTAMP, "an invalid timestamp", mistimed);
        rejectIfAny(ErrorCode.INVALID_RECORD, "no key, on a compacted topic", unkeyed);
        if (batch.maxTimestamp() != maxTimestamp) {
            batch.stampMaxTimestamp(maxTimestamp);
        }
    }

    private void rejectIfAny(ErrorCode code, String problem, List<RecordError> errors) {
        if (!errors.isEmpty()) {
            throw new RecordsRejectedException(
                    code,
                    "In " + partition + ", " + errors.size() + " records have " + problem + ": "
                            + errors.subList(0, Math.min(SHOWN_ERRORS, errors.size())),
                    errors);
        }
    }

    private RecordsRejectedException rejected(ErrorCode code, String problem) {
        return new RecordsRejectedException(code, "In " + partition + ": " + problem);
    }

    private static long saturatedAdd(long a, long b) {
        long sum = a + b;
        return sum < a ? Long.MAX_VALUE : sum;
    }

    private static long saturatedSubtract(long a, long b) {
        return b > a ? -1 : a - b;
    }
}

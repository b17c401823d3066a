package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.log.LogSegment.BatchLocation;
import io.tidemark.broker.log.index.OffsetIndex;
import io.tidemark.broker.record.CompressionType;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds batches and records of one segment: a search in an index, then a scan that the index interval bounds. Reads as
 * few bytes as it can, for to move them is most of what a lookup costs.
 */
final class SegmentSearch {
    /** How much is read at a time: what lies between two index entries at the default interval, and a bit more. */
    static final int CHUNK_BYTES = 5 * 1024;

    /** Of a large batch this much is read in the hope that the record is in it; nearly always it is the first one. */
    private static final int FIRST_RECORDS_BYTES = 2048;

    private final LogSegment segment;

    SegmentSearch(LogSegment segment) {
        this.segment = segment;
    }

    /**
     * The first batch that reaches an offset.
     *
     * @return null where the segment has none
     * @throws CorruptBatchException if there are bytes on the way to it that cannot be a batch
     */
    @Nullable
    BatchLocation locate(long offset) throws IOException {
        BatchScanner scanner = scanTowards(offset);
        while (scanner.next()) {
            RecordBatch batch = scanner.header();
            if (batch.lastOffset() >= offset) {
                return new BatchLocation(scanner.position(), batch.sizeInBytes());
            }
        }
        if (scanner.defect() != null) {
            throw new CorruptBatchException(scanner.defect());
        }
        return null;
    }

    /**
     * A scan that begins at or before the first batch that reaches an offset: where the index says, unless the batch
     * there is not the one that the entry was made for. An index that leads astray must not hide data.
     */
    BatchScanner scanTowards(long offset) throws IOException {
        OffsetIndex.Gap gap = segment.offsetIndex().lookupGap(offset);
        int from = gap.from().position();
        if (from > 0 && from < segment.sizeInBytes()) {
            BatchScanner scanner = segment.scan(from, CHUNK_BYTES);
            if (gap.sizeInBytes() >= 2 * segment.indexIntervalBytes()) {
                // An entry comes with the first batch after an interval is over, so a batch here is larger than that.
                scanner.startWithHeader();
            }
            if (scanner.next() && scanner.header().lastOffset() == gap.from().offset()) {
                scanner.stepBack();
                return scanner;
            }
        }
        return segment.scan(0, CHUNK_BYTES);
    }

    /**
     * The first record of a timestamp or a later one, from an offset on; null where there is none. Like Apache Kafka,
     * and unlike all that hands out records, it does not always read what a checksum covers.
     *
     * @throws CorruptBatchException if the batch that would have it is seen to be damaged
     */
    @Nullable
    TimestampedOffset firstAtOrAfter(long timestamp, long fromOffset) throws IOException {
        long hint = Math.max(segment.timeIndex().lookup(timestamp).offset(), fromOffset);
        BatchScanner scanner = scanTowards(hint);
        while (scanner.next()) {
            RecordBatch header = scanner.header();
            if (header.maxTimestamp() >= timestamp && header.lastOffset() >= fromOffset) {
                TimestampedOffset found = firstIn(header, scanner.position(), timestamp, fromOffset);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private @Nullable TimestampedOffset firstIn(RecordBatch header, int position, long timestamp, long fromOffset)
            throws IOException {
        int size = header.sizeInBytes();
        if (size > FIRST_RECORDS_BYTES && header.compressionType() == CompressionType.NONE) {
            RecordBatch start = new RecordBatch(bytesAt(position, FIRST_RECORDS_BYTES), 0);
            TimestampedOffset found = firstOf(start.firstRecords(FIRST_RECORDS_BYTES), header, timestamp, fromOffset);
            if (found != null) {
                return found;
            }
        }
        return firstOf(wholeBatchAt(position, size).records(), header, timestamp, fromOffset);
    }

    private static @Nullable TimestampedOffset firstOf(
            Iterable<LogRecord> records, RecordBatch header, long timestamp, long fromOffset) {
        for (LogRecord record : records) {
            if (record.timestamp() >= timestamp && record.offset() >= fromOffset) {
                return new TimestampedOffset(record.offset(), record.timestamp(), header.partitionLeaderEpoch());
            }
        }
        return null;
    }

    private RecordBatch wholeBatchAt(int position, int length) throws IOException {
        RecordBatch batch = new RecordBatch(bytesAt(position, length), 0);
        if (!batch.isValid()) {
            throw new CorruptBatchException("In " + segment + " at byte " + position + ": the batch at offset "
                    + batch.baseOffset() + " does not fit its checksum");
        }
        return batch;
    }

    private ByteBuf bytesAt(int position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int count = segment.file().read(bytes, position);
        if (count != length) {
            throw new IOException("Read of " + length + " bytes from byte " + position + " of " + segment + " got "
                    + count + " bytes");
        }
        return Unpooled.wrappedBuffer(bytes.flip());
    }
}

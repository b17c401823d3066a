package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A segment as its cleaner sees it: as it stood when it was looked at. May be read beside the loop, for only its file is
 * touched; a read fails once the log is closed.
 */
public final class SegmentSource {
    /** The most that is read at a time for the sake of headers. */
    public static final int CHUNK_BYTES = 64 * 1024;

    private final LogSegment segment;
    private final long endOffset;
    private final int sizeInBytes;
    private final long maxTimestamp;
    private final int indexBytes;

    SegmentSource(LogSegment segment, long endOffset) {
        this.segment = segment;
        this.endOffset = endOffset;
        this.sizeInBytes = segment.sizeInBytes();
        this.maxTimestamp = segment.maxTimestamp();
        this.indexBytes = segment.indexBytes();
    }

    LogSegment segment() {
        return segment;
    }

    public long baseOffset() {
        return segment.baseOffset();
    }

    /** Where its successor starts, or the log ends. */
    public long endOffset() {
        return endOffset;
    }

    public int sizeInBytes() {
        return sizeInBytes;
    }

    /** The larger of the sizes of its two indexes. */
    public int indexBytes() {
        return indexBytes;
    }

    /** The greatest timestamp of its records, -1 for none. */
    public long maxTimestamp() {
        return maxTimestamp;
    }

    /** The timestamp by which the age of its first record is told; -1 where there is none. */
    public long firstTimestamp() throws IOException {
        BatchScanner scanner = scan(RecordBatch.HEADER_BYTES);
        return scanner.next() ? scanner.header().maxTimestamp() : RecordBatch.NO_TIMESTAMP;
    }

    /** A walk over its batches, from the first on. */
    public Walk walk() {
        return new Walk(scan(CHUNK_BYTES));
    }

    /** Makes its batches durable. Blocks. */
    public void force() throws IOException {
        segment.file().force(false);
    }

    private BatchScanner scan(int chunkBytes) {
        return new BatchScanner(segment.file(), 0, sizeInBytes, segment.baseOffset(), chunkBytes);
    }

    @Override
    public String toString() {
        return "SegmentSource[" + baseOffset() + " to " + endOffset + ", " + sizeInBytes + " bytes]";
    }

    /** Where somebody is who reads a segment batch by batch. */
    public final class Walk {
        private final BatchScanner scanner;

        private Walk(BatchScanner scanner) {
            this.scanner = scanner;
        }

        /**
         * Moves to the next batch; false at the end.
         *
         * @throws CorruptBatchException if there are bytes that cannot be a batch
         */
        public boolean next() throws IOException {
            boolean moved = scanner.next();
            String defect = scanner.defect();
            if (defect != null) {
                throw new CorruptBatchException(defect);
            }
            return moved;
        }

        /** The batch moved to, of which only the header may be asked; good until the next move. */
        public RecordBatch header() {
            return scanner.header();
        }

        /**
         * The batch moved to, read as a whole into memory of its own.
         *
         * @throws CorruptBatchException if its checksum is wrong: what is damaged must not be given a right one
         */
        public RecordBatch batch() throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(scanner.header().sizeInBytes());
            segment.file().read(bytes, scanner.position());
            ByteBuf whole = Unpooled.wrappedBuffer(bytes.flip());
            RecordBatch batch = new RecordBatch(whole, 0);
            if (whole.readableBytes() != scanner.header().sizeInBytes() || !batch.isValid()) {
                throw new CorruptBatchException("In " + segment + " at byte " + scanner.position()
                        + ": the batch at offset " + scanner.header().baseOffset() + " does not fit its checksum");
            }
            return batch;
        }
    }
}

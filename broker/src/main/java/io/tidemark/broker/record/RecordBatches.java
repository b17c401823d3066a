package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A run of batches in memory, one after the other, as a request or a response holds them. The last may be cut off, as
 * in a fetch response that was full; the iteration ends before it.
 */
public final class RecordBatches implements Iterable<RecordBatch> {
    private final ByteBuf buffer;

    private RecordBatches(ByteBuf buffer) {
        this.buffer = buffer;
    }

    /** Sees the readable bytes of the buffer; moves no index. */
    public static RecordBatches of(ByteBuf buffer) {
        return new RecordBatches(buffer);
    }

    /** The size in bytes of the batches that are there as a whole. */
    public int validBytes() {
        int bytes = 0;
        for (RecordBatch batch : this) {
            bytes += batch.sizeInBytes();
        }
        return bytes;
    }

    /**
     * @throws CorruptBatchException from the iteration, at a batch with an impossible length or another magic than 2
     */
    @Override
    public Iterator<RecordBatch> iterator() {
        return new Walk(buffer);
    }

    private static final class Walk implements Iterator<RecordBatch> {
        private final ByteBuf buffer;
        private final int end;
        private int index;

        Walk(ByteBuf buffer) {
            this.buffer = buffer;
            this.index = buffer.readerIndex();
            this.end = buffer.writerIndex();
        }

        @Override
        public boolean hasNext() {
            if (end - index < RecordBatch.HEADER_BYTES) {
                return false;
            }
            int length = buffer.getInt(index + RecordBatch.LENGTH);
            byte magic = buffer.getByte(index + RecordBatch.MAGIC_POSITION);
            if (magic != RecordBatch.MAGIC) {
                throw new CorruptBatchException(
                        "Batch at byte " + index + " has magic " + magic + "; expected " + RecordBatch.MAGIC);
            }
            if (length < RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES) {
                throw new CorruptBatchException("Batch at byte " + index + " has length " + length
                        + "; expected at least " + (RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES));
            }
            return length <= end - index - RecordBatch.LOG_OVERHEAD_BYTES;
        }

        @Override
        public RecordBatch next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            RecordBatch batch = new RecordBatch(buffer, index);
            index += batch.sizeInBytes();
            return batch;
        }
    }
}

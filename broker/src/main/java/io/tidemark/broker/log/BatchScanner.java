package io.tidemark.broker.log;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the batches of a segment file by their headers, without reading what lies between them. Ends at the end
 * that it was given, or before the first bytes that cannot be a batch, and then says why.
 */
final class BatchScanner {
    private static final int CRC_POSITION = 17;
    private static final int CRC_COVERS_FROM = 21;

    /** Where the headers lie farther apart, reading one at a time moves fewer bytes than all that lies between. */
    private static final int SPARSE_BYTES = 2048;

    private final DiskFile file;
    private final int from;
    private final int end;
    private final int chunkBytes;
    /** A copy, so that it stays while the rest of the batch goes through the chunk. */
    private final ByteBuffer headerBytes = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);

    private final RecordBatch header = new RecordBatch(Unpooled.wrappedBuffer(headerBytes), 0);
    /** What was read of the file last, more than a header; there is none before it is needed. */
    private ByteBuffer chunk = ByteBuffer.allocate(0);

    private int chunkStart;
    private int position;
    private int previousPosition;
    private int nextPosition;
    private long leastOffset;
    private boolean startsWithHeader;
    private boolean isSteppedBack;
    private boolean readsAll;
    private @Nullable String defect;
    private @Nullable RecordBatch current;

    /**
     * @param from where the first batch starts
     * @param end where the file is taken to end
     * @param leastOffset the least offset that the first batch may have
     * @param chunkBytes how much is read at a time; at least a header
     */
    BatchScanner(DiskFile file, int from, int end, long leastOffset, int chunkBytes) {
        this.file = file;
        this.end = end;
        this.chunkBytes = Math.max(RecordBatch.HEADER_BYTES, Math.min(chunkBytes, Math.max(0, end - from)));
        this.nextPosition = from;
        this.position = from;
        this.chunkStart = from;
        this.from = from;
        this.leastOffset = leastOffset;
    }

    /** Batches are known to be large here, so that the first header is read alone too. */
    void startWithHeader() {
        startsWithHeader = true;
    }

    /** Has the next move lead to the batch that this one led to. */
    void stepBack() {
        isSteppedBack = true;
    }

    /** Moves to the next batch; false at the end, or at a defect. */
    boolean next() throws IOException {
        if (isSteppedBack) {
            isSteppedBack = false;
            return true;
        }
        current = null;
        previousPosition = position;
        position = nextPosition;
        if (position == end) {
            return false;
        }
        if (end - position < RecordBatch.HEADER_BYTES) {
            return fail((end - position) + " bytes are left; expected a batch's header of " + RecordBatch.HEADER_BYTES);
        }
        RecordBatch batch = headerAt(position);
        String problem = batch == null ? "the file ends inside a header" : problemOf(batch);
        if (problem != null || batch == null) {
            return fail(problem);
        }
        current = batch;
        nextPosition = position + batch.sizeInBytes();
        leastOffset = batch.nextOffset();
        return true;
    }

    private boolean fail(@Nullable String problem) {
        defect = "In " + file.path() + " at byte " + position + ": " + problem;
        return false;
    }

    private @Nullable String problemOf(RecordBatch batch) {
        if (batch.magic() != RecordBatch.MAGIC) {
            return "magic is " + batch.magic() + "; expected " + RecordBatch.MAGIC;
        }
        int size = batch.sizeInBytes();
        if (size < RecordBatch.HEADER_BYTES || size > end - position) {
            return "a batch claims " + size + " bytes; expected " + RecordBatch.HEADER_BYTES + " to the "
                    + (end - position) + " bytes left";
        }
        if (batch.baseOffset() < leastOffset || batch.lastOffsetDelta() < 0) {
            return "a batch has base offset " + batch.baseOffset() + " and last offset delta " + batch.lastOffsetDelta()
                    + "; expected at least " + leastOffset + " and 0";
        }
        return null;
    }

    private @Nullable RecordBatch headerAt(int at) throws IOException {
        headerBytes.clear();
        if (at < chunkStart || at + RecordBatch.HEADER_BYTES > chunkStart + chunk.limit()) {
            if (isSparse(at)) {
                return file.read(headerBytes, at) == RecordBatch.HEADER_BYTES ? header : null;
            }
            readChunk(at);
            if (chunk.limit() < RecordBatch.HEADER_BYTES) {
                return null;
            }
        }
        headerBytes.put(0, chunk, at - chunkStart, RecordBatch.HEADER_BYTES);
        return header;
    }

    private boolean isSparse(int at) {
        return !readsAll && (at == from ? startsWithHeader : at - previousPosition >= SPARSE_BYTES);
    }

    private void readChunk(int at) throws IOException {
        if (chunk.capacity() == 0) {
            chunk = ByteBuffer.allocate(chunkBytes);
        }
        chunk.clear();
        chunk.limit(Math.min(chunk.capacity(), end - at));
        file.read(chunk, at);
        chunk.flip();
        chunkStart = at;
    }

    /** The header of the batch moved to; good until the next move. */
    RecordBatch header() {
        RecordBatch batch = current;
        if (batch == null) {
            throw new IllegalStateException("Scan of " + file.path() + " is not at a batch");
        }
        return batch;
    }

    /** Where the batch starts; after the last, where the batches end. */
    int position() {
        return position;
    }

    /** Why the scan ended before its end; null where it did not. */
    @Nullable
    String defect() {
        return defect;
    }

    /** Reads the whole batch and holds it against its checksum; a batch that fails is a defect. */
    boolean checkCrc() throws IOException {
        readsAll = true;
        RecordBatch batch = header();
        int expected = batch.crc();
        long offset = batch.baseOffset();
        CRC32C crc = new CRC32C();
        int at = position + CRC_COVERS_FROM;
        while (at < nextPosition) {
            if (at < chunkStart || at >= chunkStart + chunk.limit()) {
                readChunk(at);
                if (chunk.limit() == 0) {
                    return fail("the file ends inside a batch");
                }
            }
            int from = at - chunkStart;
            int count = Math.min(chunk.limit() - from, nextPosition - at);
            crc.update(chunk.array(), from, count);
            at += count;
        }
        if ((int) crc.getValue() != expected) {
            return fail("the batch at offset " + offset + " has checksum " + Integer.toHexString(expected)
                    + " (byte " + (position + CRC_POSITION) + "); its bytes have "
                    + Integer.toHexString((int) crc.getValue()));
        }
        return true;
    }
}

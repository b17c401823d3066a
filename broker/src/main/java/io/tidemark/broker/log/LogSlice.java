package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Batches as they lie in one segment file: what a read found. Takes no memory until it is asked for its bytes. It may
 * outlive what it was made from: where the segment was closed, or cut below the slice's end, moving bytes fails with an
 * {@link IOException}, and never gives others than were meant.
 */
public final class LogSlice implements Records {
    private static final int HEADERS_CHUNK_BYTES = 4096;

    static final LogSlice EMPTY = new LogSlice(null, 0, 0);

    private final @Nullable LogSegment segment;
    private final int start;
    private final int size;
    private final int seenTruncations;

    LogSlice(@Nullable LogSegment segment, int start, int size) {
        this.segment = segment;
        this.start = start;
        this.size = size;
        this.seenTruncations = segment == null ? 0 : segment.truncations();
    }

    /** True where the read found nothing below its bound. */
    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * The offset after its last whole batch.
     *
     * @param startOffset the offset that was asked for, which is also the end where there is no whole batch
     */
    long endOffset(long startOffset) throws IOException {
        if (segment == null) {
            return startOffset;
        }
        long end = startOffset;
        BatchScanner scanner = untouched(segment).scan(start, start + size, HEADERS_CHUNK_BYTES);
        while (scanner.next()) {
            end = scanner.header().nextOffset();
        }
        return end;
    }

    @Override
    public int sizeInBytes() {
        return size;
    }

    @Override
    public long transferTo(WritableByteChannel target, long position, long count) throws IOException {
        if (position < 0 || position > size) {
            throw new IllegalArgumentException("Position " + position + " is outside of " + this);
        }
        long wanted = Math.min(count, size - position);
        if (segment == null || wanted <= 0) {
            return 0;
        }
        return untouched(segment).file().transferTo(start + position, wanted, target);
    }

    @Override
    public ByteBuf toByteBuf() throws IOException {
        if (segment == null || size == 0) {
            return Unpooled.EMPTY_BUFFER;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size);
        int count = untouched(segment).file().read(bytes, start);
        if (count != size) {
            throw new IOException("Read of " + this + " got " + count + " bytes; expected " + size);
        }
        return Unpooled.wrappedBuffer(bytes.flip());
    }

    private LogSegment untouched(LogSegment from) throws IOException {
        if (!from.isUntouched(start + size, seenTruncations)) {
            throw new IOException("The log was cut while " + this + " was on its way out; nothing of it may be sent");
        }
        return from;
    }

    @Override
    public String toString() {
        return "LogSlice[" + size + " bytes from byte " + start + " of " + segment + "]";
    }
}

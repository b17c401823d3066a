package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.disk.UnreadableFileException;
import io.tidemark.broker.protocol.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.function.Consumer;
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
    private final Consumer<IOException> onUnreadable;

    LogSlice(@Nullable LogSegment segment, int start, int size) {
        this(segment, start, size, segment == null ? 0 : segment.truncations(), failure -> {});
    }

    private LogSlice(
            @Nullable LogSegment segment,
            int start,
            int size,
            int seenTruncations,
            Consumer<IOException> onUnreadable) {
        this.segment = segment;
        this.start = start;
        this.size = size;
        this.seenTruncations = seenTruncations;
        this.onUnreadable = onUnreadable;
    }

    /** The same, which tells somebody when its file cannot be read, in whatever thread then moves the bytes. */
    public LogSlice whenUnreadable(Consumer<IOException> listener) {
        return new LogSlice(segment, start, size, seenTruncations, listener);
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
        LogSegment from = untouched(segment);
        try {
            return from.file().transferTo(start + position, wanted, target);
        } catch (UnreadableFileException e) {
            onUnreadable.accept(e);
            throw e;
        }
    }

    @Override
    public ByteBuf toByteBuf() throws IOException {
        if (segment == null || size == 0) {
            return Unpooled.EMPTY_BUFFER;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size);
        LogSegment from = untouched(segment);
        int count;
        try {
            count = from.file().read(bytes, start);
        } catch (IOException e) {
            if (!(e.getCause() instanceof ClosedChannelException)) {
                onUnreadable.accept(e);
            }
            throw e;
        }
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

package io.tidemark.broker.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames together from the bytes that arrive: four bytes of length, big-endian, then as many bytes.
 *
 * <p>Memory grows with what has arrived, never with what a length claims; a length that is negative or above the limit
 * is refused before anything else is read.
 */
final class FrameAssembler {
    private static final int LENGTH_BYTES = 4;

    private final ByteBufAllocator allocator;
    private final int maxFrameBytes;
    private @Nullable ByteBuf gathered;

    FrameAssembler(ByteBufAllocator allocator, int maxFrameBytes) {
        this.allocator = allocator;
        this.maxFrameBytes = maxFrameBytes;
    }

    /** Takes bytes in, and the reference to them. */
    void add(ByteBuf bytes) {
        ByteBuf before = gathered;
        if (before == null) {
            gathered = bytes;
            return;
        }
        ByteBuf target = roomFor(before, bytes.readableBytes());
        target.writeBytes(bytes);
        bytes.release();
        gathered = target;
    }

    /** The same buffer where nobody else holds on to it and there is room, else a bigger one with what is unread. */
    private ByteBuf roomFor(ByteBuf buffer, int more) {
        if (buffer.refCnt() == 1 && !buffer.isReadOnly() && buffer.maxWritableBytes() >= more) {
            if (buffer.writableBytes() < more) {
                buffer.discardReadBytes();
            }
            return buffer;
        }
        ByteBuf bigger = allocator.buffer(Math.max(1024, 2 * (buffer.readableBytes() + more)));
        bigger.writeBytes(buffer);
        buffer.release();
        return bigger;
    }

    /** True where {@link #next()} would give a frame, or would throw. */
    boolean hasNext() throws MalformedFrameException {
        ByteBuf buffer = gathered;
        if (buffer == null || buffer.readableBytes() < LENGTH_BYTES) {
            return false;
        }
        return buffer.readableBytes() - LENGTH_BYTES >= checkedLength(buffer);
    }

    /**
     * The next whole frame without its length, or null where more bytes must come first. The caller owns one
     * reference.
     *
     * @throws MalformedFrameException if the length that came is negative or above the limit
     */
    @Nullable
    ByteBuf next() throws MalformedFrameException {
        ByteBuf buffer = gathered;
        if (buffer == null || !hasNext()) {
            return null;
        }
        ByteBuf frame = buffer.readRetainedSlice(readLength(buffer));
        if (!buffer.isReadable()) {
            gathered = null;
            buffer.release();
        }
        return frame;
    }

    private static int readLength(ByteBuf buffer) {
        return buffer.readInt();
    }

    private int checkedLength(ByteBuf buffer) throws MalformedFrameException {
        int length = buffer.getInt(buffer.readerIndex());
        if (length < 0 || length > maxFrameBytes) {
            throw new MalformedFrameException("A frame claims a length of [" + length + "] bytes; expected 0 to "
                    + maxFrameBytes + " (socket.request.max.bytes). The peer speaks another protocol, or the limit is"
                    + " too low");
        }
        return length;
    }

    /** Gives back what is left. */
    void release() {
        ByteBuf buffer = gathered;
        gathered = null;
        if (buffer != null) {
            buffer.release();
        }
    }
}

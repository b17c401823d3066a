package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * A frame on its way out: buffers, and between them records that may still lie in a file and leave by sendfile.
 *
 * @param parts in order; without the four length bytes, which the door writes
 */
public record OutboundFrame(List<Part> parts) {
    public OutboundFrame {
        parts = List.copyOf(parts);
    }

    /** The frame's length in bytes, which is also what its length field will say. */
    public int sizeInBytes() {
        int size = 0;
        for (Part part : parts) {
            size = Math.addExact(size, part.sizeInBytes());
        }
        return size;
    }

    /** Gives back every buffer, for a frame that will not be sent. */
    public void release() {
        for (Part part : parts) {
            if (part instanceof Bytes bytes) {
                bytes.buffer().release();
            }
        }
    }

    /** A stretch of a frame. */
    public sealed interface Part permits Bytes, RecordBytes {
        int sizeInBytes();
    }

    /** Bytes in memory; the frame owns one reference. */
    public record Bytes(ByteBuf buffer) implements Part {
        @Override
        public int sizeInBytes() {
            return buffer.readableBytes();
        }
    }

    /** Records, wherever they lie. */
    public record RecordBytes(Records records) implements Part {
        @Override
        public int sizeInBytes() {
            return records.sizeInBytes();
        }
    }
}

package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** Records in memory: a view of a buffer that somebody else owns. Equal where the bytes are. */
public final class BufferRecords implements Records {
    public static final BufferRecords EMPTY = new BufferRecords(Unpooled.EMPTY_BUFFER);

    private final ByteBuf buffer;

    /** A view of the buffer's readable bytes, which takes no reference. */
    public BufferRecords(ByteBuf buffer) {
        this.buffer = buffer.slice();
    }

    @Override
    public int sizeInBytes() {
        return buffer.readableBytes();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position, long count) throws IOException {
        int from = Math.toIntExact(position);
        int length = (int) Math.min(count, sizeInBytes() - from);
        return length <= 0 ? 0 : target.write(buffer.nioBuffer(buffer.readerIndex() + from, length));
    }

    @Override
    public ByteBuf toByteBuf() {
        return buffer.slice();
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof BufferRecords other && buffer.equals(other.buffer);
    }

    @Override
    public int hashCode() {
        return buffer.hashCode();
    }

    @Override
    public String toString() {
        return sizeInBytes() + " bytes of records";
    }
}

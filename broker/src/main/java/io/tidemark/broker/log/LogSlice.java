package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.Records;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * Batches as they lie in one segment file: what a read found. Takes no memory until it is asked for its bytes, and may
 * outlive its segment, after which moving bytes fails with an {@link IOException}.
 */
public final class LogSlice implements Records {
    static final LogSlice EMPTY = new LogSlice();

    private LogSlice() {}

    /** True where the read found nothing below its bound. */
    public boolean isEmpty() {
        return sizeInBytes() == 0;
    }

    @Override
    public int sizeInBytes() {
        return 0;
    }

    @Override
    public long transferTo(WritableByteChannel target, long position, long count) throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    public ByteBuf toByteBuf() throws IOException {
        return Unpooled.EMPTY_BUFFER;
    }
}

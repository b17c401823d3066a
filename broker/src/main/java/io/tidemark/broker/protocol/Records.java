package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** Record batches inside a message: bytes in memory, or a stretch of a segment file. */
public interface Records {
    int sizeInBytes();

    /**
     * Moves bytes to a channel; from a file, without a copy through this process where the system can.
     *
     * @param position where to start, in bytes from the start of these records
     * @param count the most to move, in bytes
     * @return the count moved; 0 where the channel takes none now
     * @throws IOException if the bytes are no longer there, or the channel fails
     */
    long transferTo(WritableByteChannel target, long position, long count) throws IOException;

    /** The bytes in memory: a view where they already are there, else a copy. The caller does not own a reference. */
    ByteBuf toByteBuf() throws IOException;
}

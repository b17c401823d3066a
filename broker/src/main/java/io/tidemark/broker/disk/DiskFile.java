package io.tidemark.broker.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open file. Positions and counts are in bytes. */
public interface DiskFile extends Closeable {
    Path path();

    long size() throws IOException;

    /** Reads at a position until the buffer is full or the file ends; the count read, -1 at or after the end. */
    int read(ByteBuffer target, long position) throws IOException;

    /** Writes all that remains of the buffer at a position. */
    void write(ByteBuffer source, long position) throws IOException;

    /**
     * Moves bytes to a channel without passing through this process where the system can (sendfile).
     *
     * @return the count moved, possibly fewer than asked, 0 where the target takes none now or the file ends
     */
    long transferTo(long position, long count, WritableByteChannel target) throws IOException;

    void truncate(long size) throws IOException;

    /** Blocks until content (and, asked for, metadata) is durable. */
    void force(boolean metadata) throws IOException;
}

package io.tidemark.broker.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A mapped file. Closing it unmaps at once; the buffer must not be used after that. */
public interface MappedFile extends Closeable {
    Path path();

    /** The mapping, big-endian, at its full length. */
    ByteBuffer buffer();

    /** Blocks until what was written is durable. */
    void force() throws IOException;

    /** Unmaps, and cuts the file to this length in bytes. */
    void closeAt(long sizeBytes) throws IOException;
}

package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A mapped file. Force may come from beside the loop while the loop closes, and to touch an unmapped page ends the
 * process, so these two exclude each other.
 */
final class FileSystemMappedFile implements MappedFile {
    private final Path path;
    private final Mapping mapping;
    private final boolean forces;
    private boolean closed;

    /** @param forces whether a force has an effect */
    FileSystemMappedFile(Path path, Mapping mapping, boolean forces) {
        this.path = path;
        this.mapping = mapping;
        this.forces = forces;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public synchronized ByteBuffer buffer() {
        if (closed) {
            throw new IllegalStateException("Mapping of " + path + " is closed");
        }
        MappedByteBuffer buffer = mapping.buffer();
        return buffer;
    }

    @Override
    public synchronized void force() throws IOException {
        if (closed) {
            throw new IOException("Cannot force " + path + ": its mapping is closed");
        }
        if (forces) {
            mapping.buffer().force();
        }
    }

    @Override
    public synchronized void closeAt(long sizeBytes) throws IOException {
        if (closed) {
            return;
        }
        close();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(sizeBytes);
        } catch (IOException e) {
            throw FileSystemDisk.failed("truncate to " + sizeBytes + " bytes", path, e);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            mapping.unmap();
        }
    }
}

package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskOperation.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A mapped file of a simulated disk: the buffer is the file's own bytes. */
final class SimulatedMappedFile implements MappedFile {
    private final SimulatedDisk disk;
    private final Path path;
    private final SimulatedContent content;
    private final ByteBuffer buffer;
    private final int generation;
    private boolean closed;

    SimulatedMappedFile(SimulatedDisk disk, Path path, SimulatedContent content, ByteBuffer buffer, int generation) {
        this.disk = disk;
        this.path = path;
        this.content = content;
        this.buffer = buffer;
        this.generation = generation;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public ByteBuffer buffer() {
        synchronized (disk) {
            if (closed) {
                throw new IllegalStateException("Mapping of " + path + " is closed");
            }
            return buffer;
        }
    }

    @Override
    public void force() throws IOException {
        synchronized (disk) {
            SimulatedDisk.doing("force", path, () -> {
                if (closed || !disk.isOfThisProcess(generation)) {
                    throw new IOException("its mapping is closed");
                }
                disk.pass(DiskOperation.of(Kind.FORCE, path));
                content.bytes.force();
                return true;
            });
        }
    }

    @Override
    public void closeAt(long sizeBytes) throws IOException {
        synchronized (disk) {
            if (closed) {
                return;
            }
            close();
            SimulatedDisk.doing("truncate to " + sizeBytes + " bytes", path, () -> {
                disk.pass(new DiskOperation(Kind.TRUNCATE, path, sizeBytes, 0));
                if (sizeBytes < content.bytes.size()) {
                    content.bytes.resize(sizeBytes);
                }
                return true;
            });
        }
    }

    @Override
    public void close() {
        synchronized (disk) {
            if (!closed) {
                closed = true;
                if (disk.isOfThisProcess(generation)) {
                    content.bytes.unmap();
                }
            }
        }
    }
}

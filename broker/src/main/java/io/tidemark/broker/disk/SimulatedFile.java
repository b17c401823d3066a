package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskOperation.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open file of a simulated disk. After close, or the end of its process, every call fails. */
final class SimulatedFile implements DiskFile {
    private final SimulatedDisk disk;
    private final Path path;
    private final SimulatedContent content;
    private final int generation;
    private final boolean writable;
    private boolean closed;

    SimulatedFile(SimulatedDisk disk, Path path, SimulatedContent content, int generation, boolean writable) {
        this.disk = disk;
        this.path = path;
        this.content = content;
        this.generation = generation;
        this.writable = writable;
    }

    @Override
    public Path path() {
        return path;
    }

    private void begin(DiskOperation operation) throws IOException {
        if (closed || !disk.isOfThisProcess(generation)) {
            throw new ClosedChannelException();
        }
        if (operation.kind().changes() && operation.kind() != Kind.FORCE && !writable) {
            throw new java.nio.channels.NonWritableChannelException();
        }
        disk.pass(operation);
    }

    @Override
    public long size() throws IOException {
        synchronized (disk) {
            return SimulatedDisk.doing("take the size of", path, () -> {
                begin(DiskOperation.of(Kind.LOOK_UP, path));
                return (long) content.bytes.size();
            });
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        synchronized (disk) {
            return SimulatedDisk.doing("read at byte " + position + " of", path, () -> {
                begin(new DiskOperation(Kind.READ, path, position, target.remaining()));
                return content.bytes.read(target, position);
            });
        }
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        synchronized (disk) {
            SimulatedDisk.doing("write at byte " + position + " of", path, () -> {
                begin(new DiskOperation(Kind.WRITE, path, position, source.remaining()));
                byte[] data = new byte[source.remaining()];
                source.get(data);
                content.bytes.write(data, position);
                return true;
            });
        }
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        ByteBuffer bytes;
        synchronized (disk) {
            begin(new DiskOperation(Kind.READ, path, position, count));
            bytes = ByteBuffer.allocate((int) Math.max(0, Math.min(count, content.bytes.size() - position)));
            content.bytes.read(bytes, position);
        }
        return target.write(bytes.flip());
    }

    @Override
    public void truncate(long size) throws IOException {
        synchronized (disk) {
            SimulatedDisk.doing("truncate to " + size + " bytes", path, () -> {
                begin(new DiskOperation(Kind.TRUNCATE, path, size, 0));
                if (size < content.bytes.size()) {
                    content.bytes.resize(size);
                }
                return true;
            });
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        synchronized (disk) {
            SimulatedDisk.doing("force", path, () -> {
                begin(DiskOperation.of(Kind.FORCE, path));
                content.bytes.force();
                return true;
            });
        }
    }

    @Override
    public void close() {
        synchronized (disk) {
            closed = true;
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

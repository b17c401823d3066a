package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open file of a {@link PowerLossDisk}. */
final class TrackedHandle implements DiskFile {
    private final DiskFile open;
    private final TrackedFile file;

    TrackedHandle(DiskFile open, TrackedFile file) {
        this.open = open;
        this.file = file;
    }

    @Override
    public Path path() {
        return open.path();
    }

    @Override
    public long size() throws IOException {
        return open.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return open.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        file.write(open, source, position);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return open.transferTo(position, count, target);
    }

    @Override
    public void truncate(long size) throws IOException {
        file.truncate(open, size);
    }

    @Override
    public void force(boolean metadata) throws IOException {
        file.force(open, () -> open.force(metadata));
    }

    @Override
    public void close() throws IOException {
        open.close();
    }

    @Override
    public String toString() {
        return open.toString();
    }
}

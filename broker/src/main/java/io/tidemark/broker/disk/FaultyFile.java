package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskOperation.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open file of a {@link FaultyDisk}. */
final class FaultyFile implements DiskFile {
    private final DiskFile under;
    private final Path path;
    private final DiskFaults faults;

    FaultyFile(DiskFile under, Path path, DiskFaults faults) {
        this.under = under;
        this.path = path;
        this.faults = faults;
    }

    @Override
    public Path path() {
        return path;
    }

    private void pass(String attempt, DiskOperation operation) throws IOException {
        try {
            faults.pass(operation);
        } catch (IOException e) {
            throw FileSystemDisk.failed(attempt, path, e);
        }
    }

    @Override
    public long size() throws IOException {
        pass("take the size of", DiskOperation.of(Kind.LOOK_UP, path));
        return under.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        pass("read at byte " + position + " of", new DiskOperation(Kind.READ, path, position, target.remaining()));
        return under.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        pass("write at byte " + position + " of", new DiskOperation(Kind.WRITE, path, position, source.remaining()));
        if (!faults.isLimited()) {
            under.write(source, position);
            return;
        }
        long growth = position + source.remaining() - under.size();
        long missing = growth - faults.take(growth);
        int wanted = source.limit();
        source.limit((int) Math.max(source.position(), wanted - Math.max(0, missing)));
        under.write(source, position);
        source.limit(wanted);
        if (source.hasRemaining()) {
            throw FileSystemDisk.failed("write at byte " + position + " of", path, DiskFaults.full());
        }
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        pass("read at byte " + position + " of", new DiskOperation(Kind.READ, path, position, count));
        return under.transferTo(position, count, target);
    }

    @Override
    public void truncate(long size) throws IOException {
        pass("truncate to " + size + " bytes", new DiskOperation(Kind.TRUNCATE, path, size, 0));
        long freed = faults.isLimited() ? Math.max(0, under.size() - size) : 0;
        under.truncate(size);
        faults.giveBack(freed);
    }

    @Override
    public void force(boolean metadata) throws IOException {
        pass("force", DiskOperation.of(Kind.FORCE, path));
        under.force(metadata);
    }

    @Override
    public void close() throws IOException {
        under.close();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

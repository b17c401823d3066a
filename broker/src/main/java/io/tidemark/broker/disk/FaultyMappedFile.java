package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskOperation.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A mapped file of a {@link FaultyDisk}. */
final class FaultyMappedFile implements MappedFile {
    private final MappedFile under;
    private final Path path;
    private final DiskFaults faults;

    FaultyMappedFile(MappedFile under, Path path, DiskFaults faults) {
        this.under = under;
        this.path = path;
        this.faults = faults;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public ByteBuffer buffer() {
        return under.buffer();
    }

    @Override
    public void force() throws IOException {
        try {
            faults.pass(DiskOperation.of(Kind.FORCE, path));
        } catch (IOException e) {
            throw FileSystemDisk.failed("force", path, e);
        }
        under.force();
    }

    @Override
    public void closeAt(long sizeBytes) throws IOException {
        try {
            faults.pass(new DiskOperation(Kind.TRUNCATE, path, sizeBytes, 0));
        } catch (IOException e) {
            under.close();
            throw FileSystemDisk.failed("truncate to " + sizeBytes + " bytes", path, e);
        }
        under.closeAt(sizeBytes);
    }

    @Override
    public void close() throws IOException {
        under.close();
    }
}

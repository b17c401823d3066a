package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A mapped file of a {@link PowerLossDisk}. Closed without a cut it stays noted as mapped, which costs a look at the
 * file once anybody writes to it, and else nothing.
 */
final class TrackedMapping implements MappedFile {
    private final Disk disk;
    private final MappedFile mapped;
    private final TrackedFile file;

    TrackedMapping(Disk disk, MappedFile mapped, TrackedFile file) {
        this.disk = disk;
        this.mapped = mapped;
        this.file = file;
    }

    @Override
    public Path path() {
        return mapped.path();
    }

    @Override
    public ByteBuffer buffer() {
        return mapped.buffer();
    }

    @Override
    public void force() throws IOException {
        try (DiskFile open = disk.openReadOnly(mapped.path())) {
            file.force(open, mapped::force);
        }
    }

    @Override
    public void closeAt(long sizeBytes) throws IOException {
        try (DiskFile open = disk.openReadOnly(mapped.path())) {
            mapped.closeAt(sizeBytes);
            file.unmapped(open, sizeBytes);
        }
    }

    @Override
    public void close() throws IOException {
        mapped.close();
    }
}

package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** How a small file gets new content on a disk that keeps account of each step: a file beside it, put in its place. */
final class WriteBeside {
    private static final String SUFFIX = ".tmp";

    private WriteBeside() {}

    /** As {@link Disk#replace}. */
    static void durably(Disk disk, Path file, byte[] content) throws IOException {
        write(disk, file, content, true);
        disk.forceDirectory(file.resolveSibling(""));
    }

    /** As {@link Disk#rewrite}. */
    static void unforced(Disk disk, Path file, byte[] content) throws IOException {
        write(disk, file, content, false);
    }

    private static void write(Disk disk, Path file, byte[] content, boolean force) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + SUFFIX);
        disk.delete(beside);
        try (DiskFile open = disk.open(beside)) {
            open.write(ByteBuffer.wrap(content), 0);
            if (force) {
                open.force(true);
            }
        }
        disk.rename(beside, file);
    }
}

package io.tidemark.broker.disk;

import java.nio.file.Path;

/**
 * Something that a node asks of a disk, before it is done.
 *
 * @param kind what is asked
 * @param path of the file or folder; of a rename, where it goes
 * @param position the first byte, or the new size of a truncation or a mapping, else 0
 * @param bytes how many, where bytes are read or written, else 0
 */
public record DiskOperation(Kind kind, Path path, long position, long bytes) {
    /** What may be asked of a disk. */
    public enum Kind {
        READ,
        LOOK_UP,
        CREATE,
        WRITE,
        TRUNCATE,
        MAP,
        FORCE,
        RENAME,
        DELETE,
        CREATE_FOLDER,
        FORCE_FOLDER;

        /** Whether the disk is another one afterwards. */
        public boolean changes() {
            return this != READ && this != LOOK_UP;
        }
    }

    static DiskOperation of(Kind kind, Path path) {
        return new DiskOperation(kind, path, 0, 0);
    }
}

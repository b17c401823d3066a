package io.tidemark.broker.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The disk door of one node. Paths are absolute. Failures are {@link IOException}s whose message names the path and
 * what was attempted.
 */
public interface Disk {
    /** Opens for reading and writing, and creates the file where there is none. */
    DiskFile open(Path file) throws IOException;

    /** Opens for reading only. */
    DiskFile openReadOnly(Path file) throws IOException;

    /**
     * Maps a file for reading and writing, at a length of {@code sizeBytes} (a sparse file where it grows), and
     * creates it where there is none.
     */
    MappedFile map(Path file, long sizeBytes) throws IOException;

    /**
     * Gives a file that is not longer the length that it is to have, where what is new takes no blocks and reads as
     * zeros; creates it where there is none. A disk without such files leaves it to later writes.
     */
    default void extend(Path file, long sizeBytes) throws IOException {}

    boolean exists(Path path) throws IOException;

    /** Length in bytes. */
    long size(Path file) throws IOException;

    /** The whole of a small file. */
    byte[] readAll(Path file) throws IOException;

    /** Replaces a small file so that a crash leaves the old or the new whole: write beside, force, rename, force folder. */
    void replace(Path file, byte[] content) throws IOException;

    /**
     * As {@link #replace}, but leaves it to the system when the new content becomes durable: a killed process leaves
     * the old or the new whole, a power loss may leave either or what is torn, but nothing of a rewrite before that was
     * never finished.
     */
    void rewrite(Path file, byte[] content) throws IOException;

    boolean isDirectory(Path path) throws IOException;

    /**
     * Takes a lock that no other holder in this or another process can have at the same time, on a file that is created
     * where there is none. Closing it gives it up; so does the end of the process.
     *
     * @return null where another one holds it
     */
    @Nullable
    Closeable lock(Path file) throws IOException;

    /** The entries of a folder, in name order. Empty where the folder is missing. */
    List<Path> list(Path directory) throws IOException;

    void createDirectories(Path directory) throws IOException;

    /** Atomically renames a file or a folder, replacing a file at the target. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file or an empty folder; does nothing where there is none. */
    void delete(Path path) throws IOException;

    /** Makes the folder's entries (creations, renames, deletions) durable. */
    void forceDirectory(Path directory) throws IOException;

    /** The room on the volume that a folder is on. */
    default DiskSpace space(Path directory) throws IOException {
        return DiskSpace.UNKNOWN;
    }

    /**
     * What the system keeps of this disk's files in memory.
     *
     * @throws UnsupportedOperationException if this disk, or what this process runs on, gives no control of it; the
     *     message says what to do
     */
    default PageCache pageCache() {
        throw new UnsupportedOperationException("Page cache control is not available: a "
                + getClass().getSimpleName() + " has no page cache; use the file system's disk");
    }
}

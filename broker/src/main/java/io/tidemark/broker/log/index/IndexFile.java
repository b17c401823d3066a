package io.tidemark.broker.log.index;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.disk.MappedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of entries of one fixed size. While its segment is written to it has its greatest size, sparse, and what lies
 * after the last entry is zeros; when it is trimmed it holds its entries and nothing else. It need not be there, and is
 * not mapped, before there is an entry: most logs of a test never grow to their first. The mapping never escapes, so that
 * it cannot be touched after it is undone.
 *
 * <p>Crash policy: a file is believed only after an orderly close, or for a segment below the recovery point, which was
 * forced together with its indexes. Else it is emptied and filled again from the log.
 */
final class IndexFile {
    private final Disk disk;
    private final int entryBytes;
    private final int maxEntries;
    private Path path;
    private int entries;
    /** Whether the file has its greatest size. */
    private boolean isExtended;

    private @Nullable MappedFile mapped;
    private @Nullable ByteBuffer buffer;

    IndexFile(Disk disk, Path path, int entryBytes, int maxBytes) {
        this.disk = disk;
        this.path = path;
        this.entryBytes = entryBytes;
        this.maxEntries = Math.max(1, maxBytes / entryBytes);
    }

    /** Takes the entries that the file has, from an orderly close; false where its size cannot be right. */
    boolean load() throws IOException {
        entries = 0;
        isExtended = false;
        if (!disk.exists(path)) {
            return false;
        }
        long size = disk.size(path);
        if (size % entryBytes != 0 || size > Integer.MAX_VALUE) {
            return false;
        }
        entries = (int) (size / entryBytes);
        return true;
    }

    Path path() {
        return path;
    }

    int entries() {
        return entries;
    }

    int maxEntries() {
        return maxEntries;
    }

    int intAt(int entry, int field) {
        return mapping().getInt(entry * entryBytes + field);
    }

    long longAt(int entry, int field) {
        return mapping().getLong(entry * entryBytes + field);
    }

    private ByteBuffer mapping() {
        ByteBuffer open = buffer;
        if (open == null) {
            throw new IllegalStateException("Index " + path + " is read before it is mapped");
        }
        return open;
    }

    /** Must come before reads: maps the file at its own length. */
    void map() throws IOException {
        if (mapped == null && entries > 0) {
            map(isExtended ? Math.max(maxEntries, entries) : entries);
        }
    }

    /** Gives the file its greatest size, as long as its segment is written to. */
    void extend() throws IOException {
        if (!isExtended) {
            disk.extend(path, (long) Math.max(maxEntries, entries) * entryBytes);
            isExtended = true;
        }
    }

    private void map(int capacity) throws IOException {
        MappedFile file = disk.map(path, (long) capacity * entryBytes);
        mapped = file;
        buffer = file.buffer();
    }

    /** The place of the next entry, to be filled by the caller; the entry counts from here on. */
    ByteBuffer add() throws IOException {
        ByteBuffer open = buffer;
        if (open == null || open.capacity() < (entries + 1) * entryBytes) {
            release();
            map(Math.max(maxEntries, entries + 1));
            isExtended = true;
            open = mapping();
        }
        open.position(entries * entryBytes);
        entries++;
        return open;
    }

    /** Forgets all entries from this one on. */
    void cutTo(int count) {
        entries = Math.min(entries, count);
    }

    /** Empties the index, and removes whatever the file holds. */
    void reset() throws IOException {
        release();
        entries = 0;
        isExtended = false;
        disk.delete(path);
    }

    /** Cuts the file to its entries and lets go of the mapping; a later use maps again. */
    void trim() throws IOException {
        MappedFile file = mapped;
        if (file == null) {
            try (DiskFile open = disk.open(path)) {
                if (open.size() > (long) entries * entryBytes) {
                    open.truncate((long) entries * entryBytes);
                }
            }
            isExtended = false;
            return;
        }
        isExtended = false;
        mapped = null;
        buffer = null;
        file.closeAt((long) entries * entryBytes);
    }

    /** Lets go of the mapping and leaves the file as it is. */
    void release() throws IOException {
        MappedFile file = mapped;
        mapped = null;
        buffer = null;
        if (file != null) {
            file.close();
        }
    }

    /** The file was renamed. A mapping stays good. */
    void moved(Path newPath) {
        path = newPath;
    }
}

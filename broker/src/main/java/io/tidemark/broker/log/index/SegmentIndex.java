package io.tidemark.broker.log.index;

import io.tidemark.broker.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/** What an index of a segment is, whatever its entries say: a file of them that grows, shrinks and moves with its segment. */
public abstract sealed class SegmentIndex permits OffsetIndex, TimeIndex {
    final IndexFile file;
    final long baseOffset;
    private final int entryBytes;

    SegmentIndex(Disk disk, Path path, int entryBytes, long baseOffset, int maxBytes) {
        this.file = new IndexFile(disk, path, entryBytes, maxBytes);
        this.baseOffset = baseOffset;
        this.entryBytes = entryBytes;
    }

    public final Path path() {
        return file.path();
    }

    public final int entries() {
        return file.entries();
    }

    /** The size of its entries, whatever the size of its file. */
    public final int sizeInBytes() {
        return file.entries() * entryBytes;
    }

    /** Gives the file its greatest size: its segment is written to from now on. */
    public final void extend() throws IOException {
        file.extend();
    }

    /** Empties the index, for a rebuild. */
    public final void reset() throws IOException {
        file.reset();
    }

    /** Cuts the file to its entries: its segment will not be written to for now. */
    public final void trim() throws IOException {
        file.trim();
    }

    /** Lets go of the file as it is, as a killed process does. */
    public final void release() throws IOException {
        file.release();
    }

    public final void moved(Path newPath) {
        file.moved(newPath);
    }
}

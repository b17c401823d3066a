package io.tidemark.broker.log.index;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction index of a segment, {@code .txnindex}: the transactions whose abort marker lies in the segment, in the
 * order of the markers. Few segments have one, and only those have the file.
 *
 * <pre>
 * position  size  field of an entry
 *        0     2  version, 0
 *        2     8  producer id
 *       10     8  first offset of the transaction, which may lie in an older segment
 *       18     8  last offset: that of the marker
 *       26     8  last stable offset after the marker
 * </pre>
 *
 * <p>Crash policy: rebuilt from the log and the producers' state after a crash, never trusted. A segment below the
 * recovery point was forced together with its index.
 */
public final class TransactionIndex {
    static final int ENTRY_BYTES = 34;
    private static final short VERSION = 0;

    private final Disk disk;
    private final long baseOffset;
    private final List<AbortedTransaction> entries = new ArrayList<>();
    private Path path;
    private @Nullable DiskFile file;

    public TransactionIndex(Disk disk, Path path, long baseOffset) {
        this.disk = disk;
        this.path = path;
        this.baseOffset = baseOffset;
    }

    /**
     * Takes over the file as an orderly close left it, or none.
     *
     * @return false where it cannot be right, and must be rebuilt
     */
    public boolean load() throws IOException {
        entries.clear();
        if (!disk.exists(path)) {
            return true;
        }
        ByteBuffer bytes = ByteBuffer.wrap(disk.readAll(path));
        while (bytes.remaining() >= ENTRY_BYTES) {
            short version = bytes.getShort();
            AbortedTransaction entry =
                    new AbortedTransaction(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
            if (version != VERSION || !follows(entry)) {
                return false;
            }
            entries.add(entry);
        }
        return !bytes.hasRemaining();
    }

    private boolean follows(AbortedTransaction entry) {
        long above = entries.isEmpty()
                ? baseOffset - 1
                : entries.get(entries.size() - 1).lastOffset();
        return entry.firstOffset() >= 0 && entry.firstOffset() <= entry.lastOffset() && entry.lastOffset() > above;
    }

    public Path path() {
        return path;
    }

    /** All entries, in the order of their markers. */
    public List<AbortedTransaction> entries() {
        return Collections.unmodifiableList(entries);
    }

    /** Adds a transaction whose marker lies above all that are known. */
    public void append(AbortedTransaction entry) throws IOException {
        if (!follows(entry)) {
            throw new IllegalArgumentException("Index " + path + " cannot take " + entry + " after " + entries.size()
                    + " entries: its offsets are" + " not in order");
        }
        DiskFile open = file;
        if (open == null) {
            open = disk.open(path);
            file = open;
        }
        ByteBuffer bytes = ByteBuffer.allocate(ENTRY_BYTES)
                .putShort(VERSION)
                .putLong(entry.producerId())
                .putLong(entry.firstOffset())
                .putLong(entry.lastOffset())
                .putLong(entry.lastStableOffset());
        open.write(bytes.flip(), (long) entries.size() * ENTRY_BYTES);
        entries.add(entry);
    }

    /** Removes the transactions whose marker lies at or above an offset. */
    public void truncateTo(long offset) throws IOException {
        int count = entries.size();
        while (count > 0 && entries.get(count - 1).lastOffset() >= offset) {
            count--;
        }
        if (count == entries.size()) {
            return;
        }
        entries.subList(count, entries.size()).clear();
        if (count == 0) {
            reset();
            return;
        }
        DiskFile open = file == null ? disk.open(path) : file;
        file = open;
        open.truncate((long) count * ENTRY_BYTES);
    }

    /** Empties the index, for a rebuild. */
    public void reset() throws IOException {
        release();
        entries.clear();
        disk.delete(path);
    }

    /** Lets go of the file as it is, as a killed process does. */
    public void release() throws IOException {
        DiskFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    public void moved(Path newPath) {
        path = newPath;
    }
}

package io.tidemark.broker.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A file of a {@link PowerLossDisk}, wherever its bytes are just now, with or without a name. Writes take its lock, so
 * that what is known of it is what is in it; a force does not, so that appends go on beside it. Cuts and writes over what
 * is there wait for a force that is under way.
 */
final class TrackedFile extends DiskNode.Content {
    private final Disk disk;

    /** Held while the file is forced, and before its own lock. */
    private final Object forces = new Object();

    private Unforced unforced;

    /** What is in it, where it lies nowhere on the disk any more. */
    private byte @Nullable [] saved;

    /** Where it lies; only right while the power is lost. */
    private @Nullable Path where;

    TrackedFile(Disk disk, int size) {
        this.disk = disk;
        this.unforced = new Unforced(size);
    }

    /** What forces the file, or its mapping. */
    @FunctionalInterface
    interface Force {
        void run() throws IOException;
    }

    void write(DiskFile open, ByteBuffer source, long position) throws IOException {
        if (append(open, source, position)) {
            return;
        }
        synchronized (forces) {
            writeOver(open, source, Math.toIntExact(position));
        }
    }

    private synchronized boolean append(DiskFile open, ByteBuffer source, long position) throws IOException {
        if (!unforced.isAppend(position)) {
            return false;
        }
        int end = Math.toIntExact(position + source.remaining());
        try {
            open.write(source, position);
            unforced.appended(end);
            return true;
        } catch (IOException e) {
            unforced.appended(Math.toIntExact(open.size()));
            throw e;
        }
    }

    private synchronized void writeOver(DiskFile open, ByteBuffer source, int position) throws IOException {
        unforced.beforeWrite(position, from(open));
        byte[] data = new byte[source.remaining()];
        source.duplicate().get(data);
        try {
            open.write(source, position);
            unforced.written(position, data);
        } catch (IOException e) {
            unforced.written(position, Arrays.copyOf(data, data.length - source.remaining()));
            throw e;
        }
    }

    void truncate(DiskFile open, long size) throws IOException {
        synchronized (forces) {
            cut(open, size);
        }
    }

    private synchronized void cut(DiskFile open, long size) throws IOException {
        if (size >= unforced.size()) {
            open.truncate(size);
            return;
        }
        unforced.beforeCut(Math.toIntExact(size), from(open));
        open.truncate(size);
        unforced.resized(Math.toIntExact(size));
    }

    void force(DiskFile open, Force force) throws IOException {
        synchronized (forces) {
            int size = size();
            force.run();
            forced(open, size);
        }
    }

    private synchronized void forced(DiskFile open, int size) throws IOException {
        unforced.forced(size, from(open));
    }

    void beforeMap(DiskFile open) throws IOException {
        synchronized (forces) {
            mapping(open);
        }
    }

    private synchronized void mapping(DiskFile open) throws IOException {
        unforced.beforeMap(from(open));
    }

    synchronized void mapped(long size) {
        unforced.mapped(Math.toIntExact(size));
    }

    /** Nothing is mapped any more, and the file has been cut to this size. */
    synchronized void unmapped(DiskFile open, long size) throws IOException {
        unforced.unmapped(from(open));
        if (size != unforced.size()) {
            unforced.resized(Math.toIntExact(size));
        }
    }

    /** Its length was raised, with zeros. */
    synchronized void extended(long size) {
        if (size > unforced.size()) {
            unforced.resized(Math.toIntExact(size));
        }
    }

    private static Unforced.Source from(DiskFile open) {
        return (from, to) -> {
            ByteBuffer bytes = ByteBuffer.allocate(to - from);
            open.read(bytes, from);
            return bytes.array();
        };
    }

    /** Its bytes leave the disk, and are kept here in case that a power loss brings it back. */
    synchronized void save(byte[] bytes) {
        saved = bytes;
    }

    synchronized int size() {
        return unforced.size();
    }

    synchronized boolean isSaved() {
        return saved != null;
    }

    /** Says where it lies, before the power is lost. */
    synchronized void liesAt(@Nullable Path path) {
        where = path;
    }

    synchronized @Nullable Path where() {
        return where;
    }

    /** Puts it down where it is to be found from now on. */
    synchronized void putAt(Path path) throws IOException {
        byte[] bytes = saved;
        if (bytes != null) {
            try (DiskFile open = disk.open(path)) {
                open.truncate(0);
                open.write(ByteBuffer.wrap(bytes), 0);
            }
            saved = null;
        } else if (where != null && !path.equals(where)) {
            disk.rename(where, path);
        }
        where = path;
    }

    @Override
    synchronized void losePower(RandomGenerator random, int blockBytes) {
        if (unforced.isEmpty()) {
            return;
        }
        try {
            byte[] bytes = saved;
            if (bytes != null) {
                Unforced.Remains remains =
                        unforced.losePower(random, blockBytes, (from, to) -> Arrays.copyOfRange(bytes, from, to));
                byte[] left = Arrays.copyOf(bytes, remains.from() + remains.tail().length);
                System.arraycopy(remains.tail(), 0, left, remains.from(), remains.tail().length);
                saved = left;
                unforced = new Unforced(left.length);
            } else if (where != null) {
                losePowerOnDisk(where, random, blockBytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("What a power loss leaves could not be put into " + where, e);
        }
    }

    private void losePowerOnDisk(Path path, RandomGenerator random, int blockBytes) throws IOException {
        try (DiskFile open = disk.open(path)) {
            Unforced.Remains remains = unforced.losePower(random, blockBytes, from(open));
            int end = remains.from() + remains.tail().length;
            open.truncate(remains.from());
            writeSparsely(open, remains);
            unforced = new Unforced(end);
        }
    }

    /** Leaves zeros at the end out, as far as the length allows: an index file is full of them. */
    private void writeSparsely(DiskFile open, Unforced.Remains remains) throws IOException {
        byte[] tail = remains.tail();
        int length = tail.length;
        while (length > 1 && tail[length - 1] == 0) {
            length--;
        }
        if (length > 0) {
            open.write(ByteBuffer.wrap(tail, 0, length), remains.from());
        }
        if (length < tail.length) {
            open.write(ByteBuffer.wrap(tail, tail.length - 1, 1), remains.from() + tail.length - 1L);
        }
    }
}

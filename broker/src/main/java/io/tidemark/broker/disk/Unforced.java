package io.tidemark.broker.disk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What was done to a real file since it was last forced: enough to say what a power loss may leave of it, and no more.
 * Appends, which are nearly all there is, cost two numbers however many they are; what is cut or written over is kept
 * as bytes until the next force.
 *
 * <p>Guarded by its {@link TrackedFile}.
 */
final class Unforced {
    private static final int NOWHERE = Integer.MAX_VALUE;

    /** Of a long run of appends, a power loss decides on this much at its end; of the rest, as one. */
    private static final int WINDOW_BYTES = 4 * 1024 * 1024;

    /** At how many moments within a run of appends the power may have gone. */
    private static final int MOMENTS = 16;

    private final List<FileChange> changes = new ArrayList<>();
    private int size;
    private int durableSize;

    /** Below, the file is as it was forced. */
    private int base = NOWHERE;

    /** What was forced from there on; zeros at its end are left out. */
    private byte[] durable = {};

    /** Where the appends start that {@link #changes} does not have; they reach to the end. */
    private int appendedFrom = NOWHERE;

    /** Whether bytes may have changed through a mapping since anybody looked. */
    private boolean mapped;

    /** Reads a stretch of the file as it is now. */
    @FunctionalInterface
    interface Source {
        byte[] read(int from, int to) throws IOException;
    }

    /** A file that is as it was forced. */
    Unforced(int size) {
        this.size = size;
        this.durableSize = size;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return base == NOWHERE && !mapped;
    }

    /** True where a write can be told of afterwards. */
    boolean isAppend(long position) {
        return position == size && !mapped;
    }

    void appended(int newSize) {
        if (newSize > size) {
            base = Math.min(base, size);
            appendedFrom = Math.min(appendedFrom, size);
            size = newSize;
        }
    }

    /** Before bytes are written over, or behind the end. */
    void beforeWrite(int position, Source file) throws IOException {
        settle(file);
        keepFrom(Math.min(position, size), file);
    }

    void written(int position, byte[] data) {
        changes.add(new FileChange.Write(position, data));
        size = Math.max(size, position + data.length);
    }

    /** Before the file is cut. */
    void beforeCut(int newSize, Source file) throws IOException {
        settle(file);
        keepFrom(newSize, file);
    }

    void resized(int newSize) {
        changes.add(new FileChange.Resize(newSize));
        size = newSize;
    }

    /** Before the file is mapped: from then on anything in it may change. */
    void beforeMap(Source file) throws IOException {
        settle(file);
        keepFrom(0, file);
    }

    void mapped(int newSize) {
        if (newSize != size) {
            resized(newSize);
        }
        mapped = true;
    }

    /** What was written through a mapping counts as one write. Also once nothing is mapped any more. */
    void unmapped(Source file) throws IOException {
        settle(file);
        mapped = false;
    }

    /** All that was there when the force began is durable; {@code forcedSize} is how long the file was then. */
    void forced(int forcedSize, Source file) throws IOException {
        changes.clear();
        durableSize = forcedSize;
        durable = new byte[0];
        base = forcedSize < size ? forcedSize : NOWHERE;
        appendedFrom = base;
        if (mapped) {
            keepFrom(0, file);
        }
    }

    private void settle(Source file) throws IOException {
        if (mapped) {
            changes.add(new FileChange.Write(0, mappedBytes(changes, 0, file)));
        } else if (appendedFrom < size) {
            changes.add(new FileChange.Write(appendedFrom, file.read(appendedFrom, size)));
        }
        appendedFrom = NOWHERE;
    }

    /** The file's bytes, without zeros at the end where there was nothing else before. */
    private byte[] mappedBytes(List<FileChange> before, int from, Source file) throws IOException {
        byte[] bytes = file.read(0, size);
        int extent = Math.max(trimmed(bytes).length, durable.length + (base == NOWHERE ? 0 : base));
        for (FileChange change : before) {
            if (change instanceof FileChange.Write write) {
                extent = Math.max(extent, from + write.position() + write.data().length);
            }
        }
        return Arrays.copyOfRange(bytes, Math.min(from, bytes.length), Math.min(extent, bytes.length));
    }

    private void keepFrom(int position, Source file) throws IOException {
        if (position >= base) {
            return;
        }
        int end = Math.min(base, durableSize);
        if (position < end) {
            byte[] before = file.read(position, end);
            byte[] kept = Arrays.copyOf(before, before.length + durable.length);
            System.arraycopy(durable, 0, kept, before.length, durable.length);
            durable = trimmed(kept);
        }
        base = position;
    }

    private static byte[] trimmed(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    /** What a power loss leaves: everything below {@code from}, then these bytes. */
    record Remains(int from, byte[] tail) {}

    /** Decides what is left; a file of which this is told is as it was forced from then on. */
    Remains losePower(RandomGenerator random, int blockBytes, Source file) throws IOException {
        int from = base;
        if (changes.isEmpty() && !mapped && size - appendedFrom > WINDOW_BYTES) {
            if (random.nextInt(4) == 0) {
                return new Remains(appendedFrom, new byte[0]);
            }
            // What was written long ago has found its way to the disk.
            from = size - WINDOW_BYTES;
            durableSize = from;
            appendedFrom = from;
        }
        base = from;
        List<FileChange> all = new ArrayList<>();
        for (FileChange change : changes) {
            all.add(moved(change, from));
        }
        if (mapped) {
            all.add(new FileChange.Write(0, mappedBytes(all, from, file)));
        } else if (appendedFrom < size) {
            addPieces(random, all, appendedFrom - from, file.read(appendedFrom, size));
        }
        Bytes before = new Bytes(durable, durable.length).copy();
        before.resize(Math.max(0, durableSize - from));
        Bytes after = new LostWrites(before, all, blockBytes).survivors(random);
        return new Remains(from, Arrays.copyOf(after.array(), after.size()));
    }

    private static FileChange moved(FileChange change, int from) {
        return change instanceof FileChange.Write write
                ? new FileChange.Write(write.position() - from, write.data())
                : new FileChange.Resize(((FileChange.Resize) change).size() - from);
    }

    /** Where the appends met is not known any more, so they may have met anywhere. */
    private static void addPieces(RandomGenerator random, List<FileChange> all, int position, byte[] data) {
        int[] ends = random.ints(Math.min(MOMENTS, data.length) - 1L, 1, Math.max(2, data.length))
                .sorted()
                .distinct()
                .toArray();
        int start = 0;
        for (int i = 0; i <= ends.length; i++) {
            int end = i < ends.length ? ends[i] : data.length;
            if (end > start) {
                all.add(new FileChange.Write(position + start, Arrays.copyOfRange(data, start, end)));
                start = end;
            }
        }
    }
}

package io.tidemark.broker.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** The bytes of one simulated file: as they are, as they were last forced, and how the one became the other. */
final class FileContent {
    private final List<FileChange> unforced = new ArrayList<>();
    private Bytes live = new Bytes(new byte[0], 0);
    private Bytes durable = new Bytes(new byte[0], 0);
    private boolean mapped;

    int size() {
        return live.size();
    }

    byte[] toArray() {
        return Arrays.copyOf(live.array(), live.size());
    }

    int read(ByteBuffer target, long position) {
        if (position >= live.size()) {
            return target.hasRemaining() ? -1 : 0;
        }
        int count = (int) Math.min(target.remaining(), live.size() - position);
        target.put(live.array(), (int) position, count);
        return count;
    }

    void write(byte[] data, long position) {
        change(new FileChange.Write(Math.toIntExact(position), data));
    }

    void resize(long size) {
        change(new FileChange.Resize(Math.toIntExact(size)));
    }

    private void change(FileChange change) {
        noteMapped();
        byte[] before = live.array();
        change.applyTo(live);
        if (mapped && before != live.array()) {
            throw new IllegalStateException("A file grows while it is mapped; its mapping would not see it");
        }
        unforced.add(change);
    }

    /** A view of the bytes, at a size that must not grow while it is in use. */
    ByteBuffer map(int size) {
        if (size != live.size()) {
            resize(size);
        }
        mapped = true;
        return ByteBuffer.wrap(live.array(), 0, size).slice();
    }

    void unmap() {
        noteMapped();
        mapped = false;
    }

    /** What was written through a mapping counts as one write, since the last time that anybody looked. */
    private void noteMapped() {
        if (mapped) {
            unforced.add(new FileChange.Write(0, toArray()));
        }
    }

    void force() {
        noteMapped();
        unforced.forEach(change -> change.applyTo(durable));
        unforced.clear();
    }

    /** Leaves what was forced, and of the rest what chance will. */
    void losePower(RandomGenerator random, int blockBytes) {
        noteMapped();
        mapped = false;
        if (!unforced.isEmpty()) {
            durable = new LostWrites(durable, unforced, blockBytes).survivors(random);
            unforced.clear();
        }
        live = durable.copy();
    }

    void flipBit(long bit) {
        int position = Math.toIntExact(bit / Byte.SIZE);
        if (position >= live.size()) {
            throw new IllegalArgumentException("Bit " + bit + " is not in a file of " + live.size() + " bytes");
        }
        byte mask = (byte) (1 << (bit % Byte.SIZE));
        live.array()[position] ^= mask;
        if (position < durable.size()) {
            durable.array()[position] ^= mask;
        }
    }
}

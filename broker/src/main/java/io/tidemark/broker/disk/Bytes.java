package io.tidemark.broker.disk;

import java.util.Arrays;

/** The bytes of a simulated file: a growable array whose rest is zeros. */
final class Bytes {
    private byte[] array;
    private int size;

    Bytes(byte[] array, int size) {
        this.array = array;
        this.size = size;
    }

    Bytes copy() {
        return new Bytes(Arrays.copyOf(array, size), size);
    }

    int size() {
        return size;
    }

    /** The backing array, which is good until the next growth. */
    byte[] array() {
        return array;
    }

    void write(int position, byte[] data) {
        if (data.length > 0) {
            grow(position + data.length);
            System.arraycopy(data, 0, array, position, data.length);
            size = Math.max(size, position + data.length);
        }
    }

    void resize(int newSize) {
        if (newSize < size) {
            Arrays.fill(array, newSize, size, (byte) 0);
        }
        grow(newSize);
        size = newSize;
    }

    private void grow(int capacity) {
        if (capacity > array.length) {
            array = Arrays.copyOf(array, Math.max(capacity, (int) Math.min(2L * array.length, Integer.MAX_VALUE - 8)));
        }
    }
}

package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;

/** Zigzag varints as records use them: seven bits a byte, the lowest first. */
final class VarInts {
    private static final int MAX_INT_BITS = 35;
    private static final int MAX_LONG_BITS = 70;

    private VarInts() {}

    /**
     * @throws CorruptBatchException if the number goes on for more than five bytes or past the buffer's end
     */
    static int readInt(ByteBuf in) {
        int value = 0;
        for (int shift = 0; shift < MAX_INT_BITS && in.isReadable(); shift += 7) {
            byte next = in.readByte();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new CorruptBatchException(
                "Number at byte " + in.readerIndex() + " of a batch's records does not end; expected at most 5 bytes");
    }

    /**
     * @throws CorruptBatchException if the number goes on for more than ten bytes or past the buffer's end
     */
    static long readLong(ByteBuf in) {
        long value = 0;
        for (int shift = 0; shift < MAX_LONG_BITS && in.isReadable(); shift += 7) {
            byte next = in.readByte();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new CorruptBatchException(
                "Number at byte " + in.readerIndex() + " of a batch's records does not end; expected at most 10 bytes");
    }

    static void writeInt(ByteBuf out, int value) {
        writeUnsigned(out, ((value << 1) ^ (value >> 31)) & 0xffffffffL);
    }

    static void writeLong(ByteBuf out, long value) {
        writeUnsigned(out, (value << 1) ^ (value >> 63));
    }

    private static void writeUnsigned(ByteBuf out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.writeByte((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    static int sizeOfInt(int value) {
        return sizeOfUnsigned(((value << 1) ^ (value >> 31)) & 0xffffffffL);
    }

    static int sizeOfLong(long value) {
        return sizeOfUnsigned((value << 1) ^ (value >> 63));
    }

    private static int sizeOfUnsigned(long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value);
        return bits == 0 ? 1 : (bits + 6) / 7;
    }
}

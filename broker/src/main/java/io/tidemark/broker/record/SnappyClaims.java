package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;

/**
 * The sizes that Snappy's blocks claim, held against what there is of them before the library believes them and makes
 * room. Blocks come one after the other, each with its length, behind a header of 16 bytes that may come again; or there
 * is one block, and nothing else.
 *
 * <pre>
 * position  size  field of a block
 *        0     4  length of the rest of the block; not where there is but one
 *        4   1-5  size of its plain bytes, seven bits a byte, the lowest first
 * </pre>
 */
final class SnappyClaims {
    private static final long MAGIC = 0x82534e4150505900L;
    private static final int MAGIC_HEAD = 0x82534e41;
    private static final int HEADER_BYTES = 16;

    /** The shortest way to say the same again is 3 bytes for 64. */
    private static final int TIMES = 22;

    private static final int SIZE_BYTES = 5;

    private SnappyClaims() {}

    /**
     * @throws CorruptBatchException if a block claims more than its bytes can hold
     */
    static void check(ByteBuf compressed) {
        ByteBuf in = compressed.duplicate();
        if (in.readableBytes() < HEADER_BYTES || in.getLong(in.readerIndex()) != MAGIC) {
            checkBlock(in, in.readableBytes());
            return;
        }
        in.skipBytes(HEADER_BYTES);
        while (in.readableBytes() >= Integer.BYTES) {
            int length = in.readInt();
            if (length == MAGIC_HEAD && in.readableBytes() >= HEADER_BYTES - Integer.BYTES) {
                in.skipBytes(HEADER_BYTES - Integer.BYTES);
                continue;
            }
            if (length < 0 || length > in.readableBytes()) {
                throw new CorruptBatchException("A block of Snappy claims " + length + " bytes; expected 0 to the "
                        + in.readableBytes() + " bytes left");
            }
            checkBlock(in.readSlice(length), length);
        }
    }

    private static void checkBlock(ByteBuf block, int length) {
        long size = 0;
        for (int i = 0; i < SIZE_BYTES && block.isReadable(); i++) {
            byte next = block.readByte();
            size |= (next & 0x7fL) << (7 * i);
            if (next >= 0) {
                break;
            }
        }
        if (size > (long) TIMES * length) {
            throw new CorruptBatchException(
                    "A block of Snappy claims to hold " + size + " bytes in " + length + ", which cannot be");
        }
    }
}

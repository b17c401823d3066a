package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a control record is for. Its key holds two int16: the version of the key, 0, and the type's id; types that are
 * not known are to be skipped.
 */
public enum ControlRecordType {
    ABORT,
    COMMIT,
    LEADER_CHANGE,
    SNAPSHOT_HEADER,
    SNAPSHOT_FOOTER,
    KRAFT_VERSION,
    KRAFT_VOTERS;

    private static final ControlRecordType[] BY_ID = values();
    static final int KEY_BYTES = 4;

    public short id() {
        return (short) ordinal();
    }

    /** True for the two markers that end a transaction. */
    public boolean endsTransaction() {
        return this == ABORT || this == COMMIT;
    }

    byte[] key() {
        return new byte[] {0, 0, 0, (byte) ordinal()};
    }

    /**
     * Reads the type out of a control record's key; null where this version does not know it.
     *
     * @throws CorruptBatchException if the key is missing or too short
     */
    public static @Nullable ControlRecordType of(LogRecord record) {
        ByteBuf key = record.key();
        if (key == null || key.readableBytes() < KEY_BYTES) {
            throw new CorruptBatchException("Control record at offset " + record.offset() + " has a key of "
                    + (key == null ? "no" : key.readableBytes()) + " bytes; expected at least " + KEY_BYTES);
        }
        int id = key.getShort(key.readerIndex() + 2);
        return id >= 0 && id < BY_ID.length ? BY_ID[id] : null;
    }
}

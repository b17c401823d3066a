package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a batch's records, decompressed already, without making an object of each. Every length is held against
 * the bytes that are left.
 *
 * <pre>
 * varint   length of the record after this field
 * int8     attributes, unused
 * varlong  timestamp, from the batch's base timestamp
 * varint   offset, from the batch's base offset
 * varint   length of the key, -1 for null, and the key
 * varint   length of the value, -1 for null, and the value
 * varint   count of headers, and for each: length of its name and the name, length of its value or -1, and the value
 * </pre>
 */
final class RecordCursor {
    /** Header: two empty strings. */
    private static final int MIN_HEADER_BYTES = 2;

    private final ByteBuf in;
    private final int count;
    private int walked;

    private long timestampDelta;
    private int offsetDelta;
    private int keyIndex;
    private int keyLength;
    private int valueIndex;
    private int valueLength;
    private int headerCount;
    private int headersIndex;

    /**
     * @param in the records' bytes; its reader index moves
     * @param count how many records the batch's header promises
     */
    RecordCursor(ByteBuf in, int count) {
        this.in = in;
        this.count = count;
    }

    boolean hasNext() {
        return walked < count;
    }

    /** Whether the next record's bytes are all there, where only the first of a batch's were read. */
    boolean isNextWhole() {
        int at = in.readerIndex();
        try {
            return VarInts.readInt(in) <= in.readableBytes();
        } catch (CorruptBatchException e) {
            return false;
        } finally {
            in.readerIndex(at);
        }
    }

    /**
     * Moves to the next record.
     *
     * @throws CorruptBatchException if it is not whole, or its lengths do not add up
     */
    void next() {
        int length = VarInts.readInt(in);
        if (length < 0 || length > in.readableBytes()) {
            throw corrupt("has length " + length + "; expected 0 to the " + in.readableBytes() + " bytes left");
        }
        int end = in.readerIndex() + length;
        int limit = in.writerIndex();
        in.writerIndex(end);
        try {
            readFields(end);
        } catch (IndexOutOfBoundsException e) {
            throw new CorruptBatchException("Record " + walked + " of a batch is shorter than its fields", e);
        } finally {
            in.writerIndex(limit);
        }
        walked++;
    }

    private void readFields(int end) {
        in.skipBytes(1);
        timestampDelta = VarInts.readLong(in);
        offsetDelta = VarInts.readInt(in);
        keyLength = readLength("key");
        keyIndex = in.readerIndex();
        in.skipBytes(Math.max(keyLength, 0));
        valueLength = readLength("value");
        valueIndex = in.readerIndex();
        in.skipBytes(Math.max(valueLength, 0));
        headerCount = VarInts.readInt(in);
        if (headerCount < 0 || headerCount > in.readableBytes() / MIN_HEADER_BYTES) {
            throw corrupt("claims " + headerCount + " headers, in " + in.readableBytes() + " bytes");
        }
        headersIndex = in.readerIndex();
        for (int i = 0; i < headerCount; i++) {
            int nameLength = readLength("header name");
            if (nameLength < 0) {
                throw corrupt("has a header without a name");
            }
            in.skipBytes(nameLength);
            in.skipBytes(Math.max(readLength("header value"), 0));
        }
        if (in.readerIndex() != end) {
            throw corrupt("has " + (end - in.readerIndex()) + " bytes after its last field");
        }
    }

    private int readLength(String what) {
        int length = VarInts.readInt(in);
        if (length < -1 || length > in.readableBytes()) {
            throw corrupt("has a " + what + " of length " + length + "; expected -1 to the " + in.readableBytes()
                    + " bytes left");
        }
        return length;
    }

    private CorruptBatchException corrupt(String problem) {
        return new CorruptBatchException("Record " + walked + " of a batch " + problem);
    }

    /** Bytes that lie after the last record. */
    int bytesLeft() {
        return in.readableBytes();
    }

    long timestampDelta() {
        return timestampDelta;
    }

    int offsetDelta() {
        return offsetDelta;
    }

    boolean hasKey() {
        return keyLength >= 0;
    }

    @Nullable
    ByteBuf key() {
        return keyLength < 0 ? null : in.slice(keyIndex, keyLength);
    }

    @Nullable
    ByteBuf value() {
        return valueLength < 0 ? null : in.slice(valueIndex, valueLength);
    }

    List<LogRecord.Header> headers() {
        if (headerCount == 0) {
            return List.of();
        }
        ByteBuf at = in.duplicate().readerIndex(headersIndex);
        List<LogRecord.Header> headers = new ArrayList<>(headerCount);
        for (int i = 0; i < headerCount; i++) {
            int nameLength = VarInts.readInt(at);
            String name =
                    at.readCharSequence(nameLength, StandardCharsets.UTF_8).toString();
            int length = VarInts.readInt(at);
            byte[] value = null;
            if (length >= 0) {
                value = new byte[length];
                at.readBytes(value);
            }
            headers.add(new LogRecord.Header(name, value));
        }
        return headers;
    }
}

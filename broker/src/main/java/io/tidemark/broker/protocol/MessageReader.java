package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.types.Uuid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads Kafka's primitive types from a buffer and moves its reader index. Each method takes the name of what it reads,
 * for the {@link InvalidMessageException} that it throws where the bytes left cannot be that. Every length is checked
 * against them before anything is allocated.
 */
public final class MessageReader {
    /** The default of a bytes field. */
    public static final byte[] EMPTY_BYTES = new byte[0];

    private static final int MAX_INITIAL_CAPACITY = 1024;
    private static final int MAX_VARINT_BYTES = 5;
    private static final int MAX_VARLONG_BYTES = 10;

    private final ByteBuf buffer;
    private final int start;

    /** Reads from the buffer's reader index on, without taking a reference. */
    public MessageReader(ByteBuf buffer) {
        this.buffer = buffer;
        this.start = buffer.readerIndex();
    }

    /** A list for so many elements, which grows as they are read: a count alone must not cost memory. */
    public static <T> List<T> newList(int count) {
        return new ArrayList<>(Math.min(count, MAX_INITIAL_CAPACITY));
    }

    /** Bytes from where this reader started. */
    public int position() {
        return buffer.readerIndex() - start;
    }

    /** Bytes left. */
    public int remaining() {
        return buffer.readableBytes();
    }

    public boolean readBoolean(String field) {
        return readByte(field) != 0;
    }

    public byte readByte(String field) {
        require(field, 1);
        return buffer.readByte();
    }

    public short readShort(String field) {
        require(field, 2);
        return buffer.readShort();
    }

    /** The value so many bytes ahead, without moving on. */
    public short peekShort(int ahead, String field) {
        require(field, ahead + 2);
        return buffer.getShort(buffer.readerIndex() + ahead);
    }

    public int readUnsignedShort(String field) {
        require(field, 2);
        return buffer.readUnsignedShort();
    }

    public int readInt(String field) {
        require(field, 4);
        return buffer.readInt();
    }

    public long readUnsignedInt(String field) {
        require(field, 4);
        return buffer.readUnsignedInt();
    }

    public long readLong(String field) {
        require(field, 8);
        return buffer.readLong();
    }

    public double readDouble(String field) {
        require(field, 8);
        return buffer.readDouble();
    }

    public Uuid readUuid(String field) {
        require(field, 16);
        long mostSignificantBits = buffer.readLong();
        long leastSignificantBits = buffer.readLong();
        return mostSignificantBits == 0 && leastSignificantBits == 0
                ? Uuid.ZERO
                : new Uuid(mostSignificantBits, leastSignificantBits);
    }

    /** Seven bits a byte, the lowest first; as an int, which is negative above 2^31-1. */
    public int readUnsignedVarint(String field) {
        int value = 0;
        for (int i = 0; i < MAX_VARINT_BYTES; i++) {
            byte next = readByte(field);
            value |= (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw unexpected(field, position() - MAX_VARINT_BYTES, "a varint of up to 5 bytes", "a longer one");
    }

    /** A zig-zag varint, as in records. */
    public int readVarint(String field) {
        int raw = readUnsignedVarint(field);
        return (raw >>> 1) ^ -(raw & 1);
    }

    /** A zig-zag varint of 64 bits, as in records. */
    public long readVarlong(String field) {
        long raw = 0;
        for (int i = 0; i < MAX_VARLONG_BYTES; i++) {
            byte next = readByte(field);
            raw |= (next & 0x7fL) << (7 * i);
            if (next >= 0) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw unexpected(field, position() - MAX_VARLONG_BYTES, "a varlong of up to 10 bytes", "a longer one");
    }

    public String readString(String field, boolean flexible) {
        String value = readNullableString(field, flexible);
        if (value == null) {
            throw nullValue(field, "a string");
        }
        return value;
    }

    /** A string, where bytes that are no UTF-8 become replacement characters, as in Kafka. */
    public @Nullable String readNullableString(String field, boolean flexible) {
        int length = flexible ? readUnsignedVarint(field) - 1 : readShort(field);
        if (length == -1) {
            return null;
        }
        requireLength(field, length);
        String value = buffer.toString(buffer.readerIndex(), length, StandardCharsets.UTF_8);
        buffer.skipBytes(length);
        return value;
    }

    public byte[] readBytes(String field, boolean flexible) {
        byte[] value = readNullableBytes(field, flexible);
        if (value == null) {
            throw nullValue(field, "bytes");
        }
        return value;
    }

    /** A copy of bytes with their length in front. */
    public byte @Nullable [] readNullableBytes(String field, boolean flexible) {
        int length = readLength(field, flexible);
        if (length == -1) {
            return null;
        }
        if (length == 0) {
            return EMPTY_BYTES;
        }
        byte[] value = new byte[length];
        buffer.readBytes(value);
        return value;
    }

    public Records readRecords(String field, boolean flexible) {
        Records value = readNullableRecords(field, flexible);
        if (value == null) {
            throw nullValue(field, "records");
        }
        return value;
    }

    /** A view of records, valid as long as the buffer is. */
    public @Nullable Records readNullableRecords(String field, boolean flexible) {
        int length = readLength(field, flexible);
        return length == -1 ? null : new BufferRecords(buffer.readSlice(length));
    }

    private int readLength(String field, boolean flexible) {
        int length = flexible ? readUnsignedVarint(field) - 1 : readInt(field);
        if (length != -1) {
            requireLength(field, length);
        }
        return length;
    }

    /**
     * The count of an array's elements.
     *
     * @param leastElementBytes the fewest bytes that an element can have
     * @return -1 for null, where nullable
     */
    public int readArrayCount(String field, boolean flexible, boolean nullable, int leastElementBytes) {
        int at = position();
        int count = flexible ? readUnsignedVarint(field) - 1 : readInt(field);
        if (count == -1) {
            if (nullable) {
                return -1;
            }
            throw unexpected(field, at, "an array", "null");
        }
        if (count < 0 || (long) count * leastElementBytes > remaining()) {
            throw unexpected(
                    field,
                    at,
                    "a count of at most " + remaining() / leastElementBytes + ", each element having "
                            + leastElementBytes + " bytes or more of the " + remaining() + " left",
                    Integer.toString(count));
        }
        return count;
    }

    /** Whether a nullable struct follows. */
    public boolean readIsPresent(String field) {
        return readByte(field) >= 0;
    }

    /** Whether a nullable struct follows in a tagged field, where Kafka has another marker than elsewhere. */
    public boolean readTaggedIsPresent(String field) {
        return readUnsignedVarint(field) > 0;
    }

    /** The count of tagged fields that end a struct. */
    public int readTagCount(String struct) {
        int at = position();
        int count = readUnsignedVarint(struct);
        // A tagged field has at least its tag and its size.
        if (count < 0 || count * 2L > remaining()) {
            throw unexpected(
                    struct,
                    at,
                    "a count of tagged fields of at most " + remaining() / 2 + " for the " + remaining()
                            + " bytes left",
                    Integer.toString(count));
        }
        return count;
    }

    public int readTag(String struct) {
        return readUnsignedVarint(struct);
    }

    /** Reads the size of a tagged field and gives the position at which it ends. */
    public int readTagEnd(String struct) {
        int size = readUnsignedVarint(struct);
        requireLength(struct, size);
        return position() + size;
    }

    /** Passes over the rest of a tagged field, from {@link #readTagEnd}. */
    public void skipTo(int tagEnd) {
        buffer.readerIndex(start + tagEnd);
    }

    /** Checks that a tagged field took as many bytes as its size said. */
    public void expectTagEnd(String field, int tagEnd) {
        if (position() != tagEnd) {
            throw unexpected(field, position(), "the tagged field to end at byte " + tagEnd, "another end");
        }
    }

    /** Passes over the tagged fields of a struct that knows none. */
    public void skipTaggedFields(String struct) {
        int count = readTagCount(struct);
        for (int i = 0; i < count; i++) {
            readTag(struct);
            skipTo(readTagEnd(struct));
        }
    }

    private void requireLength(String field, int length) {
        if (length < 0) {
            throw unexpected(field, position(), "a length of 0 or more", Integer.toString(length));
        }
        require(field, length);
    }

    private void require(String field, int length) {
        if (buffer.readableBytes() < length) {
            throw unexpected(field, position(), length + " bytes", remaining() + " left");
        }
    }

    private InvalidMessageException nullValue(String field, String expected) {
        return unexpected(field, position(), expected, "null");
    }

    private static InvalidMessageException unexpected(String field, int position, String expected, String actual) {
        return InvalidMessageException.unexpected(field, position, expected, actual);
    }
}

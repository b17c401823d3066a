package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes Kafka's primitive types into a buffer that grows. Records that lie in a file are not copied: the frame is split
 * around them.
 *
 * <p>One of {@link #toFrame}, {@link #toByteArray} and {@link #toByteBuf} ends the writer and hands its buffer on.
 */
public final class MessageWriter {
    private static final int INITIAL_BYTES = 256;

    private final ByteBuf buffer;
    private @Nullable List<Insertion> insertions;

    /** Writes to the heap. */
    public MessageWriter() {
        this(Unpooled.buffer(INITIAL_BYTES));
    }

    /** Writes to a buffer's writer index and takes over its reference. */
    public MessageWriter(ByteBuf buffer) {
        this.buffer = buffer;
    }

    /** Records that belong in front of a position of the buffer. */
    private record Insertion(int position, Records records) {}

    public void writeBoolean(boolean value) {
        buffer.writeBoolean(value);
    }

    public void writeByte(int value) {
        buffer.writeByte(value);
    }

    public void writeShort(int value) {
        buffer.writeShort(value);
    }

    public void writeUnsignedShort(String field, int value) {
        if (value < 0 || value > 0xffff) {
            throw new InvalidMessageException("Field " + field + " is " + value + "; expected 0 to 65535");
        }
        buffer.writeShort(value);
    }

    public void writeInt(int value) {
        buffer.writeInt(value);
    }

    public void writeUnsignedInt(String field, long value) {
        if (value < 0 || value > 0xffff_ffffL) {
            throw new InvalidMessageException("Field " + field + " is " + value + "; expected 0 to 4294967295");
        }
        buffer.writeInt((int) value);
    }

    public void writeLong(long value) {
        buffer.writeLong(value);
    }

    public void writeDouble(double value) {
        buffer.writeDouble(value);
    }

    public void writeUuid(String field, @Nullable Uuid value) {
        if (value == null) {
            throw InvalidMessageException.unexpectedNull(field);
        }
        buffer.writeLong(value.mostSignificantBits());
        buffer.writeLong(value.leastSignificantBits());
    }

    /** Seven bits a byte, the lowest first. */
    public void writeUnsignedVarint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            buffer.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte(rest);
    }

    /** A zig-zag varint, as in records. */
    public void writeVarint(int value) {
        writeUnsignedVarint((value << 1) ^ (value >> 31));
    }

    /** A zig-zag varint of 64 bits, as in records. */
    public void writeVarlong(long value) {
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7fL) != 0) {
            buffer.writeByte((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte((int) rest);
    }

    public void writeString(String field, @Nullable String value, boolean flexible, boolean nullable) {
        if (value == null) {
            requireNullable(field, nullable);
            if (flexible) {
                buffer.writeByte(0);
            } else {
                buffer.writeShort(-1);
            }
            return;
        }
        int length = ByteBufUtil.utf8Bytes(value);
        if (length > Short.MAX_VALUE) {
            throw new InvalidMessageException(
                    "Field " + field + " has " + length + " bytes of UTF-8; expected at most " + Short.MAX_VALUE);
        }
        if (flexible) {
            writeUnsignedVarint(length + 1);
        } else {
            buffer.writeShort(length);
        }
        ByteBufUtil.reserveAndWriteUtf8(buffer, value, length);
    }

    public void writeBytes(String field, byte @Nullable [] value, boolean flexible, boolean nullable) {
        if (value == null) {
            writeNull(field, flexible, nullable);
            return;
        }
        writeLength(value.length, flexible);
        buffer.writeBytes(value);
    }

    /** Writes bytes with no length in front. */
    public void writeRaw(ByteBuf bytes) {
        buffer.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
    }

    public void writeRecords(String field, @Nullable Records value, boolean flexible, boolean nullable) {
        if (value == null) {
            writeNull(field, flexible, nullable);
            return;
        }
        writeLength(value.sizeInBytes(), flexible);
        if (value instanceof BufferRecords inMemory) {
            writeRaw(inMemory.toByteBuf());
            return;
        }
        if (value.sizeInBytes() > 0) {
            if (insertions == null) {
                insertions = new ArrayList<>();
            }
            insertions.add(new Insertion(buffer.writerIndex(), value));
        }
    }

    public void writeArrayCount(int count, boolean flexible) {
        writeLength(count, flexible);
    }

    public void writeNullArray(String field, boolean flexible, boolean nullable) {
        writeNull(field, flexible, nullable);
    }

    public void writeNullStruct(String field, boolean nullable) {
        requireNullable(field, nullable);
        buffer.writeByte(-1);
    }

    /** Null for a struct in a tagged field, where Kafka has another marker than elsewhere. */
    public void writeTaggedNullStruct(String field, boolean nullable) {
        requireNullable(field, nullable);
        writeUnsignedVarint(0);
    }

    /** Starts a tagged field; its end is marked by {@link #endTagged} with the value returned. */
    public int beginTagged(int tag) {
        writeUnsignedVarint(tag);
        return buffer.writerIndex();
    }

    /** Ends a tagged field: its size goes in front of what was written since its start. */
    public void endTagged(int start) {
        int size = buffer.writerIndex() - start;
        int sizeBytes = 1;
        for (int rest = size >>> 7; rest != 0; rest >>>= 7) {
            sizeBytes++;
        }
        buffer.ensureWritable(sizeBytes);
        // Most tagged fields are a few bytes long; moving them is cheaper than to compute every size beforehand.
        if (buffer.hasArray()) {
            byte[] array = buffer.array();
            int from = buffer.arrayOffset() + start;
            System.arraycopy(array, from, array, from + sizeBytes, size);
        } else {
            buffer.setBytes(start + sizeBytes, buffer.copy(start, size));
        }
        buffer.writerIndex(start);
        writeUnsignedVarint(size);
        buffer.writerIndex(start + sizeBytes + size);
    }

    private void writeNull(String field, boolean flexible, boolean nullable) {
        requireNullable(field, nullable);
        if (flexible) {
            buffer.writeByte(0);
        } else {
            buffer.writeInt(-1);
        }
    }

    private void writeLength(int length, boolean flexible) {
        if (flexible) {
            writeUnsignedVarint(length + 1);
        } else {
            buffer.writeInt(length);
        }
    }

    private static void requireNullable(String field, boolean nullable) {
        if (!nullable) {
            throw InvalidMessageException.unexpectedNull(field);
        }
    }

    /** Bytes written so far, records included. */
    public int sizeInBytes() {
        int size = buffer.readableBytes();
        if (insertions != null) {
            for (Insertion insertion : insertions) {
                size = Math.addExact(size, insertion.records().sizeInBytes());
            }
        }
        return size;
    }

    /** The frame, with each file's records as a part of their own; the frame owns the buffers. */
    public OutboundFrame toFrame() {
        if (insertions == null) {
            return new OutboundFrame(List.of(new OutboundFrame.Bytes(buffer)));
        }
        List<OutboundFrame.Part> parts = new ArrayList<>(2 * insertions.size() + 1);
        int from = buffer.readerIndex();
        for (Insertion insertion : insertions) {
            addSlice(parts, from, insertion.position());
            parts.add(new OutboundFrame.RecordBytes(insertion.records()));
            from = insertion.position();
        }
        addSlice(parts, from, buffer.writerIndex());
        buffer.release();
        return new OutboundFrame(parts);
    }

    private void addSlice(List<OutboundFrame.Part> parts, int from, int to) {
        if (to > from) {
            parts.add(new OutboundFrame.Bytes(buffer.retainedSlice(from, to - from)));
        }
    }

    /**
     * All bytes, records copied from wherever they lie.
     *
     * @throws UncheckedIOException if records cannot be read
     */
    public byte[] toByteArray() {
        ByteBuf bytes = toByteBuf();
        try {
            return ByteBufUtil.getBytes(bytes);
        } finally {
            bytes.release();
        }
    }

    /**
     * All bytes in one buffer that the caller owns, records copied from wherever they lie.
     *
     * @throws UncheckedIOException if records cannot be read
     */
    public ByteBuf toByteBuf() {
        if (insertions == null) {
            return buffer;
        }
        ByteBuf all = Unpooled.buffer(sizeInBytes());
        int from = buffer.readerIndex();
        try {
            for (Insertion insertion : insertions) {
                all.writeBytes(buffer, from, insertion.position() - from);
                ByteBuf records = insertion.records().toByteBuf();
                all.writeBytes(records, records.readerIndex(), records.readableBytes());
                from = insertion.position();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Records of a message cannot be read: " + e.getMessage(), e);
        }
        all.writeBytes(buffer, from, buffer.writerIndex() - from);
        buffer.release();
        return all;
    }
}

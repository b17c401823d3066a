package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * One batch of format v2, seen in place: a buffer and the index at which the batch starts. Holds no copy and no
 * reference count; it is good while the buffer is.
 *
 * <pre>
 * position  size  field
 *        0     8  base offset                                  not under the checksum
 *        8     4  length of all that follows this field        not under the checksum
 *       12     4  partition leader epoch                       not under the checksum
 *       16     1  magic, 2                                     not under the checksum
 *       17     4  CRC32C of everything from position 21 on
 *       21     2  attributes: 0-2 compression, 3 timestamp type, 4 transactional, 5 control, 6 delete horizon
 *       23     4  last offset delta
 *       27     8  base timestamp (the delete horizon where bit 6 is set)
 *       35     8  max timestamp
 *       43     8  producer id, -1 for none
 *       51     2  producer epoch
 *       53     4  base sequence
 *       57     4  count of records
 *       61     -  records, compressed as a whole where the attributes say so
 * </pre>
 *
 * <p>Accessors of the header need only the first {@link #HEADER_BYTES} bytes to be there.
 */
public final class RecordBatch {
    /** The bytes before the records. */
    public static final int HEADER_BYTES = 61;

    /** Base offset and length: what must be read to know where a batch ends. */
    public static final int LOG_OVERHEAD_BYTES = 12;

    /** The only magic that is served. */
    public static final byte MAGIC = 2;

    /** In place of a producer id where there is none. */
    public static final long NO_PRODUCER_ID = -1L;

    /** In place of a producer epoch where there is none. */
    public static final short NO_PRODUCER_EPOCH = -1;

    /** In place of a sequence where there is none. */
    public static final int NO_SEQUENCE = -1;

    /** In place of a timestamp where there is none. */
    public static final long NO_TIMESTAMP = -1L;

    /** In place of a partition leader epoch that is not known. */
    public static final int NO_LEADER_EPOCH = -1;

    static final int BASE_OFFSET = 0;
    static final int LENGTH = 8;
    static final int LEADER_EPOCH = 12;
    static final int MAGIC_POSITION = 16;
    static final int CRC = 17;
    static final int ATTRIBUTES = 21;
    static final int LAST_OFFSET_DELTA = 23;
    static final int BASE_TIMESTAMP = 27;
    static final int MAX_TIMESTAMP = 35;
    static final int PRODUCER_ID = 43;
    static final int PRODUCER_EPOCH = 51;
    static final int BASE_SEQUENCE = 53;
    static final int RECORD_COUNT = 57;

    static final int COMPRESSION_MASK = 0x07;
    static final int LOG_APPEND_TIME_FLAG = 0x08;
    static final int TRANSACTIONAL_FLAG = 0x10;
    static final int CONTROL_FLAG = 0x20;
    static final int DELETE_HORIZON_FLAG = 0x40;

    private final ByteBuf buffer;
    private final int start;

    /**
     * @param buffer holds the batch, or at least its header
     * @param start the buffer's index of the batch's first byte
     */
    public RecordBatch(ByteBuf buffer, int start) {
        this.buffer = buffer;
        this.start = start;
    }

    public long baseOffset() {
        return buffer.getLong(start + BASE_OFFSET);
    }

    /** The offset of the batch's last record, or of the last it once held where compaction took records out. */
    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    /** The offset after the batch. */
    public long nextOffset() {
        return lastOffset() + 1;
    }

    /** The whole batch's size in bytes, header and length field included, as the header claims it. */
    public int sizeInBytes() {
        return LOG_OVERHEAD_BYTES + buffer.getInt(start + LENGTH);
    }

    public int partitionLeaderEpoch() {
        return buffer.getInt(start + LEADER_EPOCH);
    }

    public byte magic() {
        return buffer.getByte(start + MAGIC_POSITION);
    }

    /** The checksum as stored. */
    public int crc() {
        return buffer.getInt(start + CRC);
    }

    /** The checksum as the bytes have it. Needs the whole batch. */
    public int computeCrc() {
        CRC32C crc = new CRC32C();
        int from = start + ATTRIBUTES;
        int count = sizeInBytes() - ATTRIBUTES;
        for (ByteBuffer part : buffer.nioBuffers(from, count)) {
            crc.update(part);
        }
        return (int) crc.getValue();
    }

    /** True where size, magic and checksum are right. Needs the whole batch. */
    public boolean isValid() {
        return sizeInBytes() >= HEADER_BYTES
                && start + sizeInBytes() <= buffer.writerIndex()
                && magic() == MAGIC
                && crc() == computeCrc();
    }

    public short attributes() {
        return buffer.getShort(start + ATTRIBUTES);
    }

    /**
     * @throws CorruptBatchException if the attributes name a type that does not exist
     */
    public CompressionType compressionType() {
        int id = attributes() & COMPRESSION_MASK;
        CompressionType type = CompressionType.forId(id);
        if (type == null) {
            throw new CorruptBatchException("Batch at offset " + baseOffset() + " has compression type " + id
                    + "; expected 0 (none) to 4 (zstd)");
        }
        return type;
    }

    public TimestampType timestampType() {
        return (attributes() & LOG_APPEND_TIME_FLAG) == 0 ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
    }

    public boolean isTransactional() {
        return (attributes() & TRANSACTIONAL_FLAG) != 0;
    }

    /** True for a batch that holds one control record, such as a transaction's marker. */
    public boolean isControl() {
        return (attributes() & CONTROL_FLAG) != 0;
    }

    /** True where the base timestamp is the time after which tombstones and markers may go (KIP-534). */
    public boolean hasDeleteHorizon() {
        return (attributes() & DELETE_HORIZON_FLAG) != 0;
    }

    public int lastOffsetDelta() {
        return buffer.getInt(start + LAST_OFFSET_DELTA);
    }

    /** The timestamp from which the records count theirs. */
    public long baseTimestamp() {
        return buffer.getLong(start + BASE_TIMESTAMP);
    }

    public long maxTimestamp() {
        return buffer.getLong(start + MAX_TIMESTAMP);
    }

    public long producerId() {
        return buffer.getLong(start + PRODUCER_ID);
    }

    public boolean hasProducerId() {
        return producerId() > NO_PRODUCER_ID;
    }

    public short producerEpoch() {
        return buffer.getShort(start + PRODUCER_EPOCH);
    }

    public int baseSequence() {
        return buffer.getInt(start + BASE_SEQUENCE);
    }

    /** The sequence of the last record: after {@link Integer#MAX_VALUE} comes 0. */
    public int lastSequence() {
        int base = baseSequence();
        return base == NO_SEQUENCE ? NO_SEQUENCE : Sequences.add(base, lastOffsetDelta());
    }

    /** The count of records, as the header claims it. */
    public int recordCount() {
        return buffer.getInt(start + RECORD_COUNT);
    }

    /**
     * The records in order, decompressed where needed. Keys and values are views; of an uncompressed batch, they alias
     * the batch's own buffer.
     *
     * @throws CorruptBatchException from here or from the iteration, if the bytes are not as the header promises
     * @throws CodecMissingException if the codec's library is not on the class path
     */
    public Iterable<LogRecord> records() {
        return () -> RecordIterator.over(this);
    }

    /**
     * The first records of a batch that is not compressed, as far as they lie whole in its first bytes; so many of them
     * are there, and no more need to be.
     */
    public Iterable<LogRecord> firstRecords(int availableBytes) {
        ByteBuf available = buffer.slice(start + HEADER_BYTES, availableBytes - HEADER_BYTES);
        return () -> RecordIterator.overFirst(this, available.duplicate());
    }

    /** What lies after the header, as it is, compressed or not. A view. */
    ByteBuf payload() {
        return buffer.slice(start + HEADER_BYTES, sizeInBytes() - HEADER_BYTES);
    }

    /** The whole batch. A view, without a reference of its own. */
    public ByteBuf bytes() {
        return buffer.slice(start, sizeInBytes());
    }

    /** Writes the base offset and the leader epoch into the batch; the checksum does not cover them. */
    public void stamp(long baseOffset, int partitionLeaderEpoch) {
        buffer.setLong(start + BASE_OFFSET, baseOffset);
        buffer.setInt(start + LEADER_EPOCH, partitionLeaderEpoch);
    }

    /** Makes the append time the timestamp of every record, and computes the checksum again. */
    public void stampLogAppendTime(long appendTimeMs) {
        stampTimestamps(attributes() | LOG_APPEND_TIME_FLAG, appendTimeMs);
    }

    /** Corrects the greatest timestamp of the records, and computes the checksum again. */
    void stampMaxTimestamp(long maxTimestamp) {
        stampTimestamps(attributes(), maxTimestamp);
    }

    private void stampTimestamps(int attributes, long maxTimestamp) {
        buffer.setShort(start + ATTRIBUTES, attributes);
        buffer.setLong(start + MAX_TIMESTAMP, maxTimestamp);
        buffer.setInt(start + CRC, computeCrc());
    }

    @Override
    public String toString() {
        return "RecordBatch[baseOffset=" + baseOffset() + ", lastOffset=" + lastOffset() + ", sizeInBytes="
                + sizeInBytes() + ", leaderEpoch=" + partitionLeaderEpoch() + ", producerId=" + producerId()
                + ", producerEpoch=" + producerEpoch() + ", baseSequence=" + baseSequence() + ", attributes=0x"
                + Integer.toHexString(attributes() & 0xffff) + "]";
    }
}

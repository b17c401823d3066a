package io.tidemark;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One record as it lies in the log of one broker, committed or not. Two are equal where offset, leader epoch, key and value
 * are: then two brokers hold the same. Immutable, as long as nobody writes into its arrays.
 *
 * <pre>{@code
 * for (ReplicaRecord record : cluster.partition("orders", 0).recordsOn(1)) {
 *     System.out.println(record.offset() + ": " + record.keyText() + "=" + record.valueText());
 * }
 * }</pre>
 */
public final class ReplicaRecord {
    private final long offset;
    private final int leaderEpoch;
    private final long timestampMs;
    private final long producerId;
    private final short producerEpoch;
    private final TransactionFate fate;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;

    private ReplicaRecord(RecordBatch batch, LogRecord record) {
        this.offset = record.offset();
        this.leaderEpoch = batch.partitionLeaderEpoch();
        this.timestampMs = record.timestamp();
        this.producerId = batch.producerId();
        this.producerEpoch = batch.producerEpoch();
        this.fate = batch.isTransactional() ? TransactionFate.OPEN : TransactionFate.PLAIN;
        this.key = bytes(record.key());
        this.value = bytes(record.value());
    }

    private ReplicaRecord(ReplicaRecord record, TransactionFate fate) {
        this.offset = record.offset;
        this.leaderEpoch = record.leaderEpoch;
        this.timestampMs = record.timestampMs;
        this.producerId = record.producerId;
        this.producerEpoch = record.producerEpoch;
        this.fate = fate;
        this.key = record.key;
        this.value = record.value;
    }

    static ReplicaRecord of(RecordBatch batch, LogRecord record) {
        return new ReplicaRecord(batch, record);
    }

    ReplicaRecord withFate(TransactionFate told) {
        return new ReplicaRecord(this, told);
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuf buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] copy = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), copy);
        return copy;
    }

    public long offset() {
        return offset;
    }

    /** The epoch of the leader that took it in. */
    public int leaderEpoch() {
        return leaderEpoch;
    }

    /** In milliseconds since 1970, -1 for none. */
    public long timestampMs() {
        return timestampMs;
    }

    /** The id of the idempotent or transactional producer that wrote it; -1 for another one. */
    public long producerId() {
        return producerId;
    }

    /** The epoch of that producer; -1 for another one. */
    public short producerEpoch() {
        return producerEpoch;
    }

    /** What became of its transaction, as far as this log tells. */
    public TransactionFate fate() {
        return fate;
    }

    /** The key, or null. */
    public byte @Nullable [] key() {
        return key;
    }

    /** The value, or null for a tombstone. */
    public byte @Nullable [] value() {
        return value;
    }

    /** The key as UTF-8 text, or null. */
    public @Nullable String keyText() {
        return text(key);
    }

    /** The value as UTF-8 text, or null for a tombstone. */
    public @Nullable String valueText() {
        return text(value);
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReplicaRecord that
                && offset == that.offset
                && leaderEpoch == that.leaderEpoch
                && Arrays.equals(key, that.key)
                && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(offset, leaderEpoch, Arrays.hashCode(key), Arrays.hashCode(value));
    }

    /** For example {@code 5 (epoch 1) order-3=30}. */
    @Override
    public String toString() {
        return offset + " (epoch " + leaderEpoch + ") " + keyText() + "=" + valueText();
    }
}

package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record, taken out of its batch. Key, value and header values are views that live as long as the batch's buffer
 * (of a compressed batch: as long as they are referred to), and have no reference count of their own.
 *
 * @param offset its offset in the partition
 * @param timestamp milliseconds since the epoch, -1 for none
 * @param sequence its producer sequence, -1 for none
 * @param key the key, or null
 * @param value the value, or null for a tombstone
 * @param headers in order
 */
public record LogRecord(
        long offset,
        long timestamp,
        int sequence,
        @Nullable ByteBuf key,
        @Nullable ByteBuf value,
        List<Header> headers) {

    /**
     * A header of a record.
     *
     * @param key its name
     * @param value its value, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // Headers are carried, never compared.
    public record Header(String key, byte @Nullable [] value) {}
}

package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The content of a control batch that ends a transaction. Its value: int16 version, 0, and int32 coordinator epoch.
 *
 * @param commit true for a commit, false for an abort
 * @param coordinatorEpoch the epoch of the transaction coordinator that wrote it
 */
public record EndTransactionMarker(boolean commit, int coordinatorEpoch) {
    static final short VERSION = 0;
    static final int VALUE_BYTES = 6;

    /**
     * Reads the marker out of a batch; null where the batch is not one.
     *
     * @throws CorruptBatchException if it is one but its value is too short
     */
    public static @Nullable EndTransactionMarker of(RecordBatch batch) {
        if (!batch.isControl()) {
            return null;
        }
        for (LogRecord record : batch.records()) {
            ControlRecordType type = ControlRecordType.of(record);
            if (type == null || !type.endsTransaction()) {
                return null;
            }
            ByteBuf value = record.value();
            if (value == null || value.readableBytes() < VALUE_BYTES) {
                throw new CorruptBatchException("Marker at offset " + record.offset() + " has a value of "
                        + (value == null ? "no" : value.readableBytes()) + " bytes; expected " + VALUE_BYTES);
            }
            return new EndTransactionMarker(
                    type == ControlRecordType.COMMIT, value.getInt(value.readerIndex() + Short.BYTES));
        }
        return null;
    }
}

package io.tidemark.broker.log.cleaner;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RetainedBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says what stays of each batch of a log, given in order from the log's first segment on.
 *
 * <p>A marker without data of its transaction, and a batch with tombstones, are first given a delete horizon, the time of
 * this run plus {@code delete.retention.ms}, in the place of the base timestamp; a run after that time takes them out. So
 * who began to read before the run that removed the data still learns of the deletion or the end of the transaction.
 */
final class BatchCleaner {
    private final OffsetMap offsets;
    private final AbortedTransactions aborted;
    private final Predicate<RecordBatch> mustStay;
    private final long nowMs;
    private final long deleteRetentionMs;
    /** Producers of which data has come by since their last marker. */
    private final Set<Long> withData = new HashSet<>();

    /**
     * @param mustStay true for a batch of which at least the header is to stay
     */
    BatchCleaner(
            OffsetMap offsets,
            AbortedTransactions aborted,
            Predicate<RecordBatch> mustStay,
            long nowMs,
            long deleteRetentionMs) {
        this.offsets = offsets;
        this.aborted = aborted;
        this.mustStay = mustStay;
        this.nowMs = nowMs;
        this.deleteRetentionMs = deleteRetentionMs;
    }

    /** The bytes that stay, the batch's own where nothing changes; null where nothing stays. */
    @Nullable
    ByteBuf clean(RecordBatch batch) {
        return batch.isControl() ? cleanControl(batch) : cleanData(batch);
    }

    private @Nullable ByteBuf cleanControl(RecordBatch batch) {
        boolean hasData = withData.remove(batch.producerId());
        if (batch.recordCount() == 0) {
            return mustStay.test(batch) ? batch.bytes() : null;
        }
        boolean mayGo = !hasData && batch.hasProducerId() && EndTransactionMarker.of(batch) != null;
        if (!mayGo) {
            return batch.bytes();
        }
        if (!batch.hasDeleteHorizon()) {
            List<LogRecord> records = new ArrayList<>();
            batch.records().forEach(records::add);
            return RetainedBatch.of(batch, records, newHorizonMs());
        }
        return isPastHorizon(batch) ? headerAtMost(batch) : batch.bytes();
    }

    private @Nullable ByteBuf cleanData(RecordBatch batch) {
        if (batch.isTransactional()) {
            withData.add(batch.producerId());
        }
        if (aborted.hold(batch)) {
            return headerAtMost(batch);
        }
        List<LogRecord> kept = new ArrayList<>();
        boolean hasTombstones = false;
        for (LogRecord record : batch.records()) {
            if (stays(batch, record)) {
                kept.add(record);
                hasTombstones |= record.value() == null;
            }
        }
        if (kept.isEmpty()) {
            return headerAtMost(batch);
        }
        boolean needsHorizon = hasTombstones && !batch.hasDeleteHorizon();
        if (kept.size() == batch.recordCount() && !needsHorizon) {
            return batch.bytes();
        }
        long horizonMs = batch.hasDeleteHorizon() ? batch.baseTimestamp() : RecordBatch.NO_TIMESTAMP;
        return RetainedBatch.of(batch, kept, needsHorizon ? newHorizonMs() : horizonMs);
    }

    private boolean stays(RecordBatch batch, LogRecord record) {
        if (record.offset() >= offsets.endOffset()) {
            return true;
        }
        ByteBuf key = record.key();
        if (key == null || offsets.isSuperseded(key, record.offset())) {
            return false;
        }
        return record.value() != null || !isPastHorizon(batch);
    }

    private boolean isPastHorizon(RecordBatch batch) {
        return batch.hasDeleteHorizon() && batch.baseTimestamp() <= nowMs;
    }

    private long newHorizonMs() {
        return deleteRetentionMs > Long.MAX_VALUE - nowMs ? Long.MAX_VALUE : nowMs + deleteRetentionMs;
    }

    private @Nullable ByteBuf headerAtMost(RecordBatch batch) {
        if (!mustStay.test(batch)) {
            return null;
        }
        return batch.recordCount() == 0 ? batch.bytes() : RetainedBatch.empty(batch);
    }
}

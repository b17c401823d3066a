package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tidemark.broker.log.WrittenLog.Batch;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says whether batches may be what compaction, and then a crash, left of others: each is one of those or its rest, at its
 * old offsets, and whatever is missing was superseded by what is there, or aborted, or a tombstone that has had its time,
 * or never forced and at its segment's end.
 */
final class CompactedHistory {
    private final List<Batch> written;
    private final long start;
    private final long durableEnd;
    private final List<Long> segmentStarts;
    private final boolean keepsTombstones;
    private final WrittenTransactions transactions;

    CompactedHistory(
            List<Batch> written, long start, long durableEnd, List<Long> segmentStarts, boolean keepsTombstones) {
        this.written = written;
        this.start = start;
        this.durableEnd = durableEnd;
        this.segmentStarts = segmentStarts;
        this.keepsTombstones = keepsTombstones;
        this.transactions = new WrittenTransactions(written);
    }

    @Nullable
    String complaintAbout(List<Batch> found, long end) {
        Map<Long, Batch> originals = new HashMap<>();
        written.forEach(batch -> originals.put(batch.baseOffset(), batch));
        Set<Long> batchesThere = new HashSet<>();
        Set<Long> recordsThere = new HashSet<>();
        Map<String, Long> lastByKey = new HashMap<>();
        long next = 0;
        for (Batch batch : found) {
            Batch original = originals.get(batch.baseOffset());
            String complaint = original == null || batch.baseOffset() < next
                    ? "there was no such batch, or it comes twice"
                    : complaintAbout(batch.decoded(), original.decoded());
            if (complaint != null) {
                return "batch at " + batch.baseOffset() + ": " + complaint;
            }
            next = batch.nextOffset();
            batchesThere.add(batch.baseOffset());
            for (LogRecord record : batch.decoded().records()) {
                recordsThere.add(record.offset());
                if (!batch.decoded().isControl() && !transactions.isAborted(original.decoded())) {
                    lastByKey.put(text(record.key()), record.offset());
                }
            }
        }
        return complaintAboutTheMissing(found, end, batchesThere, recordsThere, lastByKey);
    }

    private static @Nullable String complaintAbout(RecordBatch rest, RecordBatch original) {
        if (rest.nextOffset() != original.nextOffset()
                || rest.partitionLeaderEpoch() != original.partitionLeaderEpoch()
                || rest.producerId() != original.producerId()
                || rest.producerEpoch() != original.producerEpoch()
                || rest.baseSequence() != original.baseSequence()
                || rest.isTransactional() != original.isTransactional()
                || rest.isControl() != original.isControl()) {
            return rest + " is not what may be left of " + original;
        }
        Map<Long, String> records = new TreeMap<>();
        original.records().forEach(record -> records.put(record.offset(), text(record)));
        for (LogRecord record : rest.records()) {
            if (!text(record).equals(records.get(record.offset()))) {
                return "the record at " + record.offset() + " is " + text(record) + "; expected "
                        + records.get(record.offset());
            }
        }
        return null;
    }

    private @Nullable String complaintAboutTheMissing(
            List<Batch> found, long end, Set<Long> batches, Set<Long> records, Map<String, Long> lastByKey) {
        Map<Long, Long> lastOfProducers = new HashMap<>();
        Map<String, Long> lastTombstones = lastTombstones(end);
        for (Batch batch : written) {
            RecordBatch original = batch.decoded();
            if (batch.nextOffset() > end || batch.baseOffset() < start || mayBeLost(batch, found)) {
                continue;
            }
            if (original.isControl()) {
                if (!records.contains(batch.baseOffset()) && holdsDataOfItsTransaction(original, found)) {
                    return "the marker at " + batch.baseOffset() + " is gone before its data";
                }
                continue;
            }
            if (original.hasProducerId()) {
                lastOfProducers.put(original.producerId(), batch.baseOffset());
            }
            if (transactions.isAborted(original)) {
                continue;
            }
            for (LogRecord record : original.records()) {
                String key = text(record.key());
                boolean mayBeGone = lastByKey.getOrDefault(key, -1L) > record.offset()
                        || lastTombstones.getOrDefault(key, -1L) >= record.offset();
                if (!records.contains(record.offset()) && !mayBeGone) {
                    return "the record at " + record.offset() + " of key " + text(record.key()) + " is gone";
                }
            }
        }
        for (Map.Entry<Long, Long> last : lastOfProducers.entrySet()) {
            if (!batches.contains(last.getValue())) {
                return "the last batch of producer " + last.getKey() + " at " + last.getValue() + " is gone";
            }
        }
        return null;
    }

    /** Those that may be gone themselves, with all that they superseded. */
    private Map<String, Long> lastTombstones(long end) {
        Map<String, Long> last = new HashMap<>();
        for (Batch batch : keepsTombstones ? List.<Batch>of() : written) {
            RecordBatch decoded = batch.decoded();
            if (batch.nextOffset() <= end && !decoded.isControl() && !transactions.isAborted(decoded)) {
                for (LogRecord record : decoded.records()) {
                    if (record.value() == null) {
                        last.put(text(record.key()), record.offset());
                    }
                }
            }
        }
        return last;
    }

    /** Never forced, and nothing after it in its segment is there. */
    boolean mayBeLost(Batch batch, List<Batch> found) {
        if (batch.nextOffset() <= durableEnd) {
            return false;
        }
        long segmentEnd = segmentStarts.stream()
                .filter(segmentStart -> segmentStart > batch.baseOffset())
                .min(Long::compare)
                .orElse(Long.MAX_VALUE);
        return found.stream()
                .noneMatch(there -> there.baseOffset() >= batch.baseOffset() && there.baseOffset() < segmentEnd);
    }

    private boolean holdsDataOfItsTransaction(RecordBatch marker, List<Batch> found) {
        long previousMarker = written.stream()
                .filter(batch -> batch.baseOffset() < marker.baseOffset())
                .map(Batch::decoded)
                .filter(batch -> batch.isControl() && batch.producerId() == marker.producerId())
                .mapToLong(RecordBatch::baseOffset)
                .max()
                .orElse(-1);
        return found.stream()
                .filter(batch -> batch.baseOffset() > previousMarker && batch.baseOffset() < marker.baseOffset())
                .map(Batch::decoded)
                .anyMatch(batch ->
                        batch.isTransactional() && !batch.isControl() && batch.producerId() == marker.producerId());
    }

    private static String text(LogRecord record) {
        return text(record.key()) + "=" + text(record.value()) + " at " + record.timestamp();
    }

    private static String text(@Nullable ByteBuf bytes) {
        return bytes == null ? "null" : ByteBufUtil.hexDump(bytes);
    }
}

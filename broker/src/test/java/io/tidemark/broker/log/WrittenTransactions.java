package io.tidemark.broker.log;

import io.tidemark.broker.log.index.AbortedTransaction;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The transactions of a log's batches, told in the plainest way. */
final class WrittenTransactions {
    private final List<AbortedTransaction> aborted = new ArrayList<>();
    private final TreeMap<Long, Long> firstOffsets = new TreeMap<>();

    WrittenTransactions(List<WrittenLog.Batch> batches) {
        for (WrittenLog.Batch written : batches) {
            RecordBatch batch = written.decoded();
            EndTransactionMarker marker = batch.isControl() ? EndTransactionMarker.of(batch) : null;
            if (marker != null) {
                Long first = firstOffsets.remove(batch.producerId());
                if (first != null && !marker.commit()) {
                    long stable =
                            firstOffsets.values().stream().min(Long::compare).orElse(batch.nextOffset());
                    aborted.add(new AbortedTransaction(batch.producerId(), first, batch.lastOffset(), stable));
                }
            } else if (batch.isTransactional()) {
                firstOffsets.putIfAbsent(batch.producerId(), batch.baseOffset());
            }
        }
    }

    /** Those aborted, in the order of their markers. */
    List<AbortedTransaction> aborted() {
        return aborted;
    }

    /** Where those still open begin. */
    Collection<Long> openSince() {
        return firstOffsets.values();
    }

    /** Whether a data batch belongs to a transaction that was aborted. */
    boolean isAborted(RecordBatch batch) {
        return batch.isTransactional() && aborted.stream().anyMatch(transaction -> covers(transaction, batch));
    }

    static boolean covers(AbortedTransaction transaction, RecordBatch batch) {
        return transaction.producerId() == batch.producerId()
                && transaction.firstOffset() <= batch.baseOffset()
                && batch.baseOffset() < transaction.lastOffset();
    }
}

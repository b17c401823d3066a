package io.tidemark.broker.log.cleaner;

import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The aborted transactions of a log of which there is still data: learned from its batches, in order, all of them. Knows a
 * transaction by its batches and its marker, over however many segments they lie (KAFKA-8351).
 */
final class AbortedTransactions {
    private final Map<Long, Long> openSince = new HashMap<>();
    /** Producer id to first offset to the marker's offset. */
    private final Map<Long, TreeMap<Long, Long>> aborted = new HashMap<>();

    /** A batch that is data; only its header is looked at. */
    void onData(RecordBatch header) {
        if (header.isTransactional()) {
            openSince.putIfAbsent(header.producerId(), header.baseOffset());
        }
    }

    void onMarker(RecordBatch header, @Nullable EndTransactionMarker marker) {
        Long first = openSince.remove(header.producerId());
        if (first != null && marker != null && !marker.commit()) {
            aborted.computeIfAbsent(header.producerId(), id -> new TreeMap<>()).put(first, header.baseOffset());
        }
    }

    /** Whether a batch is data of an aborted transaction. */
    boolean hold(RecordBatch batch) {
        TreeMap<Long, Long> transactions = batch.isTransactional() ? aborted.get(batch.producerId()) : null;
        Map.Entry<Long, Long> entry = transactions == null ? null : transactions.floorEntry(batch.baseOffset());
        return entry != null && batch.lastOffset() < entry.getValue();
    }
}

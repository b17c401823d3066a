package io.tidemark.broker.log;

import io.tidemark.broker.log.index.AbortedTransaction;

/**
 * A transaction that a marker ended in this log.
 *
 * @param producerId whose it was
 * @param firstOffset the offset of its first record
 * @param lastOffset the offset of the marker
 * @param aborted true where the marker is an abort
 * @param lastStableOffset where the first transaction starts that is still open, else the offset after the marker
 */
record CompletedTransaction(
        long producerId, long firstOffset, long lastOffset, boolean aborted, long lastStableOffset) {
    /** How an index remembers it. */
    AbortedTransaction toIndexEntry() {
        return new AbortedTransaction(producerId, firstOffset, lastOffset, lastStableOffset);
    }
}

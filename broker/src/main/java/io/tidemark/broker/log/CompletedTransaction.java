package io.tidemark.broker.log;

/**
 * A transaction that a marker ended in this log.
 *
 * @param producerId whose it was
 * @param firstOffset the offset of its first record
 * @param lastOffset the offset of the marker
 * @param aborted true where the marker is an abort
 */
record CompletedTransaction(long producerId, long firstOffset, long lastOffset, boolean aborted) {}

package io.tidemark.broker.log.index;

/**
 * A transaction that an abort marker ended.
 *
 * @param producerId whose it was
 * @param firstOffset the offset of its first record
 * @param lastOffset the offset of the marker
 * @param lastStableOffset where the log was stable up to once it was ended: no transaction that starts below is aborted
 *     by a marker after this one
 */
public record AbortedTransaction(long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}

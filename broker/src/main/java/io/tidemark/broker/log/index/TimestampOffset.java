package io.tidemark.broker.log.index;

/**
 * The greatest timestamp of a segment up to some batch.
 *
 * @param timestamp milliseconds since the epoch
 * @param offset the last offset of the batch that has it
 */
public record TimestampOffset(long timestamp, long offset) {}

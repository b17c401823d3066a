package io.tidemark.broker.log.index;

/**
 * Where a batch lies.
 *
 * @param offset an offset in the batch; from the index, its last
 * @param position the batch's first byte in its segment's file
 */
public record OffsetPosition(long offset, int position) {}

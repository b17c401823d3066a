package io.tidemark.broker.log;

/**
 * How a log was left.
 *
 * @param clean closed in good order
 * @param recoveryPoint everything below was forced
 * @param logStartOffset its start
 * @param cleanedTo up to where it was compacted, and may have holes; {@link PartitionLog#NEVER_CLEANED} for never
 */
record LastStop(boolean clean, long recoveryPoint, long logStartOffset, long cleanedTo) {}

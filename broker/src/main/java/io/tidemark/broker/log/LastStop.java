package io.tidemark.broker.log;

/**
 * How a log was left.
 *
 * @param clean closed in good order
 * @param recoveryPoint everything below was forced
 * @param logStartOffset its start
 */
record LastStop(boolean clean, long recoveryPoint, long logStartOffset) {}

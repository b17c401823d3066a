package io.tidemark.broker.log.cleaner;

import io.tidemark.broker.log.PartitionLog;

/**
 * A log that is in service.
 *
 * @param lastStableOffset what is above is not to be compacted
 */
public record CleanableLog(PartitionLog log, long lastStableOffset) {}

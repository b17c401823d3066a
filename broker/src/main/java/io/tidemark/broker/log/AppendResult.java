package io.tidemark.broker.log;

/**
 * What became of an append.
 *
 * @param firstOffset the offset of the first record; of a repeated batch, the one it has had all along
 * @param lastOffset the offset of the last record; {@code firstOffset - 1} where there was nothing to append
 * @param logAppendTimeMs the timestamp that the records were given, or -1 where they keep their producer's
 * @param logStartOffset the log's start when the append was done
 * @param maxTimestamp the greatest timestamp among the records, -1 for none
 * @param sizeInBytes the bytes appended; 0 for a repeated batch
 * @param duplicate true where an idempotent producer sent a batch again, and nothing was appended
 */
public record AppendResult(
        long firstOffset,
        long lastOffset,
        long logAppendTimeMs,
        long logStartOffset,
        long maxTimestamp,
        int sizeInBytes,
        boolean duplicate) {}

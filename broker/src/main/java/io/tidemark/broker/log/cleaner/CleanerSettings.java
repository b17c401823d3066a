package io.tidemark.broker.log.cleaner;

import io.tidemark.broker.config.ConfigValues;

/**
 * The broker's configuration of compaction, under Kafka's names.
 *
 * @param isEnabled {@code log.cleaner.enable}
 * @param threads {@code log.cleaner.threads}: how many logs are compacted at a time
 * @param backoffMs {@code log.cleaner.backoff.ms}: the pause after a look that found nothing to do
 * @param keyBytes the memory for the keys of one run: {@code log.cleaner.dedupe.buffer.size}, as far as
 *     {@code log.cleaner.io.buffer.load.factor} lets it be filled
 * @param pieceBytes {@code log.cleaner.io.buffer.size}: about how much is read and written at a time
 * @param maxBytesPerSecond {@code log.cleaner.io.max.bytes.per.second}, of reads and writes together
 */
public record CleanerSettings(
        boolean isEnabled, int threads, long backoffMs, long keyBytes, int pieceBytes, double maxBytesPerSecond) {
    public static CleanerSettings of(ConfigValues broker) {
        return new CleanerSettings(
                broker.booleanValue("log.cleaner.enable"),
                broker.intValue("log.cleaner.threads"),
                broker.longValue("log.cleaner.backoff.ms"),
                (long) (broker.longValue("log.cleaner.dedupe.buffer.size")
                        * broker.doubleValue("log.cleaner.io.buffer.load.factor")),
                broker.intValue("log.cleaner.io.buffer.size"),
                broker.doubleValue("log.cleaner.io.max.bytes.per.second"));
    }

    /**
     * How long to wait after so many bytes that took so long.
     *
     * @param sharers how many logs are compacted at the moment, which share what may be read and written
     */
    long pauseMs(long bytes, long elapsedMs, int sharers) {
        double dueMs = bytes * 1000.0 * Math.max(1, sharers) / maxBytesPerSecond;
        return Math.max(0, (long) dueMs - elapsedMs);
    }
}

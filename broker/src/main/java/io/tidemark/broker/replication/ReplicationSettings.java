package io.tidemark.broker.replication;

import io.tidemark.broker.config.ConfigValues;

/**
 * The broker's configuration of replication, under Kafka's names.
 *
 * @param fetchWaitMaxMs {@code replica.fetch.wait.max.ms}
 * @param fetchMinBytes {@code replica.fetch.min.bytes}
 * @param fetchMaxBytes {@code replica.fetch.max.bytes}, for each partition
 * @param fetchResponseMaxBytes {@code replica.fetch.response.max.bytes}
 * @param fetchBackoffMs {@code replica.fetch.backoff.ms}: the longest pause after an error; the first are much shorter
 * @param socketTimeoutMs {@code replica.socket.timeout.ms}
 * @param lagTimeMaxMs {@code replica.lag.time.max.ms}
 * @param highWatermarkCheckpointIntervalMs {@code replica.high.watermark.checkpoint.interval.ms}
 * @param retentionCheckIntervalMs {@code log.retention.check.interval.ms}
 * @param producerExpirationCheckIntervalMs {@code producer.id.expiration.check.interval.ms}
 * @param initialTaskDelayMs {@code log.initial.task.delay.ms}: when the first of the logs' regular tasks runs
 * @param flushCheckIntervalMs {@code log.flush.scheduler.interval.ms}: how often {@code flush.ms} is looked at
 * @param offsetCheckpointIntervalMs {@code log.flush.offset.checkpoint.interval.ms}
 */
public record ReplicationSettings(
        int fetchWaitMaxMs,
        int fetchMinBytes,
        int fetchMaxBytes,
        int fetchResponseMaxBytes,
        long fetchBackoffMs,
        long socketTimeoutMs,
        long lagTimeMaxMs,
        long highWatermarkCheckpointIntervalMs,
        long retentionCheckIntervalMs,
        long producerExpirationCheckIntervalMs,
        long initialTaskDelayMs,
        long flushCheckIntervalMs,
        long offsetCheckpointIntervalMs) {
    public static ReplicationSettings of(ConfigValues broker) {
        return new ReplicationSettings(
                broker.intValue("replica.fetch.wait.max.ms"),
                broker.intValue("replica.fetch.min.bytes"),
                broker.intValue("replica.fetch.max.bytes"),
                broker.intValue("replica.fetch.response.max.bytes"),
                broker.longValue("replica.fetch.backoff.ms"),
                broker.longValue("replica.socket.timeout.ms"),
                broker.longValue("replica.lag.time.max.ms"),
                broker.longValue("replica.high.watermark.checkpoint.interval.ms"),
                broker.longValue("log.retention.check.interval.ms"),
                broker.intValue("producer.id.expiration.check.interval.ms"),
                broker.longValue("log.initial.task.delay.ms"),
                broker.longValue("log.flush.scheduler.interval.ms"),
                broker.longValue("log.flush.offset.checkpoint.interval.ms"));
    }
}

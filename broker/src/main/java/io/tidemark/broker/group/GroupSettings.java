package io.tidemark.broker.group;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;

/**
 * What the group coordinator is configured with.
 *
 * @param minSessionTimeoutMs {@code group.min.session.timeout.ms}
 * @param maxSessionTimeoutMs {@code group.max.session.timeout.ms}
 * @param initialRebalanceDelayMs {@code group.initial.rebalance.delay.ms}: how long the first rebalance of an empty
 *     group waits for more members
 * @param maxSize {@code group.max.size}, in members
 * @param offsetMetadataMaxLength {@code offset.metadata.max.bytes}, which Kafka counts in characters
 * @param offsetsRetentionMs {@code offsets.retention.minutes}
 * @param offsetsRetentionCheckIntervalMs {@code offsets.retention.check.interval.ms}
 */
public record GroupSettings(
        int minSessionTimeoutMs,
        int maxSessionTimeoutMs,
        int initialRebalanceDelayMs,
        int maxSize,
        int offsetMetadataMaxLength,
        long offsetsRetentionMs,
        long offsetsRetentionCheckIntervalMs) {
    /**
     * How long the first JoinGroup of a member may wait. A new member does not know its id, so it cannot send
     * heartbeats; without this end, requests that clients gave up would keep ghosts in the group.
     */
    static final int NEW_MEMBER_JOIN_TIMEOUT_MS = 5 * 60 * 1000;

    public static GroupSettings of(ConfigValues values) {
        return new GroupSettings(
                values.intValue(BrokerConfigs.GROUP_MIN_SESSION_TIMEOUT_MS),
                values.intValue(BrokerConfigs.GROUP_MAX_SESSION_TIMEOUT_MS),
                values.intValue(BrokerConfigs.GROUP_INITIAL_REBALANCE_DELAY_MS),
                values.intValue(BrokerConfigs.GROUP_MAX_SIZE),
                values.intValue(BrokerConfigs.OFFSET_METADATA_MAX_BYTES),
                values.intValue(BrokerConfigs.OFFSETS_RETENTION_MINUTES) * 60_000L,
                values.longValue(BrokerConfigs.OFFSETS_RETENTION_CHECK_INTERVAL_MS));
    }
}

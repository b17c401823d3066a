package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Gives partitions back to their preferred leaders from time to time ({@code auto.leader.rebalance.enable}). As in
 * Kafka since KRaft, {@code leader.imbalance.per.broker.percentage} has no say: whatever can go back does. Times are of
 * the monotonic clock; on the active controller only.
 */
final class LeaderBalancer {
    /** The most elections at one time; the rest follows at once. */
    private static final int MAX_ELECTIONS = 1_000;

    private final boolean isEnabled;
    private final long intervalMs;
    private final EffectiveConfigs configs;
    private long nextMs;

    LeaderBalancer(ConfigValues values, EffectiveConfigs configs) {
        this.isEnabled = values.booleanValue(BrokerConfigs.AUTO_LEADER_REBALANCE_ENABLE);
        this.intervalMs =
                TimeUnit.SECONDS.toMillis(values.longValue(BrokerConfigs.LEADER_IMBALANCE_CHECK_INTERVAL_SECONDS));
        this.configs = configs;
    }

    void onLeader(long nowMs) {
        nextMs = nowMs + intervalMs;
    }

    /** The elections that are due. */
    List<ApiMessage> balance(MetadataImage image, long nowMs) {
        List<ApiMessage> records = new ArrayList<>();
        if (!isEnabled || nowMs < nextMs) {
            return records;
        }
        LeaderElections elections = new LeaderElections(configs);
        for (TopicImage topic : image.topics().byName().values()) {
            for (int partition : topic.partitions().keySet()) {
                if (records.size() == MAX_ELECTIONS) {
                    return records;
                }
                PartitionRegistration registration = topic.partition(partition);
                if (registration != null
                        && registration.leader() != registration.replicas().get(0)) {
                    elections.electPreferred(topic.name(), partition, image, records);
                }
            }
        }
        nextMs = nowMs + intervalMs;
        return records;
    }
}

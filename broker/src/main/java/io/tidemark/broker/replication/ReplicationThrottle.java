package io.tidemark.broker.replication;

import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.types.TopicPartition;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas of this broker are throttled, and by how much (KIP-73): {@code leader.replication.throttled.replicas}
 * with {@code leader.replication.throttled.rate}, or the same of {@code follower}. The replicas are a topic's config,
 * as {@code *} or as {@code partition:broker}, the rate is the broker's. What is in sync is never throttled: who asks
 * sees to that.
 */
final class ReplicationThrottle {
    private static final String RATE = ".replication.throttled.rate";
    private static final String REPLICAS = ".replication.throttled.replicas";
    private static final String ALL = "*";

    private final int brokerId;
    private final String rateConfig;
    private final String replicasConfig;
    private final ReplicationQuota quota;
    private final Map<String, String> replicasByTopic = new HashMap<>();

    /**
     * @param role {@code leader} or {@code follower}
     */
    ReplicationThrottle(int brokerId, String role, ConfigValues values) {
        this.brokerId = brokerId;
        this.rateConfig = role + RATE;
        this.replicasConfig = role + REPLICAS;
        this.quota = new ReplicationQuota(
                values.intValue("replication.quota.window.num"),
                1_000L * values.intValue("replication.quota.window.size.seconds"));
    }

    /** A topic's or a broker's configs have changed. */
    void onConfigs(ConfigResource resource, MetadataImage image) {
        if (resource.type() == ConfigResource.TOPIC) {
            String replicas = image.configsOf(resource).get(replicasConfig);
            if (replicas == null) {
                replicasByTopic.remove(resource.name());
            } else {
                replicasByTopic.put(resource.name(), replicas);
            }
        } else if (resource.type() == ConfigResource.BROKER) {
            String own = image.configsOf(ConfigResource.broker(brokerId)).get(rateConfig);
            String rate = own == null
                    ? image.configsOf(ConfigResource.brokerDefault()).get(rateConfig)
                    : own;
            quota.limit(rate(rate));
        }
    }

    static long rate(@Nullable String text) {
        try {
            return text == null ? ReplicationQuota.UNLIMITED : Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            return ReplicationQuota.UNLIMITED;
        }
    }

    boolean isThrottled(TopicPartition partition) {
        String replicas = replicasByTopic.get(partition.topic());
        if (replicas == null) {
            return false;
        }
        String wanted = partition.partition() + ":" + brokerId;
        for (String replica : replicas.split(",", -1)) {
            if (replica.trim().equals(ALL) || replica.trim().equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** True where the partition has to wait now. */
    boolean holdsBack(TopicPartition partition, long nowMs) {
        return quota.isExceeded(nowMs) && isThrottled(partition);
    }

    /** Counts what a throttled partition took. */
    void record(TopicPartition partition, long bytes, long nowMs) {
        if (bytes > 0 && isThrottled(partition)) {
            quota.record(bytes, nowMs);
        }
    }

    long waitMs(long nowMs) {
        return quota.waitMs(nowMs);
    }
}

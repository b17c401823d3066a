package io.tidemark.broker.group;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When the offsets of a group, as it is now, expire (KIP-211): of a group whose members have gone, a while after the last
 * one left; of a consumer that manages its partitions itself, a while after each commit; of an active consumer group,
 * a while after the commit in topics that it no longer reads; of any other active group, never.
 */
final class OffsetExpiry {
    private final ClassicGroup group;
    private final long retentionMs;
    private final @Nullable Set<String> subscribedTopics;

    private OffsetExpiry(ClassicGroup group, long retentionMs, @Nullable Set<String> subscribedTopics) {
        this.group = group;
        this.retentionMs = retentionMs;
        this.subscribedTopics = subscribedTopics;
    }

    static OffsetExpiry of(ClassicGroup group, long retentionMs) {
        return new OffsetExpiry(group, retentionMs, Subscriptions.topicsOf(group));
    }

    boolean isExpired(String topic, CommittedOffset offset, long nowMs) {
        if (!mayExpire(topic)) {
            return false;
        }
        if (offset.expireTimestampMs() != CommittedOffset.NO_EXPIRY) {
            return nowMs >= offset.expireTimestampMs();
        }
        return nowMs - baseMs(offset) >= retentionMs;
    }

    private boolean mayExpire(String topic) {
        if (group.protocolType() == null || group.isIn(GroupStateName.EMPTY)) {
            return true;
        }
        return group.isIn(GroupStateName.STABLE) && subscribedTopics != null && !subscribedTopics.contains(topic);
    }

    private long baseMs(CommittedOffset offset) {
        boolean abandoned = group.protocolType() != null && group.isIn(GroupStateName.EMPTY);
        return abandoned && group.stateSinceMs() >= 0 ? group.stateSinceMs() : offset.commitTimestampMs();
    }
}

package io.tidemark.broker.fetch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One reader's session. */
final class FetchSession {
    static final int NO_SESSION = 0;
    static final int OPENING_EPOCH = 0;
    static final int CLOSING_EPOCH = -1;

    private final int id;
    private final boolean isFollower;
    private final boolean usesTopicIds;
    private final long createdMs;
    private final Map<FetchItem.Key, SessionPartition> partitions = new LinkedHashMap<>();
    private long lastUsedMs;
    private int epoch;

    FetchSession(int id, boolean isFollower, boolean usesTopicIds, long nowMs) {
        this.id = id;
        this.isFollower = isFollower;
        this.usesTopicIds = usesTopicIds;
        this.createdMs = nowMs;
        this.lastUsedMs = nowMs;
        this.epoch = nextEpoch(OPENING_EPOCH);
    }

    static int nextEpoch(int sessionEpoch) {
        if (sessionEpoch < 0) {
            return CLOSING_EPOCH;
        }
        return sessionEpoch == Integer.MAX_VALUE ? 1 : sessionEpoch + 1;
    }

    int id() {
        return id;
    }

    boolean isFollower() {
        return isFollower;
    }

    boolean usesTopicIds() {
        return usesTopicIds;
    }

    long createdMs() {
        return createdMs;
    }

    long lastUsedMs() {
        return lastUsedMs;
    }

    /** The epoch that the next request must have. */
    int epoch() {
        return epoch;
    }

    int size() {
        return partitions.size();
    }

    boolean isEmpty() {
        return partitions.isEmpty();
    }

    void advance(long nowMs) {
        epoch = nextEpoch(epoch);
        lastUsedMs = nowMs;
    }

    /** Adds a partition, or takes over what the reader now asks of it. */
    void put(FetchItem item) {
        SessionPartition known = partitions.get(item.key());
        if (known == null) {
            partitions.put(item.key(), new SessionPartition(item));
        } else {
            known.update(item.withTopic(item.topic() == null ? known.item().topic() : item.topic()));
        }
    }

    void forget(FetchItem.Key key) {
        partitions.remove(key);
    }

    /** Finds the names of topics that were not known before. A known name stays, whatever becomes of the topic. */
    void resolve(TopicNames names) {
        if (!usesTopicIds) {
            return;
        }
        for (SessionPartition partition : partitions.values()) {
            if (partition.item().topic() == null) {
                String name = names.name(partition.item().topicId());
                if (name != null) {
                    partition.update(partition.item().withTopic(name));
                }
            }
        }
    }

    List<FetchItem> items() {
        List<FetchItem> items = new ArrayList<>(partitions.size());
        for (SessionPartition partition : partitions.values()) {
            items.add(partition.item());
        }
        return items;
    }

    @Nullable
    SessionPartition partition(FetchItem item) {
        return partitions.get(item.key());
    }

    /** Puts a partition behind all others, since it has just had its share. */
    void moveToEnd(FetchItem item) {
        SessionPartition partition = partitions.remove(item.key());
        if (partition != null) {
            partitions.put(item.key(), partition);
        }
    }
}

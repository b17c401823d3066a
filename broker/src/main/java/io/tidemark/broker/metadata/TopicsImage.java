package io.tidemark.broker.metadata;

import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The topics, by name and by id. Immutable. */
public final class TopicsImage {
    public static final TopicsImage EMPTY = new TopicsImage(new TreeMap<>());

    private final SortedMap<String, TopicImage> byName;
    private final Map<Uuid, TopicImage> byId;

    TopicsImage(SortedMap<String, TopicImage> topics) {
        this.byName = Collections.unmodifiableSortedMap(topics);
        Map<Uuid, TopicImage> ids = new TreeMap<>();
        for (TopicImage topic : topics.values()) {
            ids.put(topic.id(), topic);
        }
        this.byId = Collections.unmodifiableMap(ids);
    }

    /** In name order. */
    public SortedMap<String, TopicImage> byName() {
        return byName;
    }

    public Map<Uuid, TopicImage> byId() {
        return byId;
    }

    public @Nullable TopicImage topic(String name) {
        return byName.get(name);
    }

    public @Nullable TopicImage topic(Uuid id) {
        return byId.get(id);
    }

    public @Nullable PartitionRegistration partition(TopicPartition topicPartition) {
        TopicImage topic = byName.get(topicPartition.topic());
        return topic == null ? null : topic.partition(topicPartition.partition());
    }

    public @Nullable PartitionRegistration partition(Uuid topicId, int partition) {
        TopicImage topic = byId.get(topicId);
        return topic == null ? null : topic.partition(partition);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopicsImage that && byName.equals(that.byName);
    }

    @Override
    public int hashCode() {
        return byName.hashCode();
    }

    @Override
    public String toString() {
        return "TopicsImage" + byName.values();
    }
}

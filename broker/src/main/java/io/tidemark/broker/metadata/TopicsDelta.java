package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of a delta that is about topics. Only topics that change are copied. */
final class TopicsDelta {
    private final TopicsImage base;
    private final Map<Uuid, ChangedTopic> changed = new LinkedHashMap<>();
    private final Map<Uuid, TopicImage> deleted = new LinkedHashMap<>();
    private final Map<TopicIdPartition, PartitionRegistration> changedPartitions = new LinkedHashMap<>();

    TopicsDelta(TopicsImage base) {
        this.base = base;
    }

    /** A topic that this delta creates or changes. */
    private record ChangedTopic(String name, Uuid id, SortedMap<Integer, PartitionRegistration> partitions) {}

    Map<TopicIdPartition, PartitionRegistration> changedPartitions() {
        return changedPartitions;
    }

    List<TopicImage> deletedTopics() {
        return new ArrayList<>(deleted.values());
    }

    TopicsImage apply() {
        if (changed.isEmpty() && deleted.isEmpty()) {
            return base;
        }
        SortedMap<String, TopicImage> topics = new TreeMap<>(base.byName());
        deleted.values().forEach(topic -> topics.remove(topic.name()));
        changed.values()
                .forEach(topic ->
                        topics.put(topic.name(), new TopicImage(topic.name(), topic.id(), topic.partitions())));
        return new TopicsImage(topics);
    }

    void replay(TopicRecord record) {
        changed.put(record.topicId(), new ChangedTopic(record.name(), record.topicId(), new TreeMap<>()));
    }

    void replay(PartitionRecord record) {
        put(
                topic(record.topicId()),
                record.partitionId(),
                new PartitionRegistration(
                        record.replicas(),
                        directories(record.replicas(), record.directories()),
                        record.isr(),
                        record.removingReplicas(),
                        record.addingReplicas(),
                        orEmpty(record.eligibleLeaderReplicas()),
                        orEmpty(record.lastKnownElr()),
                        record.leader(),
                        record.leaderRecoveryState(),
                        record.leaderEpoch(),
                        record.partitionEpoch()));
    }

    void replay(PartitionChangeRecord record) {
        ChangedTopic topic = topic(record.topicId());
        PartitionRegistration before = topic.partitions().get(record.partitionId());
        if (before == null) {
            throw new IllegalStateException("Metadata record changes partition " + record.partitionId() + " of topic "
                    + topic.name() + ", which has no such partition");
        }
        put(topic, record.partitionId(), before.merge(record));
    }

    /** The topic's name as it was. */
    String remove(Uuid topicId) {
        ChangedTopic topic = topic(topicId);
        changed.remove(topicId);
        TopicImage before = base.topic(topicId);
        if (before != null) {
            deleted.put(topicId, before);
        }
        changedPartitions.keySet().removeIf(partition -> partition.topicId().equals(topicId));
        return topic.name();
    }

    /** Forgets the eligible leaders of one topic, or of all where the name is empty. */
    void clearElr(String topicName) {
        for (TopicImage image : apply().byName().values()) {
            if (!topicName.isEmpty() && !topicName.equals(image.name())) {
                continue;
            }
            image.partitions().forEach((number, partition) -> {
                if (!partition.elr().isEmpty() || !partition.lastKnownElr().isEmpty()) {
                    put(topic(image.id()), number, partition.withoutElr());
                }
            });
        }
    }

    private ChangedTopic topic(Uuid topicId) {
        ChangedTopic topic = changed.get(topicId);
        if (topic != null) {
            return topic;
        }
        TopicImage before = base.topic(topicId);
        if (before == null || deleted.containsKey(topicId)) {
            throw new IllegalStateException("Metadata record changes topic id " + topicId + ", which does not exist");
        }
        topic = new ChangedTopic(before.name(), topicId, new TreeMap<>(before.partitions()));
        changed.put(topicId, topic);
        return topic;
    }

    private void put(ChangedTopic topic, int partition, PartitionRegistration registration) {
        topic.partitions().put(partition, registration);
        changedPartitions.put(
                new TopicIdPartition(topic.id(), new TopicPartition(topic.name(), partition)), registration);
    }

    private static List<Integer> orEmpty(@Nullable List<Integer> list) {
        return list == null ? List.of() : list;
    }

    private static List<Uuid> directories(List<Integer> replicas, List<Uuid> directories) {
        if (directories.size() == replicas.size()) {
            return directories;
        }
        List<Uuid> unassigned = new ArrayList<>();
        for (int i = 0; i < replicas.size(); i++) {
            unassigned.add(PartitionRegistration.UNASSIGNED_DIRECTORY);
        }
        return unassigned;
    }
}

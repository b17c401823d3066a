package io.tidemark.broker.group;

import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Offsets that were committed in transactions that are still open. Nobody sees them, and who asks for stable offsets
 * waits for the end of their transaction (KIP-447).
 */
final class PendingOffsets {
    private final SortedMap<Long, SortedMap<Slot, Pending>> byProducer = new TreeMap<>();
    private final SortedMap<String, SortedMap<TopicPartition, SortedSet<Long>>> producers = new TreeMap<>();

    private record Slot(String groupId, TopicPartition partition) implements Comparable<Slot> {
        @Override
        public int compareTo(Slot other) {
            int byGroup = groupId.compareTo(other.groupId);
            return byGroup != 0 ? byGroup : partition.compareTo(other.partition);
        }
    }

    /**
     * @param logOffset the offset of its own record in the log of the shard
     * @param groupId whose offset it is
     * @param partition where
     * @param value how far
     */
    record Pending(long logOffset, String groupId, TopicPartition partition, CommittedOffset value) {}

    /** A later one of the same transaction takes the place of an earlier one. */
    void add(long producerId, Pending pending) {
        byProducer
                .computeIfAbsent(producerId, id -> new TreeMap<>())
                .put(new Slot(pending.groupId, pending.partition), pending);
        producers
                .computeIfAbsent(pending.groupId, id -> new TreeMap<>())
                .computeIfAbsent(pending.partition, partition -> new TreeSet<>())
                .add(producerId);
    }

    /** The producer's transaction has ended: what was pending in it, which is not any more. */
    List<Pending> end(long producerId) {
        SortedMap<Slot, Pending> ended = byProducer.remove(producerId);
        if (ended == null) {
            return List.of();
        }
        ended.keySet().forEach(slot -> forget(slot, producerId));
        return new ArrayList<>(ended.values());
    }

    /** The group's offset there was deleted, and with it what was pending. */
    void forget(String groupId, TopicPartition partition) {
        Slot slot = new Slot(groupId, partition);
        for (long producerId : producersOf(groupId, partition)) {
            forget(slot, producerId);
            SortedMap<Slot, Pending> pending = byProducer.get(producerId);
            if (pending != null) {
                pending.remove(slot);
                if (pending.isEmpty()) {
                    byProducer.remove(producerId);
                }
            }
        }
    }

    private void forget(Slot slot, long producerId) {
        SortedMap<TopicPartition, SortedSet<Long>> ofGroup = producers.get(slot.groupId);
        SortedSet<Long> ofPartition = ofGroup == null ? null : ofGroup.get(slot.partition);
        if (ofGroup == null || ofPartition == null) {
            return;
        }
        ofPartition.remove(producerId);
        if (ofPartition.isEmpty()) {
            ofGroup.remove(slot.partition);
        }
        if (ofGroup.isEmpty()) {
            producers.remove(slot.groupId);
        }
    }

    private List<Long> producersOf(String groupId, TopicPartition partition) {
        SortedMap<TopicPartition, SortedSet<Long>> ofGroup = producers.get(groupId);
        SortedSet<Long> ofPartition = ofGroup == null ? null : ofGroup.get(partition);
        return ofPartition == null ? List.of() : new ArrayList<>(ofPartition);
    }

    boolean contains(String groupId, TopicPartition partition) {
        SortedMap<TopicPartition, SortedSet<Long>> ofGroup = producers.get(groupId);
        return ofGroup != null && ofGroup.containsKey(partition);
    }

    /** Where a group has any, in order. */
    List<TopicPartition> partitionsOf(String groupId) {
        SortedMap<TopicPartition, SortedSet<Long>> ofGroup = producers.get(groupId);
        return ofGroup == null ? List.of() : new ArrayList<>(ofGroup.keySet());
    }

    List<String> groupIds() {
        return new ArrayList<>(producers.keySet());
    }
}

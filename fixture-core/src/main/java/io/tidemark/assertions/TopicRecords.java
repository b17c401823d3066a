package io.tidemark.assertions;

import io.tidemark.IsolationLevel;
import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaRecord;
import io.tidemark.TopicHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The records of a topic as its leaders hold them.
 *
 * @param name the topic's name
 * @param isolation which of them count
 * @param partitions every partition, of which there is at least one
 * @param byPartition the records of each partition, in order
 */
record TopicRecords(
        String name,
        IsolationLevel isolation,
        List<PartitionState> partitions,
        SortedMap<Integer, List<ReplicaRecord>> byPartition)
        implements TopicAssert.OfTopic {
    private static final int MOST_SHOWN = 20;

    /**
     * Looks at each partition.
     *
     * @throws IllegalStateException if one has no leader
     * @throws IllegalArgumentException if the topic goes away meanwhile
     */
    static TopicRecords of(TopicHandle topic, IsolationLevel isolation) {
        List<PartitionState> partitions = topic.snapshot();
        SortedMap<Integer, List<ReplicaRecord>> byPartition = new TreeMap<>();
        for (PartitionState state : partitions) {
            PartitionHandle partition = topic.partition(state.partition());
            byPartition.put(state.partition(), partition.records(isolation));
        }
        return new TopicRecords(topic.name(), isolation, partitions, byPartition);
    }

    /** All records, partition by partition. */
    List<ReplicaRecord> inOrder() {
        return byPartition.values().stream().flatMap(List::stream).toList();
    }

    /** Each as {@code order-3 in [0, 1]}; records without a key do not count. */
    List<String> keysInSeveralPartitions() {
        SortedMap<String, SortedSet<Integer>> partitionsOf = new TreeMap<>();
        byPartition.forEach((partition, records) -> records.forEach(record -> {
            String key = record.keyText();
            if (key != null) {
                partitionsOf.computeIfAbsent(key, any -> new TreeSet<>()).add(partition);
            }
        }));
        List<String> spread = new ArrayList<>();
        partitionsOf.forEach((key, found) -> {
            if (found.size() > 1) {
                spread.add(key + " in " + found);
            }
        });
        return spread;
    }

    /** The first records of all partitions, each with its partition. */
    @Override
    public String toString() {
        int count = inOrder().size();
        StringBuilder text = new StringBuilder(
                "topic " + name + " in " + isolation + ": " + count + (count == 1 ? " record" : " records"));
        int shown = 0;
        for (PartitionState state : partitions) {
            text.append("\n  ").append(state.name());
            state.highWatermark()
                    .ifPresent(offset -> text.append(", high watermark ").append(offset));
            state.lastStableOffset()
                    .ifPresent(offset -> text.append(", last stable offset ").append(offset));
            for (ReplicaRecord record : byPartition.getOrDefault(state.partition(), List.of())) {
                if (shown++ == MOST_SHOWN) {
                    return text.append("\n    and so on").toString();
                }
                text.append("\n    ").append(record);
            }
        }
        return text.toString();
    }
}

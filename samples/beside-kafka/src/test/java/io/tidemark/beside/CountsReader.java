package io.tidemark.beside;

import io.tidemark.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Reads the counts from their start while they are written, at one isolation level. */
final class CountsReader {
    private final Consumer<String, Long> consumer;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final Map<String, List<Long>> counts = new TreeMap<>();
    private int size;

    CountsReader(Cluster cluster, String isolation) {
        consumer = cluster.clients().consumer(String.class, Long.class, Map.of("isolation.level", isolation));
        for (PartitionInfo partition : consumer.partitionsFor(StreamsCounter.COUNTS)) {
            partitions.add(new TopicPartition(partition.topic(), partition.partition()));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads what is there, and returns how many it has read in all. */
    int read() {
        for (ConsumerRecord<String, Long> record : consumer.poll(Duration.ofMillis(50))) {
            counts.computeIfAbsent(record.key(), key -> new ArrayList<>()).add(record.value());
            size++;
        }
        return size;
    }

    /** Reads what is there; true when nothing is left. */
    boolean isAtEnd() {
        read();
        Map<TopicPartition, Long> positions = new HashMap<>();
        partitions.forEach(partition -> positions.put(partition, consumer.position(partition)));
        return positions.equals(consumer.endOffsets(partitions));
    }

    /** The counts of each key, in the order that they came. */
    Map<String, List<Long>> counts() {
        return counts;
    }

    int size() {
        return size;
    }
}

package io.tidemark.broker.types;

import java.util.Comparator;

/**
 * A partition's name: its topic and its number.
 *
 * @param topic the topic's name
 * @param partition the partition's number, from 0
 */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    @Override
    public int compareTo(TopicPartition other) {
        return ORDER.compare(this, other);
    }

    /** As in Kafka's folder names and log lines: {@code topic-partition}. */
    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}

package io.tidemark.broker.types;

import org.jspecify.annotations.Nullable;

/**
 * A partition's name: its topic and its number.
 *
 * @param topic the topic's name
 * @param partition the partition's number, from 0
 */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
    // Written out, as is hashCode: the ones that records get by themselves are slow to come up in a cold JVM.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopicPartition that && partition == that.partition && topic.equals(that.topic);
    }

    @Override
    public int hashCode() {
        return 31 * topic.hashCode() + partition;
    }

    @Override
    public int compareTo(TopicPartition other) {
        int topics = topic.compareTo(other.topic);
        return topics != 0 ? topics : Integer.compare(partition, other.partition);
    }

    /** As in Kafka's folder names and log lines: {@code topic-partition}. */
    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}

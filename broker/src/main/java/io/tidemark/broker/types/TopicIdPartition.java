package io.tidemark.broker.types;

import org.jspecify.annotations.Nullable;

/**
 * A partition's identity: the id of its topic, which no later topic of the same name shares (KIP-516), and its name.
 *
 * @param topicId the topic's id
 * @param topicPartition the topic's name and the partition's number
 */
public record TopicIdPartition(Uuid topicId, TopicPartition topicPartition) {
    public String topic() {
        return topicPartition.topic();
    }

    public int partition() {
        return topicPartition.partition();
    }

    // Written out, as is hashCode: the ones that records get by themselves are slow to come up in a cold JVM.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopicIdPartition that
                && topicId.equals(that.topicId)
                && topicPartition.equals(that.topicPartition);
    }

    @Override
    public int hashCode() {
        return 31 * topicId.hashCode() + topicPartition.hashCode();
    }

    @Override
    public String toString() {
        return topicId + ":" + topicPartition;
    }
}

package io.tidemark.broker.types;

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

    @Override
    public String toString() {
        return topicId + ":" + topicPartition;
    }
}

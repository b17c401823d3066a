package io.tidemark.broker.architecture.violating.record;

import org.apache.kafka.common.TopicPartition;

/** Uses a class of Kafka's jars. */
public class BorrowsFromKafka {
    int partition(TopicPartition topicPartition) {
        return topicPartition.partition();
    }
}

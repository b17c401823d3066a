package io.tidemark.beside;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * What clients see of a partition, as text, so that two brokers' views can be held beside each other.
 *
 * @param all the records of read-uncommitted, each as {@code offset: key=value}, and where they end
 * @param committed those of read-committed, and where they end
 * @param producers the producers that the leader remembers
 * @param offsets the committed offsets of the group
 */
record SeenByClients(
        List<String> all,
        List<String> committed,
        List<String> producers,
        Map<TopicPartition, OffsetAndMetadata> offsets) {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int LIMIT_SECONDS = 60;

    static SeenByClients of(String bootstrapServers, TopicPartition partition, String group) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            return new SeenByClients(
                    read(bootstrapServers, partition, "read_uncommitted"),
                    read(bootstrapServers, partition, "read_committed"),
                    admin
                            .describeProducers(List.of(partition))
                            .partitionResult(partition)
                            .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                            .activeProducers()
                            .stream()
                            .map(Object::toString)
                            .sorted()
                            .toList(),
                    admin.listConsumerGroupOffsets(group)
                            .partitionsToOffsetAndMetadata()
                            .get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
    }

    private static List<String> read(String bootstrapServers, TopicPartition partition, String isolation) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrapServers, "isolation.level", isolation, "auto.offset.reset", "earliest");
        List<String> lines = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    lines.add(record.offset() + ": " + record.key() + "=" + record.value());
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("Reading " + partition + " with " + isolation + " stays at offset "
                            + consumer.position(partition) + "; expected to reach " + end + ". So far: " + lines);
                }
            }
            lines.add("end " + end);
            return lines;
        }
    }
}

package io.tidemark.chaos.exactlyonce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic from its start while others write it, and keeps the values of each key in the order that they came. */
final class OutputReader implements AutoCloseable {
    private final ConcurrentMap<String, List<Long>> values = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    private final Thread thread;
    private final String bootstrapServers;
    private final String topic;
    private final String isolation;
    private volatile boolean isStopped;
    private volatile Map<TopicPartition, Long> positions = Map.of();

    OutputReader(String bootstrapServers, String topic, String isolation) {
        this.bootstrapServers = bootstrapServers;
        this.topic = topic;
        this.isolation = isolation;
        this.thread = new Thread(this::run, "reader-" + isolation);
        thread.start();
    }

    private void run() {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                isolation,
                "auto.offset.reset",
                "none",
                "max.poll.records",
                "5000");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (PartitionInfo partition : consumer.partitionsFor(topic)) {
                partitions.add(new TopicPartition(topic, partition.partition()));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!isStopped) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    values.computeIfAbsent(record.key(), key -> new ArrayList<>())
                            .add(Long.valueOf(record.value()));
                    count.incrementAndGet();
                }
                Map<TopicPartition, Long> now = new HashMap<>();
                partitions.forEach(partition -> now.put(partition, consumer.position(partition)));
                positions = now;
            }
        }
    }

    long count() {
        return count.get();
    }

    /** How far it has come. */
    Map<TopicPartition, Long> positions() {
        return positions;
    }

    /** Stops to read. */
    Map<String, List<Long>> end() throws InterruptedException {
        close();
        return values;
    }

    @Override
    public void close() throws InterruptedException {
        isStopped = true;
        thread.join();
    }
}

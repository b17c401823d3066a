package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka Streams counts the records of each key, exactly once, while brokers and its own instances die. Each record in
 * brings one count out, so a count that comes twice, is left out or is out of order shows any fault of offsets, state or
 * output. {@code -Dtidemark.exactly.once.records=100000} is the long run.
 */
class StreamsExactlyOnceIT {
    private static final int RECORDS = Integer.getInteger("tidemark.exactly.once.records", 2_000);
    private static final int KEYS = 20;
    private static final int PARTITIONS = 2;
    private static final Duration PATIENCE =
            Duration.ofSeconds(Integer.getInteger("tidemark.exactly.once.patience", 120));

    @Test
    void everyRecordIsCountedOnceWhileBrokersAndInstancesDie(@TempDir Path folder) {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .config("group.min.session.timeout.ms", "1000")
                .topic("words", topic -> topic.partitions(PARTITIONS).config("min.insync.replicas", "2"))
                .topic("counts", topic -> topic.partitions(PARTITIONS).config("min.insync.replicas", "2"))
                .start()) {
            KafkaStreams first = instance(cluster, folder.resolve("first"));
            KafkaStreams second = instance(cluster, folder.resolve("second"));
            Consumer<String, Long> reader = reader(cluster);
            Map<String, List<Long>> counts = new TreeMap<>();
            try {
                produce(cluster, 0, RECORDS / 4);
                readUntil(reader, counts, RECORDS / 8);
                cluster.broker(1).kill();
                produce(cluster, RECORDS / 4, RECORDS / 2);
                readUntil(reader, counts, 3 * RECORDS / 8);
                // In the middle of its work, and without a word to its group.
                first.close(Duration.ZERO);
                cluster.broker(1).restart();
                cluster.awaitHealthy(PATIENCE);
                produce(cluster, RECORDS / 2, 3 * RECORDS / 4);
                readUntil(reader, counts, 5 * RECORDS / 8);
                cluster.broker(2).stop();
                first = instance(cluster, folder.resolve("third"));
                produce(cluster, 3 * RECORDS / 4, RECORDS);
                readUntil(reader, counts, RECORDS);
                readToTheEnd(reader, counts);
            } finally {
                first.close(Duration.ofSeconds(5));
                second.close(Duration.ofSeconds(5));
            }

            assertThat(counts).hasSize(KEYS);
            counts.forEach((key, values) -> assertThat(values)
                    .as("counts of %s", key)
                    .isEqualTo(LongStream.rangeClosed(1, RECORDS / KEYS).boxed().toList()));
        }
    }

    private static KafkaStreams instance(Cluster cluster, Path folder) {
        Properties config = new Properties();
        config.put("application.id", "counter");
        config.put("bootstrap.servers", cluster.bootstrapServers());
        config.put("state.dir", folder.toString());
        config.put("processing.guarantee", "exactly_once_v2");
        config.put("commit.interval.ms", "100");
        config.put("replication.factor", "3");
        config.put("statestore.cache.max.bytes", "0");
        config.put("consumer.session.timeout.ms", "3000");
        config.put("consumer.heartbeat.interval.ms", "500");
        config.put("consumer.auto.offset.reset", "earliest");
        KafkaStreams streams = new KafkaStreams(topology(), config);
        streams.setUncaughtExceptionHandler(
                fault -> StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD);
        streams.start();
        return streams;
    }

    private static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("words", Consumed.with(Serdes.String(), Serdes.String()))
                .groupByKey()
                .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("counts-so-far"))
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.Long()))
                .toStream()
                .to("counts", Produced.with(Serdes.String(), Serdes.Long()));
        return builder.build();
    }

    private static void produce(Cluster cluster, int from, int to) {
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all", "linger.ms", "5"));
        for (int i = from; i < to; i++) {
            producer.send(new ProducerRecord<>("words", "key-" + i % KEYS, Integer.toString(i)));
        }
        producer.flush();
    }

    private static Consumer<String, Long> reader(Cluster cluster) {
        Consumer<String, Long> reader =
                cluster.clients().consumer(String.class, Long.class, Map.of("isolation.level", "read_committed"));
        List<TopicPartition> all = partitions();
        reader.assign(all);
        reader.seekToBeginning(all);
        return reader;
    }

    private static List<TopicPartition> partitions() {
        List<TopicPartition> all = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            all.add(new TopicPartition("counts", partition));
        }
        return all;
    }

    private static void readUntil(Consumer<String, Long> reader, Map<String, List<Long>> counts, int count) {
        await(count + " records are counted").atMost(PATIENCE).until(() -> {
            read(reader, counts);
            return counts.values().stream().mapToInt(List::size).sum() >= count;
        });
    }

    private static void readToTheEnd(Consumer<String, Long> reader, Map<String, List<Long>> counts) {
        await("all is stable and read").atMost(PATIENCE).until(() -> {
            read(reader, counts);
            Map<TopicPartition, Long> positions = new HashMap<>();
            partitions().forEach(partition -> positions.put(partition, reader.position(partition)));
            return positions.equals(reader.endOffsets(partitions()));
        });
    }

    private static void read(Consumer<String, Long> reader, Map<String, List<Long>> counts) {
        for (ConsumerRecord<String, Long> record : reader.poll(Duration.ofMillis(100))) {
            counts.computeIfAbsent(record.key(), key -> new ArrayList<>()).add(record.value());
        }
    }
}

package io.tidemark.versions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Uses nothing that clients of 3.9 and of 4.4 do not both have. Each version has a class of its own made of this. */
public final class KafkaApplication implements TransactionalApplication {
    private static final Duration POLL = Duration.ofMillis(100);

    private final String bootstrapServers;
    private final KafkaProducer<String, String> producer;
    private final List<ConsumerRecord<String, String>> unread = new ArrayList<>();
    private @Nullable KafkaConsumer<String, String> member;

    public KafkaApplication(String bootstrapServers, String transactionalId) {
        this.bootstrapServers = bootstrapServers;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "transactional.id", transactionalId, "linger.ms", "0"),
                new StringSerializer(),
                new StringSerializer());
    }

    @Override
    public String version() {
        Properties properties = new Properties();
        try (InputStream file = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    @Override
    public void init() {
        producer.initTransactions();
    }

    @Override
    public void begin() {
        producer.beginTransaction();
    }

    @Override
    public void send(String topic, int partition, String value) {
        producer.send(new ProducerRecord<>(topic, partition, "key", value));
        producer.flush();
    }

    @Override
    public void commit() {
        producer.commitTransaction();
    }

    @Override
    public void abort() {
        producer.abortTransaction();
    }

    @Override
    public void subscribe(String groupId, String topic) {
        member = consumer(Map.of("group.id", groupId));
        member.subscribe(List.of(topic));
    }

    @Override
    public List<Integer> assigned() {
        member.poll(POLL).forEach(unread::add);
        return member.assignment().stream()
                .map(TopicPartition::partition)
                .sorted()
                .toList();
    }

    @Override
    public int copyTo(String topic) {
        ConsumerRecords<String, String> records = member.poll(POLL);
        records.forEach(unread::add);
        int count = unread.size();
        if (count == 0) {
            return 0;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        producer.beginTransaction();
        for (ConsumerRecord<String, String> record : unread) {
            producer.send(new ProducerRecord<>(topic, record.partition(), record.key(), record.value()));
            offsets.put(
                    new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        unread.clear();
        producer.sendOffsetsToTransaction(offsets, member.groupMetadata());
        producer.commitTransaction();
        return count;
    }

    @Override
    public List<String> readCommitted(String topic, int partition) {
        TopicPartition name = new TopicPartition(topic, partition);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> reader = consumer(Map.of())) {
            reader.assign(List.of(name));
            long end = reader.endOffsets(List.of(name)).get(name);
            while (reader.position(name) < end) {
                reader.poll(POLL).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    private KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        if (member != null) {
            member.close(Duration.ofSeconds(5));
        }
    }
}

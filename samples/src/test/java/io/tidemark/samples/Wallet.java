package io.tidemark.samples;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A small application: what owners have is the sum of what they paid in and out, which a topic keeps. */
final class Wallet implements AutoCloseable {
    private static final String TOPIC = "movements";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String bootstrapServers;
    private final Producer<String, Long> movements;

    Wallet(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        this.movements = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "acks", "all",
                        "enable.idempotence", "true",
                        // A broker that died in the middle of a request is given up soon, and asked elsewhere.
                        "request.timeout.ms", "2000",
                        "delivery.timeout.ms", "60000"),
                new StringSerializer(),
                new LongSerializer());
    }

    /** On return the payment is kept, whoever dies. */
    void pay(String owner, long amount) throws Exception {
        movements.send(new ProducerRecord<>(TOPIC, owner, amount)).get();
    }

    /** What everybody has, after all that was kept when it was asked for. */
    Map<String, Long> balances() {
        Map<String, Long> balances = new HashMap<>();
        try (Consumer<String, Long> reader = reader()) {
            List<TopicPartition> all = reader.partitionsFor(TOPIC).stream()
                    .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                    .collect(Collectors.toList());
            reader.assign(all);
            reader.seekToBeginning(all);
            Map<TopicPartition, Long> ends = reader.endOffsets(all, PATIENCE);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> reader.position(end.getKey(), PATIENCE) < end.getValue())) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("The movements cannot be read up to " + ends);
                }
                for (ConsumerRecord<String, Long> movement : reader.poll(Duration.ofMillis(100))) {
                    balances.merge(movement.key(), movement.value(), Long::sum);
                }
            }
        }
        return balances;
    }

    private Consumer<String, Long> reader() {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "auto.offset.reset", "earliest",
                        "request.timeout.ms", "2000",
                        "default.api.timeout.ms", "60000"),
                new StringDeserializer(),
                new LongDeserializer());
    }

    @Override
    public void close() {
        movements.close(Duration.ofSeconds(5));
    }
}

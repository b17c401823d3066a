package io.tidemark.beside.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * In a JVM of its own: takes the first, cold round of a contender and then warm ones, and prints each. Arguments: the
 * contender's name, the number of warm rounds.
 */
final class Measurement {
    private static final int BROKERS = 3;
    private static final String TOPIC = "first";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Measurement() {}

    public static void main(String[] args) throws Exception {
        Contender contender = Contender.named(args[0]);
        int rounds = 1 + Integer.parseInt(args[1]);
        for (int round = 0; round < rounds; round++) {
            System.out.println(measure(contender).toLine());
        }
        // A contender that leaves a thread behind must not hold up the next measurement.
        System.exit(0);
    }

    private static Round measure(Contender contender) throws Exception {
        long start = System.nanoTime();
        Contender.Running running = contender.start(BROKERS);
        long ready = System.nanoTime();
        long consumed;
        long closing;
        try {
            consumed = firstRecord(running.bootstrapServers());
        } finally {
            closing = System.nanoTime();
            running.close();
        }
        long closed = System.nanoTime();
        return new Round(ms(ready - start), ms(consumed - ready), ms(closed - closing));
    }

    /** The moment at which the first record was there. */
    private static long firstRecord(String bootstrapServers) throws Exception {
        Map<String, Object> address = Map.of("bootstrap.servers", bootstrapServers);
        try (Admin admin = Admin.create(address)) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) BROKERS)))
                    .all()
                    .get();
        }
        try (KafkaProducer<String, String> producer =
                        new KafkaProducer<>(address, new StringSerializer(), new StringSerializer());
                KafkaConsumer<String, String> consumer =
                        new KafkaConsumer<>(address, new StringDeserializer(), new StringDeserializer())) {
            producer.send(new ProducerRecord<>(TOPIC, "key", "value")).get();
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (consumer.poll(Duration.ofMillis(100)).isEmpty()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("No record in " + LIMIT);
                }
            }
            return System.nanoTime();
        }
    }

    private static double ms(long nanos) {
        return nanos / 1e6;
    }
}

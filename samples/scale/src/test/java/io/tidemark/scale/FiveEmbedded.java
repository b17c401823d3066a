package io.tidemark.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.context.EmbeddedKafka;

/** Five classes, each with three embedded brokers for its one test, which does what each of the two hundred does: nobody commits. */
final class FiveEmbedded {
    static final Class<?>[] CLASSES = {Orders1.class, Orders2.class, Orders3.class, Orders4.class, Orders5.class};

    private FiveEmbedded() {}

    abstract static class EmbeddedOrder {
        @Test
        void isKept(EmbeddedKafkaBroker broker) throws Exception {
            String address = broker.getBrokersAsString();
            try (Producer<String, String> producer = new KafkaProducer<>(
                            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address),
                            new StringSerializer(),
                            new StringSerializer());
                    Consumer<String, String> consumer = new KafkaConsumer<>(
                            Map.of(
                                    ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                    address,
                                    // As the fixture's consumers have it: else each waits half a second at its end.
                                    ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                                    50),
                            new StringDeserializer(),
                            new StringDeserializer())) {
                producer.send(new ProducerRecord<>("orders", "order-01")).get();

                consumer.assign(List.of(new TopicPartition("orders", 0)));
                consumer.seekToBeginning(consumer.assignment());
                ConsumerRecords<String, String> read = ConsumerRecords.empty();
                while (read.isEmpty()) {
                    read = consumer.poll(Duration.ofSeconds(1));
                }
                assertThat(read).extracting(ConsumerRecord::value).containsExactly("order-01");
            }
        }
    }

    /** Number 1. */
    @EmbeddedKafka(count = 3, topics = "orders", partitions = 1)
    static class Orders1 extends EmbeddedOrder {}

    /** Number 2. */
    @EmbeddedKafka(count = 3, topics = "orders", partitions = 1)
    static class Orders2 extends EmbeddedOrder {}

    /** Number 3. */
    @EmbeddedKafka(count = 3, topics = "orders", partitions = 1)
    static class Orders3 extends EmbeddedOrder {}

    /** Number 4. */
    @EmbeddedKafka(count = 3, topics = "orders", partitions = 1)
    static class Orders4 extends EmbeddedOrder {}

    /** Number 5. */
    @EmbeddedKafka(count = 3, topics = "orders", partitions = 1)
    static class Orders5 extends EmbeddedOrder {}
}

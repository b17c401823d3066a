package io.tidemark.samples;

import io.tidemark.chaos.exactlyonce.Pipeline;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** An application that writes a bill for each order, exactly once. What goes wrong ends its clients, and it has new ones. */
final class Billing implements AutoCloseable {
    private final Pipeline.Instance instance;
    private final Thread thread = new Thread(this::run, "billing");
    private volatile boolean isClosed;

    Billing(Pipeline.Instance instance) {
        this.instance = instance;
        thread.start();
    }

    private void run() {
        while (!isClosed) {
            try (KafkaProducer<String, String> bills = producer();
                    KafkaConsumer<String, String> orders = consumer()) {
                bills.initTransactions();
                orders.subscribe(List.of(instance.input()));
                while (!isClosed) {
                    ConsumerRecords<String, String> polled = orders.poll(Duration.ofMillis(100));
                    if (!polled.isEmpty()) {
                        bill(polled, orders, bills);
                    }
                }
            } catch (KafkaException e) {
                // What was not committed is read again.
            }
        }
    }

    private void bill(
            ConsumerRecords<String, String> polled,
            KafkaConsumer<String, String> orders,
            KafkaProducer<String, String> bills) {
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        bills.beginTransaction();
        for (ConsumerRecord<String, String> order : polled) {
            bills.send(new ProducerRecord<>(instance.output(), order.key(), order.value() + " is billed"));
            next.put(new TopicPartition(order.topic(), order.partition()), new OffsetAndMetadata(order.offset() + 1));
        }
        bills.sendOffsetsToTransaction(next, orders.groupMetadata());
        bills.commitTransaction();
    }

    private KafkaProducer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        instance.bootstrapServers(),
                        "transactional.id",
                        "billing-" + instance.number()),
                new StringSerializer(),
                new StringSerializer());
    }

    private KafkaConsumer<String, String> consumer() {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", instance.bootstrapServers(),
                        "group.id", instance.group(),
                        "isolation.level", "read_committed",
                        // An instance that dies without a word is given up soon; by default it takes 45 seconds.
                        "session.timeout.ms", "6000",
                        "heartbeat.interval.ms", "1000",
                        "enable.auto.commit", "false",
                        "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        thread.join();
    }
}

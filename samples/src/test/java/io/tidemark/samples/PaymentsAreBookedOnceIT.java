package io.tidemark.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * An application reads payments and books them, in transactions. A broker dies in the middle of one, then the
 * application itself. Every payment is booked once.
 */
@KafkaCluster(
        brokers = 3,
        topics = {
            @Topic(name = "payments", partitions = 1, config = "min.insync.replicas=2"),
            @Topic(name = "bookings", partitions = 2, config = "min.insync.replicas=2")
        })
class PaymentsAreBookedOnceIT {
    private static final int PAYMENTS = 60;
    private static final int PER_TRANSACTION = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final TopicPartition SOURCE = new TopicPartition("payments", 0);

    private int transactions;

    @Test
    void everyPaymentIsBookedOnce(Cluster cluster, Chaos chaos, Producer<String, String> producer) throws Exception {
        Story story = new Story("Payments are booked once");
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < PAYMENTS; i++) {
            producer.send(new ProducerRecord<>("payments", 0, "account-" + i % 7, "payment-" + i))
                    .get();
            expected.add("payment-" + i);
        }

        int leader = cluster.partition("bookings", 0).leader();
        book(cluster, PAYMENTS / 3, () -> chaos.kill(leader));
        story.tell("Broker " + leader + ", which leads bookings, is killed in the middle of a transaction.");
        int before = transactions;
        book(cluster, PAYMENTS, () -> {
            throw new KafkaException("The application dies");
        });
        assertThat(transactions).as("nothing was committed in that life").isEqualTo(before);
        story.tell("The application dies in the middle of a transaction, and starts again.");
        book(cluster, PAYMENTS, () -> {});

        List<String> booked = readCommitted(cluster, expected.size());
        assertThat(booked).containsExactlyInAnyOrderElementsOf(expected);
        story.tell("All " + booked.size() + " payments are booked, each of them once, in " + transactions
                        + " transactions.")
                .end();
    }

    /** One life of the application. It ends when it fails, or when that many payments are booked. */
    private void book(Cluster cluster, int upTo, Runnable inTheMiddle) {
        Consumer<String, String> payments = cluster.clients()
                .consumer(
                        String.class,
                        String.class,
                        Map.of(
                                "group.id",
                                "bookkeeper",
                                "isolation.level",
                                "read_committed",
                                "enable.auto.commit",
                                "false",
                                "max.poll.records",
                                Integer.toString(PER_TRANSACTION)));
        Producer<String, String> bookings = cluster.clients()
                .producer(String.class, String.class, Map.of("transactional.id", "bookkeeper", "acks", "all"));
        payments.subscribe(List.of("payments"));
        bookings.initTransactions();
        Runnable fault = inTheMiddle;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (System.nanoTime() < deadline && (payments.assignment().isEmpty() || position(payments) < upTo)) {
                ConsumerRecords<String, String> records = payments.poll(Duration.ofMillis(100));
                if (!records.isEmpty()) {
                    bookTogether(records, bookings, payments, fault);
                    fault = () -> {};
                    transactions++;
                }
            }
        } catch (KafkaException e) {
            // What was not committed is read again by the next life.
        } finally {
            bookings.close(Duration.ZERO);
            payments.close();
        }
    }

    private static void bookTogether(
            ConsumerRecords<String, String> records,
            Producer<String, String> bookings,
            Consumer<String, String> payments,
            Runnable inTheMiddle) {
        bookings.beginTransaction();
        long next = 0;
        for (ConsumerRecord<String, String> payment : records) {
            bookings.send(new ProducerRecord<>("bookings", payment.key(), payment.value()));
            next = payment.offset() + 1;
        }
        bookings.flush();
        inTheMiddle.run();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        offsets.put(SOURCE, new OffsetAndMetadata(next));
        bookings.sendOffsetsToTransaction(offsets, payments.groupMetadata());
        bookings.commitTransaction();
    }

    private static long position(Consumer<String, String> payments) {
        return payments.position(SOURCE);
    }

    private static List<String> readCommitted(Cluster cluster, int count) {
        List<String> values = new ArrayList<>();
        Consumer<String, String> reader = cluster.clients()
                .consumer(
                        String.class,
                        String.class,
                        Map.of("isolation.level", "read_committed", "auto.offset.reset", "earliest"));
        List<TopicPartition> all = List.of(new TopicPartition("bookings", 0), new TopicPartition("bookings", 1));
        reader.assign(all);
        reader.seekToBeginning(all);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int quietPolls = 0;
        // A while longer than needed: a payment that is booked twice would come late.
        while (System.nanoTime() < deadline && (values.size() < count || quietPolls < 5)) {
            ConsumerRecords<String, String> records = reader.poll(Duration.ofMillis(100));
            quietPolls = records.isEmpty() ? quietPolls + 1 : 0;
            records.forEach(record -> values.add(record.value()));
        }
        return values;
    }
}

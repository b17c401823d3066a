package io.tidemark.chaos.exactlyonce;

import io.tidemark.Cluster;
import io.tidemark.chaos.history.HistoryChecker;
import io.tidemark.chaos.history.HistoryRecorder;
import io.tidemark.chaos.history.HistoryVerdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;

/** Sends orders and reads them back in a group, in a thread of its own, with all of it noted. */
final class Shop {
    private static final String TOPIC = "orders";

    private final Cluster cluster;
    private final BooleanSupplier isOver;
    private final HistoryRecorder recorder = new HistoryRecorder();
    private final Thread thread = new Thread(this::work, "shop");
    private volatile boolean isLeft;
    private volatile long orders;

    Shop(Cluster cluster, BooleanSupplier isOver) {
        this.cluster = cluster;
        this.isOver = isOver;
    }

    void open() {
        thread.start();
    }

    private void work() {
        Producer<String, String> producer = recorder.producer(
                "shop", cluster.clients().producer(String.class, String.class, Map.of("retry.backoff.ms", "20")));
        Consumer<String, String> consumer = consumer(Map.of("group.id", "shop", "heartbeat.interval.ms", "50"));
        consumer.subscribe(List.of(TOPIC));
        try {
            while (!isLeft && !isOver.getAsBoolean()) {
                send(producer);
                read(consumer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Producer<String, String> producer) throws InterruptedException {
        long number = orders;
        try {
            producer.send(new ProducerRecord<>(TOPIC, "key-" + number % 5, "order-" + number))
                    .get();
        } catch (ExecutionException | KafkaException e) {
            // Whether it is there nobody knows, and the recorder has noted that.
        }
        orders = number + 1;
    }

    private static void read(Consumer<String, String> consumer) {
        consumer.poll(Duration.ofMillis(5));
        try {
            consumer.commitSync();
        } catch (KafkaException e) {
            // The group has another generation; it goes on where it had committed.
        }
    }

    private Consumer<String, String> consumer(Map<String, ?> settings) {
        return recorder.consumer(
                "shop",
                cluster.clients().consumer(String.class, String.class, settings),
                IsolationLevel.READ_UNCOMMITTED);
    }

    /** Has it end, whatever it is in. */
    void leave() throws InterruptedException {
        isLeft = true;
        thread.interrupt();
        thread.join();
    }

    /** Waits until it has ended by itself, and judges. */
    HistoryVerdict close(Duration patience) throws InterruptedException {
        thread.join(patience.toMillis());
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "The shop has not ended " + patience + " after the heal, at order " + orders);
        }
        recorder.readToEnd(
                "auditor",
                cluster.clients().consumer(String.class, String.class),
                IsolationLevel.READ_UNCOMMITTED,
                TOPIC,
                patience);
        return new HistoryChecker().check(recorder.history());
    }
}

package io.tidemark.chaos.exactlyonce;

import io.tidemark.chaos.exactlyonce.Application.Body;
import io.tidemark.chaos.exactlyonce.Application.Trap;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Pipelines without transactions that are wrong on purpose, each with the moment at which it matters brought about. */
final class WrongLoops {
    private WrongLoops() {}

    /** Dies after the offsets are committed and before the records are written. */
    static Body commitsBeforeProcessing() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.producer(Map.of());
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (!records.isEmpty()) {
                    consumer.commitSync(life.after(records));
                    trap.spring();
                    WrongPipelines.sendAll(life, producer, records);
                }
            }
        };
    }

    /** Hands records to a queue, and dies when their offsets were committed by the next poll. */
    static Body commitsAutomaticallyWithAsyncWork() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer =
                    life.consumer(Map.of("enable.auto.commit", "true", "auto.commit.interval.ms", "1"));
            Producer<String, String> producer = life.producer(Map.of());
            Deque<ConsumerRecord<String, String>> queue = new ArrayDeque<>();
            while (!life.isOver() || !queue.isEmpty()) {
                life.poll(consumer).forEach(queue::addLast);
                ConsumerRecord<String, String> next = queue.peekFirst();
                if (next != null && isCommitted(consumer, next)) {
                    trap.spring();
                }
                if (trap.isSprung() && next != null) {
                    producer.send(life.processed(queue.removeFirst())).get();
                }
            }
        };
    }

    private static boolean isCommitted(Consumer<String, String> consumer, ConsumerRecord<String, String> record) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        OffsetAndMetadata committed = consumer.committed(Set.of(partition)).get(partition);
        return committed != null && committed.offset() > record.offset();
    }

    /** Sends without idempotence while the leader stands still, until the client has sent again. */
    static Body retriesWithoutIdempotence(Runnable leaderStandsStill, Runnable leaderGoesOn) {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of("session.timeout.ms", "10000"));
            // One request at a time: with several, what is sent again may also come out of order.
            Producer<String, String> producer = life.producer(Map.of(
                    "enable.idempotence",
                    "false",
                    "max.in.flight.requests.per.connection",
                    "1",
                    "request.timeout.ms",
                    "500",
                    "delivery.timeout.ms",
                    "60000"));
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (records.isEmpty()) {
                    continue;
                }
                // The second time: then there is a connection on which requests go out to a leader that stands still.
                boolean isMoment = metric(producer, "record-send-total") > 0 && trap.isFirst();
                if (isMoment) {
                    leaderStandsStill.run();
                }
                records.forEach(record -> producer.send(life.processed(record)));
                if (isMoment) {
                    WrongPipelines.awaitTrue(() -> metric(producer, "record-retry-total") > 0);
                    leaderGoesOn.run();
                }
                producer.flush();
                consumer.commitSync(life.after(records));
            }
        };
    }

    /** Sends again later what failed, behind what was sent meanwhile: the leader dies with one record under way. */
    static Body retriesOutOfOrder(Runnable leaderStandsStill, Runnable leaderDies) {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of("session.timeout.ms", "10000"));
            Producer<String, String> producer =
                    life.producer(Map.of("enable.idempotence", "false", "retries", "0", "request.timeout.ms", "500"));
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                Deque<ConsumerRecord<String, String>> left = new ArrayDeque<>();
                records.forEach(left::addLast);
                boolean isMoment = left.size() > 2 && metric(producer, "record-send-total") > 0 && trap.isFirst();
                if (isMoment) {
                    leaderStandsStill.run();
                }
                while (!left.isEmpty()) {
                    ConsumerRecord<String, String> next = left.removeFirst();
                    try {
                        producer.send(life.processed(next)).get();
                    } catch (ExecutionException e) {
                        left.addLast(next);
                        if (isMoment) {
                            leaderDies.run();
                            isMoment = false;
                        }
                    }
                }
                consumer.commitSync(life.after(records));
            }
        };
    }

    private static double metric(Producer<String, String> producer, String name) {
        return producer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals(name)
                        && metric.getKey().group().equals("producer-metrics"))
                .mapToDouble(metric -> (Double) metric.getValue().metricValue())
                .sum();
    }

    /** Does not look at what came of a send: one is too large. */
    static Body ignoresErrorsOfSends() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.producer(Map.of("max.request.size", "500"));
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (!records.isEmpty()) {
                    for (ConsumerRecord<String, String> record : records) {
                        String value = record.value() + (trap.isFirst() ? " is much too long".repeat(50) : "");
                        producer.send(new ProducerRecord<>(life.instance().output(), record.key(), value));
                    }
                    producer.flush();
                    consumer.commitSync(life.after(records));
                }
            }
        };
    }
}

package io.tidemark.chaos;

import io.tidemark.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** What an application does in these tests: it writes numbered orders, and reads them. */
final class Story {
    private static final long DEADLINE_SECONDS = 30;

    private Story() {}

    static List<String> values(int from, int count) {
        return IntStream.range(from, from + count).mapToObj(Integer::toString).toList();
    }

    /** Returns when every one is acknowledged. */
    static void produce(Producer<String, String> producer, int from, int count) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (String value : values(from, count)) {
            sent.add(producer.send(new ProducerRecord<>("orders", 0, null, value)));
        }
        for (Future<RecordMetadata> future : sent) {
            future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Reads from an offset up to the end that the log has now. */
    static List<String> consumeFrom(Cluster cluster, long offset) {
        TopicPartition orders = new TopicPartition("orders", 0);
        List<String> read = new ArrayList<>();
        try (Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class)) {
            consumer.assign(List.of(orders));
            consumer.seek(orders, offset);
            long end = consumer.endOffsets(List.of(orders)).get(orders);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
            while (consumer.position(orders) < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    read.add(record.value());
                }
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("Read " + read.size() + " records; the log ends at " + end);
                }
            }
        }
        return read;
    }
}

package io.tidemark.chaos.exactlyonce;

import io.tidemark.Cluster;
import io.tidemark.TransactionFate;
import io.tidemark.chaos.exactlyonce.Observation.Output;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads a topic from its start, at one isolation level, as a client sees it. */
final class TopicReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);

    private final Consumer<String, String> consumer;
    private final List<TopicPartition> partitions;
    private final Function<String, Long> number;
    private final List<Output> read = new ArrayList<>();

    TopicReader(Cluster cluster, String topic, String isolation, Function<String, Long> number) {
        this.number = number;
        Map<String, Object> config = new HashMap<>();
        config.put("isolation.level", isolation);
        config.put("enable.auto.commit", "false");
        // It belongs to no group, and has none to leave.
        config.put("group.id", null);
        this.consumer = cluster.clients().consumer(String.class, String.class, config);
        this.partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** All that was read so far, after one more poll. */
    List<Output> poll() {
        for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
            read.add(new Output(
                    number.apply(String.valueOf(record.value())),
                    record.topic() + "-" + record.partition(),
                    record.offset(),
                    0,
                    record.timestamp(),
                    -1,
                    (short) -1,
                    TransactionFate.PLAIN));
        }
        return read;
    }

    /** Reads up to the end that the topic has now. */
    List<Output> readToEnd(Duration patience) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (!partitions.stream()
                .allMatch(partition -> consumer.position(partition) >= ends.getOrDefault(partition, 0L))) {
            poll();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("Reading to " + ends + " took longer than " + patience.toMillis()
                        + " ms; is every partition led, and the cluster healed?");
            }
        }
        return read;
    }

    @Override
    public void close() {
        consumer.close();
    }
}

package io.tidemark.chaos.exactlyonce;

import io.tidemark.chaos.exactlyonce.Application.Body;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** Pipelines that are right, each in its own way. */
final class RightPipelines {
    private RightPipelines() {}

    /** Reads, writes and commits its offsets in one transaction. */
    static Body plainTransactionalLoop() {
        return life -> {
            Producer<String, String> producer = life.transactional();
            WrongPipelines.copy(life, life.consumer(Map.of()), producer, records -> {});
        };
    }

    /** As the plain loop, and one instance is silent until its group has given it up: the others fence it. */
    static Body fencedZombie() {
        return WrongPipelines.zombie(life -> life.transactional(), (life, consumer) -> consumer.groupMetadata());
    }

    /** What a test's own database holds: rows in the order that they came, and what is needed to leave out what comes again. */
    static final class Sink {
        private final List<String> rows = new ArrayList<>();
        private final Set<String> ids = new HashSet<>();
        private final Map<TopicPartition, Long> next = new HashMap<>();

        synchronized Collection<String> rows() {
            return List.copyOf(rows);
        }

        /** Writes a row, unless there is one of this id. */
        synchronized void upsert(String id, String row) {
            if (ids.add(id)) {
                rows.add(row);
            }
        }

        /** Writes a row and the offset that says so, together; refused where another instance was here before. */
        synchronized void write(ConsumerRecord<String, String> record) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            if (record.offset() >= next(partition)) {
                rows.add(record.value());
                next.put(partition, record.offset() + 1);
            }
        }

        synchronized long next(TopicPartition partition) {
            return next.getOrDefault(partition, 0L);
        }
    }

    /** Processes at least once, commits afterwards; the sink leaves out what it has. */
    static Body atLeastOnceInto(Sink sink) {
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                for (ConsumerRecord<String, String> record : records) {
                    sink.upsert(record.topic() + record.partition() + '@' + record.offset(), record.value());
                }
                if (!records.isEmpty()) {
                    consumer.commitSync(life.after(records));
                }
            }
        };
    }

    /** Keeps its offsets where the results are, and goes on from there. */
    static Body offsetsWithResultsIn(Sink sink) {
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            consumer.subscribe(List.of(life.instance().input()), new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    partitions.forEach(partition -> consumer.seek(partition, sink.next(partition)));
                }

                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
            });
            while (!life.isOver()) {
                life.poll(consumer).forEach(sink::write);
            }
        };
    }

    /** Processes one record after the other with an idempotent producer, and commits each; right as long as nothing dies. */
    static Body carefulLoopThatNobodyKills() {
        return life -> {
            // It must not give up either, however slow the machine is.
            Consumer<String, String> consumer =
                    life.consumer(Map.of("session.timeout.ms", "60000", "default.api.timeout.ms", "60000"));
            Producer<String, String> producer =
                    life.producer(Map.of("enable.idempotence", "true", "max.block.ms", "60000"));
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(50));
                for (ConsumerRecord<String, String> record : records) {
                    producer.send(life.processed(record)).get();
                }
                if (!records.isEmpty()) {
                    consumer.commitSync(life.after(records));
                }
            }
        };
    }
}

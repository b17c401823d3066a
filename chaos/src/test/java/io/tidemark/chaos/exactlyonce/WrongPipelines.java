package io.tidemark.chaos.exactlyonce;

import io.tidemark.chaos.exactlyonce.Application.Body;
import io.tidemark.chaos.exactlyonce.Application.Death;
import io.tidemark.chaos.exactlyonce.Application.Life;
import io.tidemark.chaos.exactlyonce.Application.Trap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;

/** Pipelines with transactions that are wrong on purpose, each with the moment at which it matters brought about. */
final class WrongPipelines {
    private static final long PATIENCE_SECONDS = 20;

    private WrongPipelines() {}

    /**
     * Each life has a transactional id of its own, and the offsets carry no generation: nothing fences an instance that its
     * group has given up. Instance 0 is silent in the middle of a transaction until the other one has done its work.
     */
    static Body isNeverFenced() {
        return zombie(
                life -> life.transactional("zombie-" + UUID.randomUUID()),
                (life, consumer) -> new ConsumerGroupMetadata(life.instance().group()));
    }

    /** How an instance makes its producer. */
    interface ProducerOf {
        Producer<String, String> make(Life life);
    }

    /** What an instance says about its place in the group. */
    interface MetadataOf {
        ConsumerGroupMetadata of(Life life, Consumer<String, String> consumer);
    }

    static Body zombie(ProducerOf producers, MetadataOf metadata) {
        Trap trap = new Trap();
        Set<String> doneByOther = ConcurrentHashMap.newKeySet();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of("max.poll.interval.ms", "700"));
            Producer<String, String> producer = producers.make(life);
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                sendAll(life, producer, records);
                if (life.instance().number() == 0 && trap.isFirst()) {
                    String first = records.iterator().next().value();
                    awaitTrue(() -> doneByOther.contains(first));
                }
                producer.sendOffsetsToTransaction(life.after(records), metadata.of(life, consumer));
                producer.commitTransaction();
                if (life.instance().number() != 0) {
                    records.forEach(record -> doneByOther.add(record.value()));
                }
            }
        };
    }

    /** Dies after the transaction is committed and before the offsets are. */
    static Body commitsOffsetsOutsideOfTheTransaction() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.transactional();
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (!records.isEmpty()) {
                    producer.beginTransaction();
                    sendAll(life, producer, records);
                    producer.commitTransaction();
                    trap.spring();
                    consumer.commitSync(life.after(records));
                }
            }
        };
    }

    /** Takes what others have aborted for input. */
    static Body readsUncommitted() {
        return life -> copy(
                life,
                life.consumer(Map.of("isolation.level", "read_uncommitted")),
                life.transactional(),
                records -> {});
    }

    /** Aborts a transaction, and goes on behind it. */
    static Body swallowsAnAbort() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.transactional();
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                try {
                    sendAll(life, producer, records);
                    trap.spring();
                    producer.sendOffsetsToTransaction(life.after(records), consumer.groupMetadata());
                    producer.commitTransaction();
                } catch (Death e) {
                    producer.abortTransaction();
                }
            }
        };
    }

    /** Another instance of the same transactional id starts in the middle; this one goes on behind what was aborted by it. */
    static Body sharesATransactionalId() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            String shared = life.instance().group() + "-shared";
            Producer<String, String> producer = life.transactional(shared);
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (records.isEmpty()) {
                    continue;
                }
                try {
                    producer.beginTransaction();
                    sendAll(life, producer, records);
                    if (trap.isFirst()) {
                        life.transactional(shared);
                    }
                    producer.sendOffsetsToTransaction(life.after(records), consumer.groupMetadata());
                    producer.commitTransaction();
                } catch (KafkaException e) {
                    producer.close(Duration.ZERO);
                    producer = life.transactional(shared);
                }
            }
        };
    }

    /** An error in one record, and the whole transaction is left behind. */
    static Body seeksPastAnError() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.transactional();
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                ConsumerRecord<String, String> at = records.iterator().next();
                try {
                    for (ConsumerRecord<String, String> record : records) {
                        at = record;
                        producer.send(life.processed(record));
                        trap.spring();
                    }
                    producer.sendOffsetsToTransaction(life.after(records), consumer.groupMetadata());
                    producer.commitTransaction();
                } catch (Death e) {
                    producer.abortTransaction();
                    consumer.seek(new TopicPartition(at.topic(), at.partition()), at.offset() + 1);
                }
            }
        };
    }

    /** Commits its offsets in transactions, and writes its output with another producer. */
    static Body writesOutsideOfTheTransaction() {
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.transactional();
            Producer<String, String> other = life.producer(Map.of());
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (!records.isEmpty()) {
                    producer.beginTransaction();
                    sendAll(life, other, records);
                    producer.sendOffsetsToTransaction(life.after(records), consumer.groupMetadata());
                    producer.commitTransaction();
                }
            }
        };
    }

    /** Learns from its own output what is done, and takes for done what was aborted. */
    static Body readsItsOwnOutputUncommitted() {
        Trap trap = new Trap();
        return life -> {
            Producer<String, String> producer = life.transactional();
            Set<String> done = ownOutput(life);
            Consumer<String, String> consumer = life.consumer(Map.of());
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                for (ConsumerRecord<String, String> record : records) {
                    if (!done.contains(record.value())) {
                        producer.send(life.processed(record));
                    }
                }
                producer.flush();
                trap.spring();
                producer.sendOffsetsToTransaction(life.after(records), consumer.groupMetadata());
                producer.commitTransaction();
            }
        };
    }

    private static Set<String> ownOutput(Life life) {
        Set<String> values = new HashSet<>();
        Map<String, Object> settings =
                Map.of("bootstrap.servers", life.instance().bootstrapServers());
        try (Consumer<String, String> reader =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = reader
                    .partitionsFor(life.instance().output())
                    .stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
            while (!partitions.stream().allMatch(partition -> reader.position(partition) >= ends.get(partition))) {
                reader.poll(Duration.ofMillis(20)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    /** Commits the last record's own offset, not the next one's, and dies. */
    static Body commitsTheLastOffset() {
        Trap trap = new Trap();
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.transactional();
            while (!life.isOver()) {
                ConsumerRecords<String, String> records = life.poll(consumer);
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                sendAll(life, producer, records);
                Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                life.after(records)
                        .forEach((partition, next) -> offsets.put(partition, new OffsetAndMetadata(next.offset() - 1)));
                producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
                producer.commitTransaction();
                trap.spring();
            }
        };
    }

    /** Processes the records of a key in several threads, of which the later one is quicker. */
    static Body processesAKeyInSeveralThreads() {
        return life -> {
            Consumer<String, String> consumer = life.consumer(Map.of());
            Producer<String, String> producer = life.transactional();
            ExecutorService threads = Executors.newFixedThreadPool(10);
            try {
                while (!life.isOver()) {
                    ConsumerRecords<String, String> records = life.poll(consumer);
                    if (!records.isEmpty()) {
                        producer.beginTransaction();
                        sendBackwards(life, producer, records, threads);
                        producer.sendOffsetsToTransaction(life.after(records), consumer.groupMetadata());
                        producer.commitTransaction();
                    }
                }
            } finally {
                threads.shutdownNow();
            }
        };
    }

    private static void sendBackwards(
            Life life,
            Producer<String, String> producer,
            ConsumerRecords<String, String> records,
            ExecutorService threads)
            throws Exception {
        List<ConsumerRecord<String, String>> backwards =
                StreamSupport.stream(records.spliterator(), false).collect(Collectors.toList());
        Collections.reverse(backwards);
        CountDownLatch[] turns = new CountDownLatch[backwards.size() + 1];
        turns[0] = new CountDownLatch(0);
        Deque<Future<?>> work = new ArrayDeque<>();
        for (int i = 0; i < backwards.size(); i++) {
            CountDownLatch before = turns[i];
            CountDownLatch after = new CountDownLatch(1);
            turns[i + 1] = after;
            ConsumerRecord<String, String> record = backwards.get(i);
            work.add(threads.submit(() -> {
                before.await();
                producer.send(life.processed(record));
                after.countDown();
                return null;
            }));
        }
        for (Future<?> one : work) {
            one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    // ---- words

    /** What to do in the middle of a transaction. */
    interface Middle {
        void with(ConsumerRecords<String, String> records);
    }

    /** The loop as it should be. */
    static void copy(Life life, Consumer<String, String> consumer, Producer<String, String> producer, Middle middle) {
        while (!life.isOver()) {
            ConsumerRecords<String, String> records = life.poll(consumer);
            if (!records.isEmpty()) {
                producer.beginTransaction();
                sendAll(life, producer, records);
                middle.with(records);
                producer.sendOffsetsToTransaction(life.after(records), consumer.groupMetadata());
                producer.commitTransaction();
            }
        }
    }

    /** Sends what comes of them and waits until it is written. */
    static void sendAll(Life life, Producer<String, String> producer, ConsumerRecords<String, String> records) {
        records.forEach(record -> producer.send(life.processed(record)));
        producer.flush();
    }

    interface Condition {
        boolean isTrue();
    }

    static void awaitTrue(Condition condition) {
        Awaitility.await("the moment at which it matters")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(condition::isTrue);
    }
}

package io.tidemark.chaos.exactlyonce;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application that copies a topic, exactly once: it reads, writes and commits its offsets in one transaction. What
 * goes wrong ends its life, and it starts anew under the same transactional id, as a process does.
 */
final class Copier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Copier.class);

    private final Job job;
    private final String transactionalId;
    private final Thread thread;
    private final AtomicInteger lives = new AtomicInteger();
    private final AtomicInteger commits = new AtomicInteger();
    private volatile boolean isStopped;
    private volatile boolean isAssigned;
    private volatile Death wanted = Death.NONE;

    /** How a life is to end. */
    enum Death {
        NONE,
        /** In the middle of a transaction, without a word to anybody. */
        HARD,
        /** In the middle of a transaction, which is aborted; the member leaves its group. */
        CLEAN
    }

    /**
     * @param bootstrapServers the cluster
     * @param from the topic that is read
     * @param to the topic that is written
     * @param recordsPerTransaction the most
     */
    record Job(String bootstrapServers, String from, String to, int recordsPerTransaction) {}

    Copier(Job job, int number) {
        this.job = job;
        this.transactionalId = "copier-" + number;
        this.thread = new Thread(this::run, transactionalId);
        thread.start();
    }

    /** Asks for a death, which comes in the middle of the next transaction. */
    void die(Death death) {
        wanted = death;
    }

    /** True while a death is asked for and has not come. */
    boolean isToDie() {
        return wanted != Death.NONE;
    }

    /** True when it has partitions to read. */
    boolean isAssigned() {
        return isAssigned;
    }

    int lives() {
        return lives.get();
    }

    /** Transactions that it heard were committed. */
    int commits() {
        return commits.get();
    }

    private void run() {
        while (!isStopped) {
            lives.incrementAndGet();
            KafkaProducer<String, String> producer = newProducer();
            KafkaConsumer<String, String> consumer = newConsumer();
            boolean isHard = false;
            try {
                producer.initTransactions();
                consumer.subscribe(List.of(job.from()));
                isHard = copy(producer, consumer) == Death.HARD;
            } catch (InterruptException e) {
                Thread.currentThread().interrupt();
            } catch (KafkaException e) {
                LOG.debug("A life of {} ends: {}", transactionalId, e.toString());
            }
            end(producer, consumer, isHard);
        }
    }

    private Death copy(KafkaProducer<String, String> producer, KafkaConsumer<String, String> consumer) {
        while (!isStopped) {
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
            isAssigned = !consumer.assignment().isEmpty();
            if (records.isEmpty()) {
                continue;
            }
            producer.beginTransaction();
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            for (ConsumerRecord<String, String> record : records) {
                producer.send(new ProducerRecord<>(job.to(), record.key(), record.value()));
                offsets.put(
                        new TopicPartition(record.topic(), record.partition()),
                        new OffsetAndMetadata(record.offset() + 1));
            }
            producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
            Death death = wanted;
            if (death != Death.NONE) {
                producer.flush();
                wanted = Death.NONE;
                if (death == Death.CLEAN) {
                    producer.abortTransaction();
                }
                return death;
            }
            producer.commitTransaction();
            commits.incrementAndGet();
        }
        return Death.CLEAN;
    }

    private void end(KafkaProducer<String, String> producer, KafkaConsumer<String, String> consumer, boolean isHard) {
        isAssigned = false;
        producer.close(Duration.ZERO);
        CloseOptions options = CloseOptions.timeout(isHard ? Duration.ZERO : Duration.ofSeconds(1));
        consumer.close(
                isHard
                        ? options.withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP)
                        : options);
    }

    private KafkaProducer<String, String> newProducer() {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", job.bootstrapServers());
        config.put("transactional.id", transactionalId);
        config.put("transaction.timeout.ms", "40000");
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private KafkaConsumer<String, String> newConsumer() {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", job.bootstrapServers());
        config.put("group.id", "copiers");
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "earliest");
        config.put("session.timeout.ms", "3000");
        config.put("heartbeat.interval.ms", "500");
        config.put("max.poll.records", Integer.toString(job.recordsPerTransaction()));
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    @Override
    public void close() throws InterruptedException {
        isStopped = true;
        thread.join();
    }
}

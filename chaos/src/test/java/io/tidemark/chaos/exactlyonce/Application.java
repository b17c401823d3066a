package io.tidemark.chaos.exactlyonce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application with a supervisor: a life that ends by a fault or a trap is followed by another one with new clients, as a
 * process that is started again.
 */
final class Application implements Pipeline {
    private static final Logger LOG = LoggerFactory.getLogger(Application.class);

    /** What it does in one life, until {@link Life#isOver()}. */
    @FunctionalInterface
    interface Body {
        void live(Life life) throws Exception;
    }

    /** A place in the code at which the application dies, the first time that anybody comes by. */
    static final class Trap {
        private final AtomicBoolean isSprung = new AtomicBoolean();

        void spring() {
            if (isSprung.compareAndSet(false, true)) {
                throw new Death();
            }
        }

        boolean isSprung() {
            return isSprung.get();
        }

        /** True for the first who asks, who then does something wrong. */
        boolean isFirst() {
            return isSprung.compareAndSet(false, true);
        }
    }

    /** The process is dead at this moment. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1;

        Death() {
            super("died on purpose", null, false, false);
        }
    }

    /** How long a call may wait, for a broker that stands still, say: who is to stop is not kept from it for long. */
    private static final String BLOCKED_MS = "5000";

    private final Instance instance;
    private final Body body;
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private volatile boolean isOver;

    Application(Instance instance, Body body) {
        this.instance = instance;
        this.body = body;
    }

    @Override
    public void start() {
        isOver = false;
        Thread lives = new Thread(this::run, "application-" + instance.number());
        thread.set(lives);
        lives.start();
    }

    @Override
    public void stop() {
        end(false);
    }

    @Override
    public void kill() {
        end(true);
    }

    private void end(boolean isHard) {
        isOver = true;
        Thread lives = thread.getAndSet(null);
        if (lives == null) {
            return;
        }
        if (isHard) {
            lives.interrupt();
        }
        try {
            lives.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!isOver) {
            Life life = new Life();
            try {
                body.live(life);
            } catch (InterruptedException | InterruptException e) {
                LOG.debug("Killed: {}", e.toString());
            } catch (Exception e) {
                LOG.debug("A life of {} ends: {}", instance, e.toString());
            }
            life.end();
        }
    }

    /** One life, with the clients that it has. */
    final class Life {
        private final List<Producer<String, String>> producers = new ArrayList<>();
        private final List<Consumer<String, String>> consumers = new ArrayList<>();

        boolean isOver() {
            return isOver;
        }

        Instance instance() {
            return instance;
        }

        /** A subscribed consumer, with settings that go before these. */
        Consumer<String, String> consumer(Map<String, ?> settings) {
            Map<String, Object> config = new HashMap<>();
            config.put("bootstrap.servers", instance.bootstrapServers());
            config.put("group.id", instance.group());
            config.put("isolation.level", "read_committed");
            config.put("enable.auto.commit", "false");
            config.put("auto.offset.reset", "earliest");
            config.put("max.poll.records", "10");
            config.put("session.timeout.ms", "3000");
            config.put("default.api.timeout.ms", BLOCKED_MS);
            config.put("heartbeat.interval.ms", "200");
            config.putAll(settings);
            Consumer<String, String> consumer =
                    new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
            consumers.add(consumer);
            consumer.subscribe(List.of(instance.input()));
            return consumer;
        }

        Producer<String, String> producer(Map<String, ?> settings) {
            Map<String, Object> config = new HashMap<>();
            config.put("bootstrap.servers", instance.bootstrapServers());
            config.put("linger.ms", "0");
            config.put("retry.backoff.ms", "20");
            config.put("max.block.ms", BLOCKED_MS);
            config.putAll(settings);
            Producer<String, String> producer =
                    new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
            producers.add(producer);
            return producer;
        }

        /** Ready for its first transaction. */
        Producer<String, String> transactional(String transactionalId) {
            Producer<String, String> producer = producer(Map.of("transactional.id", transactionalId));
            producer.initTransactions();
            return producer;
        }

        /** As {@link #transactional(String)}, under the instance's own id, which the fixture's groups never share. */
        Producer<String, String> transactional() {
            return transactional(instance.group() + "-" + instance.number());
        }

        ConsumerRecords<String, String> poll(Consumer<String, String> consumer) {
            return consumer.poll(Duration.ofMillis(50));
        }

        /** What comes of a record. */
        ProducerRecord<String, String> processed(ConsumerRecord<String, String> record) {
            return new ProducerRecord<>(instance.output(), record.key(), record.value());
        }

        /** Where to go on after these. */
        Map<TopicPartition, OffsetAndMetadata> after(Iterable<ConsumerRecord<String, String>> records) {
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            for (ConsumerRecord<String, String> record : records) {
                offsets.put(
                        new TopicPartition(record.topic(), record.partition()),
                        new OffsetAndMetadata(record.offset() + 1));
            }
            return offsets;
        }

        private void end() {
            producers.forEach(producer -> end(() -> producer.close(Duration.ZERO)));
            consumers.forEach(consumer -> end(() -> consumer.close(Duration.ofMillis(300))));
        }

        /** A kill in the middle of it leaves no client behind: it would keep its place in the group. */
        private void end(Runnable closing) {
            Thread.interrupted();
            try {
                closing.run();
            } catch (KafkaException e) {
                LOG.debug("A client of {} ends: {}", instance, e.toString());
            }
        }
    }
}

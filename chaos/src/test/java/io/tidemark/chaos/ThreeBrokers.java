package io.tidemark.chaos;

import io.tidemark.Cluster;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Tests that hurt one cluster of three brokers in turn, each with a topic of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ThreeBrokers {
    static final Duration SOON = Duration.ofSeconds(20);

    Cluster cluster;

    /** The configs of its nodes, other than the fixture's. */
    Cluster.Builder configured(Cluster.Builder builder) {
        return builder;
    }

    @BeforeAll
    void start() {
        cluster = configured(Cluster.builder().brokers(3)).start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    /** A new one with one partition, on all brokers, led by the first. */
    String topic() {
        return cluster.createTopic(topic -> topic.replicas(0, 1, 2, 3));
    }

    static Future<RecordMetadata> send(Producer<String, String> producer, String topic) {
        return producer.send(new ProducerRecord<>(topic, 0, "key", "value"));
    }

    static RecordMetadata done(Future<RecordMetadata> sent) throws Exception {
        return sent.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }
}

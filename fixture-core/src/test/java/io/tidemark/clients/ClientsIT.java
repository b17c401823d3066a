package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.Cluster;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientsIT {
    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder().brokers(3).start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void typesChooseSerializers() throws Exception {
        assertRoundTrip(String.class, "key", Integer.class, 7);
        assertRoundTrip(Long.class, 5L, Double.class, 2.5);
        assertRoundTrip(UUID.class, new UUID(1, 2), byte[].class, new byte[] {1, 2, 3});
        assertRoundTrip(Short.class, (short) 3, Float.class, 1.5f);
        assertRoundTrip(ByteBuffer.class, ByteBuffer.wrap(new byte[] {9}), Bytes.class, Bytes.wrap(new byte[] {8}));
    }

    @Test
    void aTypeWithoutASerializerIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.clients().producer(String.class, Thread.class))
                .withMessageStartingWith(
                        "No serializer is known for [java.lang.Thread]: use one of String, byte[], Integer");
    }

    @Test
    void clientsKeepTheirMetricsToThemselvesUnlessTheyAreAskedFor() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName quiet = new ObjectName("kafka.producer:client-id=quiet,*");
        ObjectName heard = new ObjectName("kafka.producer:client-id=heard,*");

        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("client.id", "quiet"));
        cluster.clients()
                .producer(
                        String.class,
                        String.class,
                        Map.of("client.id", "heard", "metric.reporters", JmxReporter.class.getName()));

        assertThat(beans.queryNames(quiet, null)).isEmpty();
        assertThat(beans.queryNames(heard, null)).isNotEmpty();
        assertThat(producer.metrics()).isNotEmpty();
    }

    @Test
    void aShareConsumerIsMadeAndClosedLikeTheOthers() {
        Clients clients = Clients.of(cluster);
        ShareConsumer<?, ?> consumer = (ShareConsumer<?, ?>)
                ShareConsumers.create(clients, String.class, Long.class, Map.of("client.id", "sharer"));
        consumer.subscribe(List.of("orders"));
        assertThat(consumer.subscription()).containsExactly("orders");

        clients.close();

        assertThatIllegalStateException().isThrownBy(consumer::subscription).withMessageContaining("closed");
    }

    @Test
    void brokersThatServeNoShareGroupsAreSaidToBeSo() {
        assertThat(cluster.serves(76)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShareConsumers.requireServed(cluster, "parameter [sharer]"))
                .withMessageStartingWith("Cannot inject parameter [sharer]: the brokers of Cluster ")
                .withMessageEndingWith("serve no share groups (KIP-932: they do not advertise ShareGroupHeartbeat and"
                        + " ShareFetch), so that a ShareConsumer would wait for ever; use a Consumer with a group.id for"
                        + " now");
    }

    @Test
    void anAdminSeesTheBrokers() throws Exception {
        assertThat(cluster.clients().admin().describeCluster().nodes().get(20, TimeUnit.SECONDS))
                .extracting(org.apache.kafka.common.Node::id)
                .containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void aConsumerGroupOfItsOwnReadsFromTheBeginning() throws Exception {
        String topic = cluster.createTopic(settings -> {});
        cluster.clients()
                .producer(String.class, String.class)
                .send(new ProducerRecord<>(topic, "key", "value"))
                .get();
        Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class);

        consumer.subscribe(List.of(topic));

        assertThat(first(consumer).value()).isEqualTo("value");
        assertThat(consumer.groupMetadata().groupId()).startsWith("group-");
    }

    @Test
    void anEmptyFetchIsHeldForAMomentUnlessAConsumerAsksForMore() {
        Clients clients = cluster.clients();

        assertThat(clients.consumerSettings(Map.of())).containsEntry("fetch.max.wait.ms", 50);
        assertThat(clients.consumerSettings(Map.of("fetch.max.wait.ms", "200")))
                .containsEntry("fetch.max.wait.ms", "200");
        assertThat(clients.consumerSettings(Map.of("fetch.min.bytes", "1000"))).doesNotContainKey("fetch.max.wait.ms");
    }

    @Test
    void closingIsBoundedWhenNoBrokerIsLeft() {
        Cluster dying = Cluster.builder().brokers(1).topic("orders").start();
        var producer = dying.clients().producer(String.class, String.class);
        producer.send(new ProducerRecord<>("orders", "key", "value"));
        dying.clients().consumer(String.class, String.class).subscribe(List.of("orders"));
        dying.broker(1).kill();
        producer.send(new ProducerRecord<>("orders", "key", "never sent"));

        long begin = System.nanoTime();
        dying.close();

        // By themselves the consumer takes half a minute, and the producer two.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    }

    private <K, V> void assertRoundTrip(Class<K> keyType, K key, Class<V> valueType, V value) throws Exception {
        String topic = cluster.createTopic(settings -> {});
        cluster.clients()
                .producer(keyType, valueType)
                .send(new ProducerRecord<>(topic, key, value))
                .get();
        Consumer<K, V> consumer =
                cluster.clients().consumer(keyType, valueType, Map.of("client.id", "reader-" + topic));
        consumer.assign(List.of(new org.apache.kafka.common.TopicPartition(topic, 0)));
        ConsumerRecord<K, V> record = first(consumer);
        assertThat(record.key()).isEqualTo(key);
        assertThat(record.value()).isEqualTo(value);
    }

    private static <K, V> ConsumerRecord<K, V> first(Consumer<K, V> consumer) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < deadline) {
            ConsumerRecords<K, V> records = consumer.poll(Duration.ofMillis(100));
            if (!records.isEmpty()) {
                return records.iterator().next();
            }
        }
        throw new AssertionError("Nothing could be read within 20 seconds");
    }
}

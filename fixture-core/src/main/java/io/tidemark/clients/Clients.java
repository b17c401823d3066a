package io.tidemark.clients;

import io.tidemark.Cluster;
import io.tidemark.spi.Closing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Makes kafka-clients that know the cluster's address, and closes them. Producers wait for all in-sync replicas and are
 * idempotent; consumers begin at the earliest record, in a group of their own, and have a broker hold a fetch that finds
 * nothing for 50 ms; their metrics are on the client, but neither registered as MBeans nor pushed to the broker. Any
 * setting can be given in Kafka's names.
 *
 * <pre>{@code
 * Clients clients = cluster.clients();
 * Producer<String, Long> producer = clients.producer(String.class, Long.class);
 * Consumer<String, Long> consumer = clients.consumer(String.class, Long.class, Map.of("group.id", "billing"));
 * }</pre>
 */
public final class Clients implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);
    private static final int FETCH_MAX_WAIT_MS = 50;

    private final String bootstrapServers;
    private final Deque<AutoCloseable> closings = new ArrayDeque<>();

    private Clients(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * A set of clients of its own, which the caller closes; {@link Cluster#clients()} gives the one that is closed with
     * the cluster.
     */
    public static Clients of(Cluster cluster) {
        return new Clients(cluster.bootstrapServers());
    }

    /**
     * A producer whose serializers are chosen by the types.
     *
     * @throws IllegalArgumentException if no serializer is known for a type
     */
    public <K, V> Producer<K, V> producer(Class<K> key, Class<V> value) {
        return producer(key, value, Map.of());
    }

    /** As {@link #producer(Class, Class)}, with settings that go before the fixture's. */
    public <K, V> Producer<K, V> producer(Class<K> key, Class<V> value, Map<String, ?> settings) {
        return producer(SerdeTypes.of(key).serializer(), SerdeTypes.of(value).serializer(), settings);
    }

    /** A producer with serializers of the caller's own. */
    public <K, V> Producer<K, V> producer(Serializer<K> key, Serializer<V> value, Map<String, ?> settings) {
        Map<String, Object> all = common(settings);
        if (!settings.containsKey("acks") && !settings.containsKey("enable.idempotence")) {
            // What is the default from Kafka 3.0 on, for older clients too.
            all.put("acks", "all");
            all.put("enable.idempotence", "true");
        }
        Producer<K, V> producer = new KafkaProducer<>(all, key, value);
        return closedLater(producer, () -> producer.close(CLOSE_TIMEOUT));
    }

    /**
     * A consumer whose deserializers are chosen by the types. It has subscribed to nothing.
     *
     * @throws IllegalArgumentException if no deserializer is known for a type
     */
    public <K, V> Consumer<K, V> consumer(Class<K> key, Class<V> value) {
        return consumer(key, value, Map.of());
    }

    /** As {@link #consumer(Class, Class)}, with settings that go before the fixture's. */
    public <K, V> Consumer<K, V> consumer(Class<K> key, Class<V> value, Map<String, ?> settings) {
        Serde<K> keys = SerdeTypes.of(key);
        return consumer(keys.deserializer(), SerdeTypes.of(value).deserializer(), settings);
    }

    /** A consumer with deserializers of the caller's own. */
    @SuppressWarnings("deprecation") // close(Duration) is the one that every version since 2.8 has
    public <K, V> Consumer<K, V> consumer(Deserializer<K> key, Deserializer<V> value, Map<String, ?> settings) {
        Map<String, Object> all = consumerSettings(settings);
        Consumer<K, V> consumer = new KafkaConsumer<>(all, key, value);
        return closedLater(consumer, () -> consumer.close(CLOSE_TIMEOUT));
    }

    /** An admin client. */
    public Admin admin() {
        return admin(Map.of());
    }

    /** An admin client with settings that go before the fixture's. */
    public Admin admin(Map<String, ?> settings) {
        Admin admin = Admin.create(common(settings));
        return closedLater(admin, () -> admin.close(CLOSE_TIMEOUT));
    }

    /** Closes every client, the newest first, and waits half a second at most for each. Harmless to repeat. */
    @Override
    public void close() {
        Closing closing = new Closing();
        while (true) {
            AutoCloseable client;
            synchronized (closings) {
                client = closings.pollLast();
            }
            if (client == null) {
                break;
            }
            closing.run(client);
        }
        closing.rethrow("close the clients");
    }

    Map<String, Object> consumerSettings(Map<String, ?> settings) {
        Map<String, Object> all = common(Map.of());
        all.put("group.id", newGroupId());
        all.put("auto.offset.reset", "earliest");
        if (!settings.containsKey("fetch.min.bytes")) {
            // A consumer that closes waits for the answer to its last fetch: 500 ms by Kafka's default, for nothing.
            // New
            // records end that wait anyway, and who asks for more of them at once wants to wait for those.
            all.put("fetch.max.wait.ms", FETCH_MAX_WAIT_MS);
        }
        all.putAll(settings);
        return all;
    }

    String newGroupId() {
        return "group-" + UUID.randomUUID();
    }

    Map<String, Object> common(Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(ClientMetrics.UNREAD);
        all.put("bootstrap.servers", bootstrapServers);
        all.putAll(settings);
        return all;
    }

    <T> T closedLater(T client, AutoCloseable closing) {
        synchronized (closings) {
            closings.addLast(closing);
        }
        return client;
    }
}

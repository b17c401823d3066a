package io.tidemark.clients;

import io.tidemark.Cluster;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Makes consumers of share groups (KIP-932), which kafka-clients has from 4.0 on: a test can only ask for one with such
 * kafka-clients.
 */
final class ShareConsumers {
    private static final String TYPE = "org.apache.kafka.clients.consumer.KafkaShareConsumer";
    private static final int SHARE_GROUP_HEARTBEAT = 76;
    private static final int SHARE_FETCH = 78;
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private ShareConsumers() {}

    /**
     * Refuses a cluster on which a share consumer would find nobody to join.
     *
     * @throws IllegalArgumentException that says what to use in its place
     */
    static void requireServed(Cluster cluster, Object point) {
        if (!cluster.serves(SHARE_GROUP_HEARTBEAT) || !cluster.serves(SHARE_FETCH)) {
            throw new IllegalArgumentException("Cannot inject " + point + ": the brokers of " + cluster
                    + " serve no share groups (KIP-932: they do not advertise ShareGroupHeartbeat and ShareFetch), so that"
                    + " a ShareConsumer would wait for ever; use a Consumer with a group.id for now");
        }
    }

    /** A {@code KafkaShareConsumer}, made by its name: kafka-clients before 4.0, on which this is compiled too, lack it. */
    static Object create(Clients clients, Class<?> key, Class<?> value, Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(clients.common(Map.of()));
        all.put("group.id", clients.newGroupId());
        all.putAll(settings);
        try {
            Class<?> type = Class.forName(TYPE);
            Object consumer = type.getConstructor(Map.class, Deserializer.class, Deserializer.class)
                    .newInstance(
                            all,
                            SerdeTypes.of(key).deserializer(),
                            SerdeTypes.of(value).deserializer());
            Method close = type.getMethod("close", Duration.class);
            return clients.closedLater(consumer, () -> close(close, consumer));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Cannot make a " + TYPE + " with the kafka-clients on the class path; expected 4.0 or later: " + e,
                    e);
        }
    }

    private static void close(Method close, Object consumer) {
        try {
            close.invoke(consumer, CLOSE_TIMEOUT);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot close " + consumer + ": " + e, e);
        }
    }
}

package io.tidemark.clients;

import io.tidemark.Cluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;

/**
 * Makes consumers of share groups (KIP-932). Apart from the other clients, since kafka-clients has the type from 4.0 on
 * alone: this class is loaded where a test asks for one, which it can with such kafka-clients only.
 */
final class ShareConsumers {
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

    static <K, V> ShareConsumer<K, V> create(Clients clients, Class<K> key, Class<V> value, Map<String, ?> settings) {
        Map<String, Object> all = new HashMap<>(clients.common(Map.of()));
        all.put("group.id", clients.newGroupId());
        all.putAll(settings);
        ShareConsumer<K, V> consumer = new KafkaShareConsumer<>(
                all, SerdeTypes.of(key).deserializer(), SerdeTypes.of(value).deserializer());
        return clients.closedLater(consumer, () -> consumer.close(CLOSE_TIMEOUT));
    }
}

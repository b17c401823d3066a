package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Consumers that are told their rack, and nothing else, read near (KIP-392). */
@Timeout(60)
class RacksIT {
    private static final String RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    @Test
    void aConsumerReadsFromTheReplicaOfItsRackAndFromTheLeaderWhenThatIsGone() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .racks("north", "south", "west")
                .config("replica.selector.class", RACK_AWARE)
                .topic("orders", topic -> topic.replicationFactor(3))
                .start()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            int near = 1 + orders.leader() % 3;
            String rack = List.of("north", "south", "west").get(near - 1);
            Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
            Consumer<String, String> consumer =
                    cluster.clients().consumer(String.class, String.class, Map.of("client.rack", rack));
            consumer.assign(List.of(ORDERS));
            consumer.seekToBeginning(List.of(ORDERS));

            producer.send(new ProducerRecord<>("orders", 0, "1", "near")).get();
            awaitValue(consumer, "near");
            assertThat(preferredReplica(consumer)).isEqualTo(near);

            cluster.broker(near).kill();
            assertThat(orders).eventually().hasIsr(remaining(near));
            producer.send(new ProducerRecord<>("orders", 0, "2", "far")).get();
            awaitValue(consumer, "far");
        }
    }

    private static int[] remaining(int gone) {
        return IntStream.rangeClosed(1, 3).filter(id -> id != gone).toArray();
    }

    private static void awaitValue(Consumer<String, String> consumer, String value) {
        await("the value " + value).atMost(Duration.ofSeconds(20)).until(() -> {
            boolean[] found = new boolean[1];
            consumer.poll(Duration.ofMillis(100))
                    .forEach(record -> found[0] |= record.value().equals(value));
            return found[0];
        });
    }

    /** As the client itself tells. */
    private static int preferredReplica(Consumer<String, String> consumer) {
        return consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("preferred-read-replica"))
                .map(metric -> ((Number) metric.getValue().metricValue()).intValue())
                .findFirst()
                .orElse(-1);
    }
}

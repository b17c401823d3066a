package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The leader of a partition dies, and every order that was acknowledged is read from the next one. */
@KafkaCluster(
        brokers = 3,
        topics = @Topic(name = "orders", partitions = 3, replicationFactor = 3, config = "min.insync.replicas=2"))
class OrdersSurviveLeaderLossIT {
    private static final int ORDERS_BEFORE = 10;
    private static final int ORDERS_AFTER = 5;

    @Test
    void acknowledgedOrdersStayReadable(
            Cluster cluster, Chaos chaos, Producer<String, String> producer, Consumer<String, String> consumer)
            throws Exception {
        Story story = new Story("Orders survive the loss of their leader");
        PartitionHandle orders = cluster.partition("orders", 0);
        story.tell("Three brokers are up.", orders);

        List<String> acknowledged = new ArrayList<>();
        place(ORDERS_BEFORE, producer, acknowledged);
        int dead = orders.leader();
        assertThat(orders).eventually().hasHighWatermark(ORDERS_BEFORE);
        story.tell(ORDERS_BEFORE + " orders are acknowledged by all.", orders);

        chaos.kill(dead);
        story.tell("Broker " + dead + ", the leader, is killed.");

        int[] survivors = cluster.brokers().stream()
                .mapToInt(broker -> broker.id())
                .filter(id -> id != dead)
                .toArray();
        assertThat(orders).eventually().hasLeaderEpoch(1).hasIsr(survivors).hasHighWatermark(ORDERS_BEFORE);
        story.tell("Another one takes over.", orders);

        place(ORDERS_AFTER, producer, acknowledged);
        assertThat(orders).eventually().hasHighWatermark(ORDERS_BEFORE + ORDERS_AFTER);
        story.tell(ORDERS_AFTER + " more orders are acknowledged.", orders);

        List<String> read = readAll(consumer, acknowledged.size());
        assertThat(read).isEqualTo(acknowledged);
        story.tell("Read from broker " + orders.leader() + ": " + read.size() + " of " + acknowledged.size()
                + " acknowledged orders, " + read.get(0) + " to " + read.get(read.size() - 1) + ", in order.");

        chaos.restart(dead);
        assertThat(orders).eventually().hasIsr(1, 2, 3).hasLogEndOffset(dead, acknowledged.size());
        story.tell("Broker " + dead + " is back and has caught up.", orders).end();
    }

    private static void place(int count, Producer<String, String> producer, List<String> acknowledged)
            throws Exception {
        for (int i = 0; i < count; i++) {
            String order = "order-" + (acknowledged.size() + 1);
            producer.send(new ProducerRecord<>("orders", 0, order, "{\"amt\":30}"))
                    .get();
            acknowledged.add(order);
        }
    }

    private static List<String> readAll(Consumer<String, String> consumer, int expected) {
        TopicPartition partition = new TopicPartition("orders", 0);
        consumer.assign(List.of(partition));
        List<String> read = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (read.size() < expected && System.nanoTime() < deadline) {
            for (ConsumerRecord<String, String> order : consumer.poll(Duration.ofMillis(100))) {
                read.add(order.key());
            }
        }
        return read;
    }
}

package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.Test;

/** A follower that no longer fetches holds the high watermark back until it is out of the ISR. */
@KafkaCluster(
        brokers = 3,
        config = "replica.lag.time.max.ms=15000",
        topics = @Topic(name = "orders", replicationFactor = 3))
class HighWatermarkWaitsForTheSlowestIT {
    @Test
    void theFiveRecordsAreCommittedWhenTheLaggardIsOut(Cluster cluster, Chaos chaos, Admin admin) throws Exception {
        Story story = new Story("The high watermark waits for the slowest of the ISR");
        PartitionHandle orders = cluster.partition("orders", 0);
        Producer<String, String> producer = cluster.clients()
                .producer(
                        String.class,
                        String.class,
                        Map.of("acks", "all", "retries", "0", "enable.idempotence", "false"));
        for (Future<RecordMetadata> sent : send(producer, 100)) {
            sent.get();
        }
        for (int broker : List.of(1, 2, 3)) {
            assertThat(orders).eventually().hasLogEndOffset(broker, 100);
        }
        assertThat(orders).hasLeader(1).hasHighWatermark(100).hasIsr(1, 2, 3);
        story.tell("A hundred orders are on three brokers.", orders);

        chaos.stallReplication(3);
        List<Future<RecordMetadata>> five = send(producer, 5);
        assertThat(orders).eventually().hasLogEndOffset(1, 105).hasLogEndOffset(2, 105);
        assertThat(orders).hasLogEndOffset(3, 100).hasHighWatermark(100).hasIsr(1, 2, 3);
        assertThat(five).noneMatch(Future::isDone);
        story.tell("Follower 3 stops fetching; five more come.", orders);

        cluster.clock().advance(Duration.ofSeconds(16));
        assertThat(orders).eventually().hasIsr(1, 2).hasHighWatermark(105);
        for (Future<RecordMetadata> sent : five) {
            sent.get();
        }
        assertThat(orders).hasLogEndOffset(3, 100);
        story.tell("After replica.lag.time.max.ms it is out.", orders);

        setMinInsyncReplicas(admin, "3");
        // The controller has it; the leader is to have heard of it.
        cluster.awaitMetadata(Duration.ofSeconds(20));
        assertThatThrownBy(() -> producer.send(order(105)).get()).hasCauseInstanceOf(NotEnoughReplicasException.class);
        assertThat(orders).hasLogEndOffset(1, 105).hasHighWatermark(105);
        story.tell("With min.insync.replicas=3 a write is refused.", orders);

        chaos.healLinks();
        assertThat(orders).eventually().hasIsr(1, 2, 3).hasLogEndOffset(3, 105);
        producer.send(order(105)).get();
        assertThat(orders).eventually().hasHighWatermark(106);
        story.tell("Follower 3 fetches again.", orders).end();
    }

    private static List<Future<RecordMetadata>> send(Producer<String, String> producer, int count) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(producer.send(order(i)));
        }
        return sent;
    }

    private static ProducerRecord<String, String> order(int number) {
        return new ProducerRecord<>("orders", 0, "order-" + number, "30");
    }

    private static void setMinInsyncReplicas(Admin admin, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, "orders"),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("min.insync.replicas", value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }
}

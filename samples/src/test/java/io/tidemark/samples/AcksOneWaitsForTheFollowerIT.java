package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * With too few replicas in sync, acks=1 still gets an answer, but what was written counts as committed, and can be read,
 * only when a follower is back.
 */
@KafkaCluster(brokers = 2, topics = @Topic(name = "payments", replicationFactor = 2, config = "min.insync.replicas=2"))
class AcksOneWaitsForTheFollowerIT {
    @Test
    void nobodyReadsTheRecordBelowMinInsyncReplicas(Cluster cluster, Chaos chaos, Consumer<String, String> consumer)
            throws Exception {
        Story story = new Story("A record with acks=1 waits for the follower");
        PartitionHandle payments = cluster.partition("payments", 0);
        int leader = payments.leader();
        int follower = 3 - leader;
        story.tell("Two brokers are up.", payments);

        chaos.kill(follower);
        assertThat(payments).eventually().hasIsr(leader);
        story.tell("Broker " + follower + ", the follower, is killed.", payments);

        Producer<String, String> producer = cluster.clients()
                .producer(String.class, String.class, Map.of("acks", "1", "enable.idempotence", "false"));
        producer.send(new ProducerRecord<>("payments", 0, "payment-1", "30")).get();
        assertThat(payments).hasLogEndOffset(leader, 1).hasHighWatermark(0);
        story.tell("A payment is acknowledged by the leader.", payments);

        consumer.assign(List.of(new TopicPartition("payments", 0)));
        assertThat(consumer.poll(Duration.ofMillis(500)).count()).isZero();
        assertThat(payments).hasHighWatermark(0);
        story.tell("Nobody can read it.", payments);

        chaos.restart(follower);
        assertThat(payments).eventually().hasIsr(1, 2).hasHighWatermark(1).hasLogEndOffset(follower, 1);
        story.tell("Broker " + follower + " is back.", payments);

        assertThat(readOne(consumer).key()).isEqualTo("payment-1");
        story.tell("Now it is read.").end();
    }

    private static ConsumerRecord<String, String> readOne(Consumer<String, String> consumer) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() < deadline) {
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
            if (!records.isEmpty()) {
                return records.iterator().next();
            }
        }
        throw new AssertionError("Nothing could be read within 20 seconds");
    }
}

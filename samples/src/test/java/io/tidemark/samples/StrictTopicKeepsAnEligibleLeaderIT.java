package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.ReplicaRecord;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.Test;

/**
 * A topic on brokers 1 and 3 that wants both in sync. With broker 3 gone nothing is committed any more, and broker 3 stays
 * an eligible leader: it has everything that ever was.
 */
@KafkaCluster(brokers = 3)
class StrictTopicKeepsAnEligibleLeaderIT {
    @Test
    void nothingIsCommittedUntilBothAreBack(
            Cluster cluster, Chaos chaos, Admin admin, Consumer<String, String> consumer) throws Exception {
        Story story = new Story("A strict topic, and a broker that is missed");
        admin.createTopics(List.of(
                        new NewTopic("strict", Map.of(0, List.of(1, 3))).configs(Map.of("min.insync.replicas", "2"))))
                .all()
                .get();
        PartitionHandle strict = cluster.partition("strict", 0);
        assertThat(strict).eventually().hasLeader(1).hasIsr(1, 3).hasHighWatermark(0);
        story.tell("The topic is on brokers 1 and 3.", strict);

        chaos.kill(3);
        assertThat(strict).eventually().hasIsr(1).hasElr(3).hasLeader(1);
        story.tell("Broker 3 is killed; it is an eligible leader.", strict);

        Producer<String, String> careful =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all", "retries", "0"));
        assertThatThrownBy(() -> careful.send(record("refused")).get())
                .hasCauseInstanceOf(NotEnoughReplicasException.class);
        Producer<String, String> careless = cluster.clients()
                .producer(String.class, String.class, Map.of("acks", "1", "enable.idempotence", "false"));
        careless.send(record("first")).get();
        careless.send(record("second")).get();
        assertThat(strict).hasLogEndOffset(1, 2).hasHighWatermark(0).hasElr(3);
        assertThat(strict.recordsOn(1)).extracting(ReplicaRecord::keyText).containsExactly("first", "second");
        consumer.assign(List.of(new TopicPartition("strict", 0)));
        assertThat(consumer.poll(Duration.ofMillis(500)).count()).isZero();
        assertThat(strict).hasHighWatermark(0);
        story.tell("Two records with acks=1 wait on broker 1.", strict);

        chaos.restart(3);
        assertThat(strict).eventually().hasIsr(1, 3).hasHighWatermark(2).hasElr();
        assertThat(keys(consumer, 2)).containsExactly("first", "second");
        assertThat(strict.recordsOn(3)).isEqualTo(strict.recordsOn(1));
        story.tell("Broker 3 is back, and both can be read.", strict).end();
    }

    private static ProducerRecord<String, String> record(String key) {
        return new ProducerRecord<>("strict", 0, key, "1");
    }

    private static List<String> keys(Consumer<String, String> consumer, int count) {
        List<String> keys = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (keys.size() < count && System.nanoTime() < deadline) {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                keys.add(record.key());
            }
        }
        return keys;
    }
}

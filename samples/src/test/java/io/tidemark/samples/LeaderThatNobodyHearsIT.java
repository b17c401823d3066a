package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.ReplicaRecord;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.Test;

/**
 * The ISR shrinks to the leader, the leader is cut off, and another is elected: what was acknowledged survives where
 * min.insync.replicas asks for two, and where it does not, and an unclean election is allowed, exactly that is lost which
 * only the old leader had. (The case is Jepsen's, of 2013.)
 */
class LeaderThatNobodyHearsIT {
    private static final int LEADER = 1;

    @Test
    @KafkaCluster(
            brokers = 3,
            config = "replica.lag.time.max.ms=1500",
            topics = @Topic(name = "careful", replicationFactor = 3, config = "min.insync.replicas=2"))
    void losesNothingWhereTwoHadToBeInSync(Cluster cluster, Chaos chaos) throws Exception {
        Story story = new Story("The leader is cut off, with min.insync.replicas=2");
        PartitionHandle careful = cluster.partition("careful", 0);
        assertThat(careful).hasLeader(LEADER);
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
        send(producer, "careful", "before");

        chaos.stallReplication(2).stallReplication(3);
        Producer<String, String> careless = cluster.clients()
                .producer(String.class, String.class, Map.of("acks", "1", "enable.idempotence", "false"));
        careless.send(new ProducerRecord<>("careful", 0, "only the leader's", "1"))
                .get();
        assertThat(careful).eventually().hasIsr(LEADER);
        assertThat(keys(careful.recordsOn(LEADER))).containsExactly("before", "only the leader's");
        Producer<String, String> impatient = cluster.clients()
                .producer(
                        String.class,
                        String.class,
                        Map.of("acks", "all", "retries", "0", "enable.idempotence", "false"));
        assertThatThrownBy(() -> send(impatient, "careful", "refused"))
                .hasCauseInstanceOf(NotEnoughReplicasException.class);
        story.tell("Only the leader is in sync; writes are refused.", careful);

        chaos.isolate(LEADER);
        assertThat(careful).eventually().hasLeaderEpoch(1);
        chaos.healLinks();
        assertThat(careful).eventually().hasIsr(1, 2, 3);
        send(producer, "careful", "after");
        story.tell("Another was elected, and all are in sync.", careful);

        for (int broker : List.of(1, 2, 3)) {
            assertThat(careful).eventually().hasLogEndOffset(broker, careful.logEndOffset(careful.leader()));
            assertThat(keys(careful.recordsOn(broker))).containsExactly("before", "after");
        }
        story.tell("Every broker has what was acknowledged, and nothing else.").end();
    }

    @Test
    @KafkaCluster(
            brokers = 3,
            config = "replica.lag.time.max.ms=1500",
            topics =
                    @Topic(
                            name = "careless",
                            replicationFactor = 3,
                            config = {"min.insync.replicas=1", "unclean.leader.election.enable=true"}))
    void losesExactlyWhatOnlyTheOldLeaderHad(Cluster cluster, Chaos chaos) throws Exception {
        Story story = new Story("The leader is cut off, with min.insync.replicas=1 and unclean elections");
        PartitionHandle careless = cluster.partition("careless", 0);
        assertThat(careless).hasLeader(LEADER);
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
        send(producer, "careless", "before");

        chaos.stallReplication(2).stallReplication(3);
        Future<RecordMetadata> first = producer.send(new ProducerRecord<>("careless", 0, "alone-1", "1"));
        assertThat(careless).eventually().hasIsr(LEADER);
        first.get();
        send(producer, "careless", "alone-2");
        List<ReplicaRecord> onOldLeader = careless.recordsOn(LEADER);
        story.tell("Only the leader is in sync, and acknowledges.", careless);

        chaos.isolate(LEADER);
        assertThat(careless).eventually().hasLeaderEpoch(1);
        int newLeader = careless.leader();
        chaos.healLinks();
        assertThat(careless).eventually().hasIsr(1, 2, 3);
        send(producer, "careless", "after");
        assertThat(careless).eventually().hasLogEndOffset(LEADER, careless.logEndOffset(newLeader));
        story.tell("Another was elected, unclean.", careless);

        List<ReplicaRecord> onNewLeader = careless.recordsOn(newLeader);
        List<ReplicaRecord> lost = new ArrayList<>(onOldLeader);
        lost.removeAll(onNewLeader);
        assertThat(keys(lost)).containsExactly("alone-1", "alone-2");
        assertThat(keys(onNewLeader)).containsExactly("before", "after");
        assertThat(careless.recordsOn(LEADER)).isEqualTo(onNewLeader);
        story.tell("Lost: " + lost + ".").end();
    }

    private static void send(Producer<String, String> producer, String topic, String key)
            throws ExecutionException, InterruptedException {
        producer.send(new ProducerRecord<>(topic, 0, key, "1")).get();
    }

    private static List<String> keys(List<ReplicaRecord> records) {
        return records.stream().map(ReplicaRecord::keyText).toList();
    }
}

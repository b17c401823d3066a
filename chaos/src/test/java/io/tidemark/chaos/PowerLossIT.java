package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an unmodified application sees of nodes that lose their power. */
@Timeout(120)
class PowerLossIT {
    private static Cluster start(int brokers) {
        return Cluster.builder()
                .brokers(brokers)
                .seed(20)
                .topic("orders", topic -> topic.partitions(1)
                        .config("min.insync.replicas", String.valueOf(Math.min(2, brokers))))
                .start();
    }

    @Test
    void oneReplicaOfThreeLosesNothingThatWasAcknowledgedByAll() throws Exception {
        try (Cluster cluster = start(3)) {
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
            Story.produce(producer, 0, 200);
            for (int round = 1; round <= 2; round++) {
                try (Chaos chaos = Chaos.on(cluster)) {
                    int leader = cluster.partition("orders", 0).leader();
                    chaos.losePower(leader);
                    assertThat(cluster.broker(leader).state()).isEqualTo(NodeState.KILLED);

                    Story.produce(producer, round * 200, 100);
                    chaos.restart(leader);
                    Story.produce(producer, round * 200 + 100, 100);
                }
                assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3);
            }

            assertThat(Story.consumeFrom(cluster, 0)).isEqualTo(Story.values(0, 600));
        }
    }

    @Test
    void aLoneReplicaMayLoseWhatItNeverForcedAndItsLogIsCleanAllTheSame() throws Exception {
        try (Cluster cluster = start(1);
                Chaos chaos = Chaos.on(cluster)) {
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "1"));
            List<String> left = List.of();
            for (int round = 0; round < 4; round++) {
                Story.produce(producer, left.size(), 300);
                int leaderEpoch = cluster.partition("orders", 0).leaderEpoch();

                chaos.losePower(1).restart(1);

                assertThat(cluster.partition("orders", 0)).eventually().hasLeader(1);
                assertThat(cluster.partition("orders", 0).leaderEpoch())
                        .as("the controller knows that the shutdown was not clean")
                        .isGreaterThan(leaderEpoch);
                List<String> before = left;
                left = Story.consumeFrom(cluster, 0);
                assertThat(left).isEqualTo(Story.values(0, left.size()));
                assertThat(left.size()).isLessThanOrEqualTo(before.size() + 300);
                producer.close();
                producer = cluster.clients().producer(String.class, String.class, Map.of("acks", "1"));
            }
        }
    }

    /** All brokers are without power at once, each with one partition that nobody else has. */
    @Test
    void whatEachBrokerForcesBeforeItAcknowledgesOutlastsThePowerLossOfAll() throws Exception {
        try (Cluster cluster = startWithOnePartitionEach("1")) {
            for (int round = 0; round < 3; round++) {
                produceToEach(cluster, round * 50, 50);

                loseThePowerOfAll(cluster);

                for (int partition = 0; partition < 3; partition++) {
                    assertThat(cluster.partition("orders", partition).logEndOffset(partition + 1))
                            .as("end of orders-%d in round %d", partition, round)
                            .isEqualTo((round + 1) * 50L);
                }
            }
        }
    }

    @Test
    void whatNobodyForcesIsGoneWithThePowerOfAll() throws Exception {
        try (Cluster cluster = startWithOnePartitionEach(String.valueOf(Long.MAX_VALUE))) {
            long lost = 0;
            // How much is lost is a matter of chance; that nothing ever is would be a disk that forces by itself.
            for (int round = 0; round < 10 && lost == 0; round++) {
                long before = endOfAll(cluster);
                produceToEach(cluster, 0, 50);

                loseThePowerOfAll(cluster);

                lost = before + 3 * 50 - endOfAll(cluster);
                assertThat(lost).as("records lost").isBetween(0L, before + 3 * 50);
            }
            assertThat(lost).as("records lost").isPositive();
        }
    }

    private static Cluster startWithOnePartitionEach(String flushMessages) {
        return Cluster.builder()
                .brokers(3)
                .seed(21)
                .config("log.flush.interval.messages", flushMessages)
                .topic("orders", topic -> topic.partitions(3)
                        .replicas(0, 1)
                        .replicas(1, 2)
                        .replicas(2, 3))
                .start();
    }

    private static void produceToEach(Cluster cluster, int from, int count) throws Exception {
        try (Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "1"))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (String value : Story.values(from, count)) {
                for (int partition = 0; partition < 3; partition++) {
                    sent.add(producer.send(new ProducerRecord<>("orders", partition, null, value)));
                }
            }
            for (Future<RecordMetadata> future : sent) {
                future.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static void loseThePowerOfAll(Cluster cluster) {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.losePower(1).losePower(2).losePower(3);
        }
        for (int partition = 0; partition < 3; partition++) {
            assertThat(cluster.partition("orders", partition)).eventually().hasLeader(partition + 1);
        }
    }

    private static long endOfAll(Cluster cluster) {
        long end = 0;
        for (int partition = 0; partition < 3; partition++) {
            end += cluster.partition("orders", partition).logEndOffset(partition + 1);
        }
        return end;
    }

    @Test
    void whatTheControllerHasAnsweredOutlastsItsPowerLoss() throws Exception {
        try (Cluster cluster = start(3)) {
            try (Chaos chaos = Chaos.on(cluster)) {
                for (int i = 0; i < 3; i++) {
                    cluster.createTopic("topic-" + i, topic -> topic.partitions(2));
                    chaos.losePower(1001).restart(1001);
                    cluster.awaitHealthy(java.time.Duration.ofSeconds(30));
                }
                for (int i = 0; i < 3; i++) {
                    assertThat(cluster.partition("topic-" + i, 1)).eventually().hasIsr(1, 2, 3);
                }
            }
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
            Story.produce(producer, 0, 10);
            assertThat(Story.consumeFrom(cluster, 0)).isEqualTo(Story.values(0, 10));
        }
    }
}

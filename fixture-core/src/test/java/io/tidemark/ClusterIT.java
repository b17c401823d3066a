package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class ClusterIT {
    @Test
    void isReadyWhenStartReturns() {
        try (Cluster cluster = threeBrokers()) {
            PartitionState orders = cluster.partition("orders", 0).snapshot();

            assertThat(orders.leader()).isPresent();
            assertThat(orders.isr()).containsExactly(1, 2, 3);
            assertThat(orders.highWatermark()).hasValue(0);
            assertThat(orders.replicas())
                    .allSatisfy(replica -> assertThat(replica.log()).isNotNull());
            assertThat(Readiness.missing(cluster.view(), List.of(1, 2, 3), cluster.topics()))
                    .isEmpty();
        }
    }

    @Test
    void partitionsAreLedByTheBrokersInTurn() {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.partitions(4).replicationFactor(2))
                .start()) {
            for (int partition = 0; partition < 4; partition++) {
                assertThat(cluster.partition("orders", partition)).hasLeader(1 + partition % 3);
            }
            assertThat(cluster.partition("orders", 2)).hasIsr(3, 1);
        }
    }

    @Test
    void aBrokerAloneWorksToo() throws Exception {
        try (Cluster cluster = Cluster.builder().topic("orders").start()) {
            producer(cluster).send(new ProducerRecord<>("orders", "value")).get();

            assertThat(cluster.partition("orders", 0)).hasLeader(1).hasIsr(1).hasHighWatermark(1);
        }
    }

    @Test
    void theControllerMayLiveOnABroker() throws Exception {
        try (Cluster cluster =
                Cluster.builder().brokers(3).combined(true).topic("orders").start()) {
            producer(cluster).send(new ProducerRecord<>("orders", "value")).get();

            assertThat(cluster.nodes()).hasSize(3);
            assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasIsr(1, 2, 3)
                    .hasHighWatermark(1);
        }
    }

    @Test
    void aKilledBrokerRefusesAndAnotherOneLeads() throws Exception {
        try (Cluster cluster = threeBrokers()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            int dead = orders.leader();

            cluster.broker(dead).kill();

            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(cluster.broker(dead)));
            assertThat(orders).eventually().hasLeaderEpoch(1).hasIsr(others(dead));
            assertThat(orders.leader()).isNotEqualTo(dead);
        }
    }

    @Test
    void aKilledBrokerComesBackWithItsPortItsDataAndItsPlaceInTheIsr() throws Exception {
        try (Cluster cluster = threeBrokers()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            Producer<String, String> producer = producer(cluster);
            producer.send(new ProducerRecord<>("orders", "first")).get();
            int dead = orders.leader();
            String address = cluster.broker(dead).address();
            cluster.broker(dead).kill();
            producer.send(new ProducerRecord<>("orders", "second")).get();

            cluster.broker(dead).restart();

            connect(cluster.broker(dead));
            assertThat(cluster.broker(dead).address()).isEqualTo(address);
            assertThat(orders).eventually().hasIsr(1, 2, 3).hasHighWatermark(2).hasLogEndOffset(dead, 2);
        }
    }

    @Test
    void aStoppedBrokerHandsItsLeadershipOver() {
        try (Cluster cluster = threeBrokers()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            int stopped = orders.leader();

            cluster.broker(stopped).stop();

            assertThat(orders).eventually().hasIsr(others(stopped));
            assertThat(orders.leader()).isNotEqualTo(stopped);
            cluster.broker(stopped).restart();
            assertThat(orders).eventually().hasIsr(1, 2, 3);
        }
    }

    @Test
    void aPausedBrokerIsFencedAndComesBackWhenItGoesOn() throws Exception {
        try (Cluster cluster = threeBrokers()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            int paused = orders.leader();

            cluster.broker(paused).pause();

            connect(cluster.broker(paused));
            assertThat(orders).eventually().hasLeaderEpoch(1).hasIsr(others(paused));
            cluster.broker(paused).resume();
            assertThat(orders).eventually().hasIsr(1, 2, 3);
        }
    }

    @Test
    void theControllerMayDieAndComeBack() throws Exception {
        try (Cluster cluster = threeBrokers()) {
            // The producer's id comes from the controller.
            Producer<String, String> producer = producer(cluster);
            producer.send(new ProducerRecord<>("orders", "before")).get();
            cluster.controller().kill();
            producer.send(new ProducerRecord<>("orders", "meanwhile")).get();
            cluster.controller().restart();

            String topic = cluster.createTopic(settings -> settings.partitions(2));

            assertThat(cluster.partition(topic, 1)).hasFullIsr().hasHighWatermark(0);
            assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(2);
        }
    }

    @Test
    void clustersLiveSideBySide() throws Exception {
        try (Cluster first = Cluster.builder().topic("orders").start();
                Cluster second = Cluster.builder().topic("orders").start()) {
            producer(first).send(new ProducerRecord<>("orders", "value")).get();

            assertThat(first.partition("orders", 0)).hasHighWatermark(1);
            assertThat(second.partition("orders", 0)).hasHighWatermark(0);
        }
    }

    @Test
    void aTopicOfARandomNameIsReadyWhenItIsReturned() {
        try (Cluster cluster = Cluster.builder()
                .brokers(2)
                .topic(settings -> settings.partitions(4))
                .start()) {
            String declared = cluster.topics().get(0);
            String created = cluster.createTopic(settings -> settings.partitions(2));

            assertThat(declared).startsWith("topic-").isNotEqualTo(created);
            assertThat(cluster.partition(declared, 3)).hasIsr(1, 2);
            assertThat(cluster.partition(created, 1)).hasIsr(1, 2);
        }
    }

    @Test
    void aTopicThatExistsIsRefusedByName() {
        try (Cluster cluster = Cluster.builder().topic("orders").start()) {
            assertThatExceptionOfType(ClusterException.class)
                    .isThrownBy(() -> cluster.createTopic("orders", settings -> {}))
                    .withMessageStartingWith("Topic [orders] was refused with TOPIC_ALREADY_EXISTS");
        }
    }

    @Test
    void aTopicConfigReachesTheTopic() {
        try (Cluster cluster = Cluster.builder()
                .topic("orders", settings -> settings.config("unclean.leader.election.enable", "true"))
                .start()) {
            assertThat(cluster.partition("orders", 0).snapshot().uncleanElection())
                    .isTrue();
        }
    }

    @Test
    void whatIsNotThereIsNamed() {
        try (Cluster cluster = Cluster.builder().topic("orders").start()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.partition("payments", 0).leader())
                    .withMessage("Topic [payments] does not exist; the cluster has [orders]");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.partition("orders", 3).leader())
                    .withMessage("Topic orders has no partition [3]; it has 0 to 0");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.partition("orders", 0).logEndOffset(9))
                    .withMessage("Broker [9] holds no replica of orders-0; ask one of [1]");
        }
    }

    @Test
    void theOffsetsOfAKilledBrokerCannotBeSeen() {
        try (Cluster cluster = threeBrokers()) {
            cluster.broker(2).kill();

            assertThatIllegalStateException()
                    .isThrownBy(() -> cluster.partition("orders", 0).logEndOffset(2))
                    .withMessageStartingWith(
                            "The log end offset of orders-0 on broker 2 cannot be seen: broker 2  killed.");
        }
    }

    @Test
    void aBrokerConfigReachesEveryBroker() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .config("auto.create.topics.enable", "true")
                .config("num.partitions", "3")
                .start()) {
            producer(cluster).send(new ProducerRecord<>("surprise", "value")).get();

            assertThat(cluster.partition("surprise", 2)).eventually().hasFullIsr();
        }
    }

    private static Cluster threeBrokers() {
        return Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start();
    }

    private static Producer<String, String> producer(Cluster cluster) {
        return cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
    }

    private static int[] others(int broker) {
        return List.of(1, 2, 3).stream()
                .mapToInt(Integer::intValue)
                .filter(id -> id != broker)
                .toArray();
    }

    private static void connect(ClusterNode node) throws IOException {
        String[] address = node.address().split(":", -1);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address[0], Integer.parseInt(address[1])), 2_000);
        }
    }
}

package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Brokers come and go while clients go on. */
@Timeout(60)
class BrokerMembershipIT {
    private static final long WAIT_SECONDS = 20;
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.builder()
                .brokers(3)
                .listeners("EXTERNAL")
                .topic("orders", topic -> topic.replicas(0, 1, 2))
                .start();
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @AfterEach
    void hasItsFirstBrokersAgain() {
        cluster.reset();

        assertThat(cluster.brokers()).extracting(ClusterNode::id).containsExactly(1, 2, 3);
        assertThat(cluster.topics()).containsExactly("orders");
        assertThat(cluster.partition("orders", 0)).hasHighWatermark(0).hasIsr(1, 2);
    }

    @Test
    void anAddedBrokerIsSeenAndUsedByClientsThatWereThere() throws Exception {
        Admin admin = cluster.clients().admin();
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        send(producer, "orders");

        ClusterNode added = cluster.addBroker();

        assertThat(added.id()).isEqualTo(4);
        assertThat(added.state()).isEqualTo(NodeState.RUNNING);
        assertThat(brokersSeenBy(admin)).containsExactlyInAnyOrder(1, 2, 3, 4);
        assertThat(cluster.bootstrapServers()).endsWith("," + added.address());
        assertThat(cluster.bootstrapServers("EXTERNAL")).endsWith("," + added.address("EXTERNAL"));
        move(admin, List.of(4, 2));
        assertThat(cluster.partition("orders", 0))
                .eventually()
                .hasLeader(4)
                .hasIsr(2, 4)
                .hasHighWatermark(1);
        assertThat(send(producer, "orders").offset()).isEqualTo(1);
        cluster.createTopic("more", topic -> topic.replicas(0, 4, 1, 2));
        send(producer, "more");

        added.kill();
        assertThat(cluster.partition("orders", 0)).eventually().hasLeader(2);
        added.restart();
        assertThat(cluster.partition("orders", 0)).eventually().hasIsr(2, 4).hasHighWatermark(2);
        try (Admin other = Admin.create(Map.of("bootstrap.servers", added.address()))) {
            assertThat(brokersSeenBy(other)).as("by way of the new one").containsExactlyInAnyOrder(1, 2, 3, 4);
        }
        assertThat(cluster.timeline())
                .extracting(event -> event.subject() + " " + event.text())
                .contains("broker 4 added", "broker 4 killed", "broker 4 registered");
    }

    @Test
    void aBrokerThatHoldsReplicasIsRemovedOnlyWhenTheyHaveMoved() throws Exception {
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        send(producer, "orders");
        ClusterNode removed = cluster.broker(1);
        Path folder = removed.logDirectory();
        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.removeBroker(1))
                .withMessageStartingWith(
                        "Broker [1] cannot be removed: it holds replicas of orders-0; have them moved");
        assertThat(removed.state()).as("nothing was done to it").isEqualTo(NodeState.RUNNING);

        List<PartitionState> left = cluster.removeBroker(1, HeldReplicas.MOVE);

        assertThat(left).isEmpty();
        assertThat(cluster.partition("orders", 0)).hasIsr(2, 3).hasHighWatermark(1);
        assertThat(send(producer, "orders").offset()).isEqualTo(1);
        assertThat(brokersSeenBy(cluster.clients().admin())).containsExactlyInAnyOrder(2, 3);
        assertThat(cluster.bootstrapServers()).doesNotContain(removed.address());
        assertThat(folder).doesNotExist();
        assertThatThrownBy(() -> connect(removed)).isInstanceOf(ConnectException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.broker(1))
                .withMessage("There is no broker [1]; the cluster has the brokers [2, 3]");
        cluster.awaitHealthy(Duration.ofSeconds(WAIT_SECONDS));
        assertThat(cluster.timeline())
                .extracting(event -> event.subject() + " " + event.text())
                .contains("broker 1 removed", "broker 1 unregistered");
    }

    @Test
    void oneInItsPlaceCopiesTheReplicasThatWereGivenUp() throws Exception {
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        send(producer, "orders");
        String address = cluster.broker(1).address();

        List<PartitionState> left = cluster.removeBroker(1, HeldReplicas.ABANDON);

        assertThat(left).singleElement().satisfies(orders -> {
            assertThat(orders.topic()).isEqualTo("orders");
            assertThat(orders.isr()).containsExactly(2);
        });
        assertThat(names(cluster.snapshot().underReplicated())).isEqualTo(names(left));
        send(producer, "orders");

        ClusterNode again = cluster.addBroker(1);

        assertThat(again.address()).isEqualTo(address);
        assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2).hasHighWatermark(2);
        cluster.broker(2).kill();
        assertThat(cluster.partition("orders", 0)).eventually().hasLeader(1);
        send(producer, "orders");
        assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(3);
    }

    @Test
    void aDeadBrokerIsForgottenAndThePartitionThatOnlyItHadHasNoLeader() {
        cluster.createTopic("alone", topic -> topic.replicas(0, 3));
        cluster.broker(3).kill();

        List<PartitionState> left = cluster.removeBroker(3, HeldReplicas.ABANDON);

        assertThat(left).singleElement().satisfies(alone -> assertThat(alone.leader())
                .isEmpty());
        assertThat(names(cluster.snapshot().offline())).isEqualTo(names(left));
    }

    @Test
    void whatCannotBeIsRefused() {
        cluster.createTopic("everywhere", topic -> topic.replicas(0, 1, 2, 3));

        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.removeBroker(2, HeldReplicas.MOVE))
                .withMessageStartingWith("Broker [2] cannot be removed: no other broker that runs is free to take its"
                        + " replica of everywhere-0; add a broker first.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.addBroker(2))
                .withMessageStartingWith("Broker [2] cannot be added: the cluster has [broker 1, broker 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.removeBroker(9))
                .withMessageStartingWith("There is no broker [9]");
        cluster.broker(1).kill();
        cluster.broker(2).kill();
        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.removeBroker(3, HeldReplicas.ABANDON))
                .withMessage("Broker [3] cannot be removed: no other broker runs");
    }

    private static void connect(ClusterNode node) throws Exception {
        String[] address = node.address().split(":", 2);
        new Socket(address[0], Integer.parseInt(address[1])).close();
    }

    private static RecordMetadata send(Producer<String, String> producer, String topic) throws Exception {
        return producer.send(new ProducerRecord<>(topic, 0, "key", "value")).get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private static List<Integer> brokersSeenBy(Admin admin) throws Exception {
        return admin.describeCluster().nodes().get(WAIT_SECONDS, TimeUnit.SECONDS).stream()
                .map(Node::id)
                .toList();
    }

    private static void move(Admin admin, List<Integer> replicas) throws Exception {
        Map<TopicPartition, Optional<NewPartitionReassignment>> moves = new HashMap<>();
        moves.put(ORDERS, Optional.of(new NewPartitionReassignment(replicas)));
        admin.alterPartitionReassignments(moves).all().get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Two looks at a partition differ in what else the metadata holds by then. */
    private static List<String> names(List<PartitionState> partitions) {
        return partitions.stream().map(PartitionState::name).toList();
    }
}

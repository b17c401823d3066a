package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A partition moves to other brokers, as the admin client asks for it. */
@Timeout(60)
class ReassignmentIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    @Test
    void theRecordsMoveTheLeaderMovesAndTheOldReplicaGoes() throws Exception {
        try (Cluster cluster = Cluster.builder()
                        .brokers(4)
                        .topic("orders", topic -> topic.replicationFactor(2).config("file.delete.delay.ms", "0"))
                        .start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            PartitionHandle orders = cluster.partition("orders", 0);
            assertThat(orders).hasLeader(1).hasIsr(1, 2);
            Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
            for (int i = 0; i < 100; i++) {
                producer.send(new ProducerRecord<>("orders", 0, "order", "{\"amt\":30}"))
                        .get();
            }
            assertThat(sizeOn(admin, 1)).isPositive();

            reassign(admin, List.of(3, 4));

            assertThat(orders).eventually().hasIsr(3, 4).hasLeader(3).hasHighWatermark(100);
            assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
            producer.send(new ProducerRecord<>("orders", 0, "order", "{\"amt\":31}"))
                    .get();
            assertThat(orders).eventually().hasHighWatermark(101).hasLogEndOffset(4, 101);
            Path before = cluster.broker(1).logDirectory();
            await("the old folder to go").atMost(Duration.ofSeconds(10)).until(() -> {
                try (Stream<Path> files = Files.list(before)) {
                    return files.noneMatch(file -> file.getFileName().toString().startsWith("orders-0"));
                }
            });
        }
    }

    @Test
    void aMoveToABrokerThatIsDownWaitsAndCanBeCancelled() throws Exception {
        try (Cluster cluster = Cluster.builder()
                        .brokers(3)
                        .topic("orders", topic -> topic.replicationFactor(2))
                        .start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            PartitionHandle orders = cluster.partition("orders", 0);
            cluster.broker(3).kill();
            reassign(admin, List.of(3, 1));
            assertThat(admin.listPartitionReassignments()
                            .reassignments()
                            .get()
                            .get(ORDERS)
                            .addingReplicas())
                    .containsExactly(3);

            admin.alterPartitionReassignments(Map.of(ORDERS, Optional.empty()))
                    .all()
                    .get();

            assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
            assertThat(orders).eventually().hasIsr(1, 2);
        }
    }

    /** As kafka-reassign-partitions and kafka-log-dirs ask. */
    private static long sizeOn(Admin admin, int broker) throws Exception {
        return admin.describeLogDirs(List.of(broker)).allDescriptions().get().get(broker).values().stream()
                .mapToLong(folder -> folder.replicaInfos().get(ORDERS).size())
                .sum();
    }

    private static void reassign(Admin admin, List<Integer> replicas) throws Exception {
        admin.alterPartitionReassignments(Map.of(ORDERS, Optional.of(new NewPartitionReassignment(replicas))))
                .all()
                .get();
    }
}

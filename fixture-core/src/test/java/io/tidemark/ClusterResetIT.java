package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** A cluster that was reset is as it was when it had started. */
class ClusterResetIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final Map<String, String> BILLING = Map.of("group.id", "billing", "enable.auto.commit", "false");

    @Test
    void takesTopicsRecordsGroupsAndConfigsOut() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .topic(topic -> {})
                .start()) {
            List<String> declared = cluster.topics();
            String topicId = cluster.partition("orders", 0).snapshot().topicId();
            cluster.createTopic("more", topic -> topic.partitions(2));
            commitOneOfTwo(cluster);
            List<String> configs = setConfigs(cluster.clients().admin());
            changeConfigs(cluster.clients().admin());

            cluster.reset();

            assertThat(cluster.topics()).isEqualTo(declared);
            assertThat(cluster.topic("orders").snapshot()).singleElement().satisfies(orders -> {
                assertThat(orders.topicId()).isNotEqualTo(topicId);
                assertThat(orders.leader()).hasValue(1);
            });
            assertThat(cluster.partition("orders", 0)).hasHighWatermark(0).hasFullIsr();
            Admin admin = cluster.clients().admin();
            assertThat(admin.listTopics().names().get(20, TimeUnit.SECONDS))
                    .containsExactlyInAnyOrderElementsOf(declared);
            assertThat(setConfigs(admin)).isEqualTo(configs);
            assertThat(committed(cluster)).isNull();
            commitOneOfTwo(cluster);
            assertThat(committed(cluster)).isEqualTo(1);
        }
    }

    @Test
    void healsNodesLinksDisksAndTheClock() throws Exception {
        try (Cluster cluster =
                Cluster.builder().brokers(3).controllers(3).topic("orders").start()) {
            cluster.clock().advance(Duration.ofDays(8));
            cluster.broker(1).kill();
            cluster.broker(2).pause();
            cluster.links().stallReplication(3);
            cluster.broker(3).disk().slow(Duration.ofMillis(20));
            cluster.controllers().get(0).kill();

            cluster.reset();

            assertThat(cluster.nodes()).extracting(ClusterNode::state).containsOnly(NodeState.RUNNING);
            assertThat(cluster.clock().now())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
            assertThat(cluster.partition("orders", 0)).hasFullIsr();
            commitOneOfTwo(cluster);
            assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasLogEndOffset(2, 2)
                    .hasLogEndOffset(3, 2);
            cluster.broker(3).kill();
            assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2);
        }
    }

    @Test
    void mayBeRepeated() {
        try (Cluster cluster = Cluster.builder().topic("orders").start()) {
            for (int round = 0; round < 3; round++) {
                cluster.createTopic("more-" + round, topic -> {});
                cluster.reset();
                assertThat(cluster.topics()).containsExactly("orders");
            }
        }
    }

    private static void commitOneOfTwo(Cluster cluster) throws Exception {
        var producer = cluster.clients().producer(String.class, String.class);
        producer.send(new ProducerRecord<>("orders", 0, "key", "first")).get(20, TimeUnit.SECONDS);
        producer.send(new ProducerRecord<>("orders", 0, "key", "second")).get(20, TimeUnit.SECONDS);
        Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class, BILLING);
        consumer.assign(List.of(ORDERS));
        consumer.commitSync(Map.of(ORDERS, new OffsetAndMetadata(1)), Duration.ofSeconds(20));
    }

    private static Long committed(Cluster cluster) {
        OffsetAndMetadata committed = cluster.clients()
                .consumer(String.class, String.class, BILLING)
                .committed(Set.of(ORDERS), Duration.ofSeconds(20))
                .get(ORDERS);
        return committed == null ? null : committed.offset();
    }

    private static void changeConfigs(Admin admin) throws Exception {
        Collection<AlterConfigOp> change =
                List.of(new AlterConfigOp(new ConfigEntry("log.retention.ms", "1000000"), AlterConfigOp.OpType.SET));
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, ""), change,
                        new ConfigResource(ConfigResource.Type.BROKER, "2"), change))
                .all()
                .get(20, TimeUnit.SECONDS);
        assertThat(setConfigs(admin)).contains("log.retention.ms");
    }

    private static List<String> setConfigs(Admin admin) throws Exception {
        ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");
        ConfigResource second = new ConfigResource(ConfigResource.Type.BROKER, "2");
        return admin.describeConfigs(List.of(all, second)).all().get(20, TimeUnit.SECONDS).values().stream()
                .flatMap(config -> config.entries().stream())
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_BROKER_CONFIG
                        || entry.source() == ConfigEntry.ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG)
                .map(ConfigEntry::name)
                .sorted()
                .toList();
    }
}

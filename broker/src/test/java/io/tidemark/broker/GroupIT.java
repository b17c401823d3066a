package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.GroupSubscribedToTopicException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups as Kafka's own consumers and admin client see them. */
@Timeout(60)
class GroupIT {
    private static final String GROUP = "readers";
    private static final int PARTITIONS = 6;

    private final List<KafkaConsumer<String, String>> consumers = new ArrayList<>();

    @TempDir
    Path folder;

    private LocalCluster cluster;
    private Admin admin;

    @BeforeEach
    void startCluster() throws Exception {
        cluster = QuickCluster.start(
                folder, Map.of("group.initial.rebalance.delay.ms", "0", "group.min.session.timeout.ms", "1000"));
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        admin.createTopics(List.of(new NewTopic("orders", PARTITIONS, (short) 3)))
                .all()
                .get(20, SECONDS);
    }

    @AfterEach
    void stopCluster() throws Exception {
        consumers.forEach(consumer -> consumer.close(Duration.ZERO));
        admin.close(Duration.ZERO);
        cluster.close();
    }

    @Test
    void membersShareThePartitionsAsTheyComeAndGo() {
        KafkaConsumer<String, String> first = consumer(Map.of());
        awaitAssignments(first);
        KafkaConsumer<String, String> second = consumer(Map.of());
        awaitAssignments(first, second);
        KafkaConsumer<String, String> third = consumer(Map.of());
        awaitAssignments(first, second, third);

        second.close();

        awaitAssignments(first, third);
    }

    @Test
    void cooperativeMembersShareThePartitionsAsTheyComeAndGo() {
        Map<String, Object> cooperative =
                Map.of("partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
        KafkaConsumer<String, String> first = consumer(cooperative);
        awaitAssignments(first);
        KafkaConsumer<String, String> second = consumer(cooperative);
        awaitAssignments(first, second);

        first.close();

        awaitAssignments(second);
    }

    @Test
    void memberThatIsNotHeardOfLosesItsPartitions() {
        KafkaConsumer<String, String> first =
                consumer(Map.of("session.timeout.ms", "6000", "max.poll.interval.ms", "6000"));
        KafkaConsumer<String, String> silent =
                consumer(Map.of("session.timeout.ms", "6000", "max.poll.interval.ms", "1000"));
        awaitAssignments(first, silent);

        awaitAssignments(first);
    }

    @Test
    void groupGoesOnAfterItsCoordinatorIsKilled() throws Exception {
        KafkaConsumer<String, String> first = consumer(Map.of());
        KafkaConsumer<String, String> second = consumer(Map.of());
        awaitAssignments(first, second);
        produce(0, 60);
        Set<String> read = new HashSet<>();
        awaitRecords(read, 60, first, second);
        first.commitSync();
        second.commitSync();
        int coordinator = describe().coordinator().id();

        broker(coordinator).kill();
        produce(60, 60);
        awaitRecords(read, 120, first, second);
        first.commitSync();
        second.commitSync();

        assertThat(describe().coordinator().id()).isNotEqualTo(coordinator);
        assertThat(committed().values().stream()
                        .mapToLong(OffsetAndMetadata::offset)
                        .sum())
                .isEqualTo(120);
    }

    @Test
    void staticMemberThatReturnsMovesNothing() {
        KafkaConsumer<String, String> first = consumer(Map.of("group.instance.id", "one"));
        KafkaConsumer<String, String> second = consumer(Map.of("group.instance.id", "two"));
        awaitAssignments(first, second);
        int generation = first.groupMetadata().generationId();
        Set<TopicPartition> owned = second.assignment();
        second.close();

        KafkaConsumer<String, String> again = consumer(Map.of("group.instance.id", "two"));
        awaitAssignments(first, again);

        assertThat(again.assignment()).isEqualTo(owned);
        assertThat(again.groupMetadata().generationId()).isEqualTo(generation);
        assertThat(first.groupMetadata().generationId()).isEqualTo(generation);
    }

    @Test
    void adminSeesAndChangesGroups() throws Exception {
        TopicPartition partition = new TopicPartition("orders", 0);
        KafkaConsumer<String, String> member = consumer(Map.of());
        awaitAssignments(member);
        member.commitSync(Map.of(partition, new OffsetAndMetadata(5, "note")));

        ConsumerGroupDescription description = describe();
        assertThat(description.groupState()).isEqualTo(GroupState.STABLE);
        assertThat(description.members()).hasSize(1);
        assertThat(description.members().iterator().next().assignment().topicPartitions())
                .hasSize(PARTITIONS);
        assertThat(admin.listGroups().all().get(10, SECONDS))
                .extracting(listing -> listing.groupId())
                .containsExactly(GROUP);
        assertThat(committed().get(partition)).isEqualTo(new OffsetAndMetadata(5, "note"));
        assertThatThrownBy(
                        () -> admin.deleteConsumerGroups(List.of(GROUP)).all().get(10, SECONDS))
                .hasCauseInstanceOf(GroupNotEmptyException.class);
        assertThatThrownBy(() -> admin.deleteConsumerGroupOffsets(GROUP, Set.of(partition))
                        .all()
                        .get(10, SECONDS))
                .hasCauseInstanceOf(GroupSubscribedToTopicException.class);

        member.close();
        admin.alterConsumerGroupOffsets(GROUP, Map.of(partition, new OffsetAndMetadata(3)))
                .all()
                .get(10, SECONDS);
        assertThat(committed().get(partition).offset()).isEqualTo(3);
        admin.deleteConsumerGroupOffsets(GROUP, Set.of(partition)).all().get(10, SECONDS);
        assertThat(committed()).isEmpty();
        admin.deleteConsumerGroups(List.of(GROUP)).all().get(10, SECONDS);
        assertThatThrownBy(this::describe).hasCauseInstanceOf(GroupIdNotFoundException.class);
    }

    @Test
    void adminSendsMembersOff() throws Exception {
        KafkaConsumer<String, String> first = consumer(Map.of("group.instance.id", "one"));
        KafkaConsumer<String, String> second = consumer(Map.of("group.instance.id", "two"));
        awaitAssignments(first, second);

        admin.removeMembersFromConsumerGroup(
                        GROUP, new RemoveMembersFromConsumerGroupOptions(Set.of(new MemberToRemove("two"))))
                .all()
                .get(10, SECONDS);

        awaitAssignments(first);
    }

    @Test
    void offsetsGoWithTheirTopic() throws Exception {
        KafkaConsumer<String, String> member = consumer(Map.of());
        awaitAssignments(member);
        member.commitSync(Map.of(new TopicPartition("orders", 0), new OffsetAndMetadata(5)));
        member.close();

        admin.deleteTopics(List.of("orders")).all().get(10, SECONDS);

        await("offsets to go").atMost(Duration.ofSeconds(10)).until(() -> committed()
                .isEmpty());
    }

    // ---- words

    private KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(Map.of(
                "bootstrap.servers", cluster.bootstrapServers(),
                "group.id", GROUP,
                "heartbeat.interval.ms", "200",
                "session.timeout.ms", "10000",
                "metadata.max.age.ms", "1000",
                "partition.assignment.strategy", RangeAssignor.class.getName(),
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "false"));
        config.putAll(more);
        KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        consumers.add(consumer);
        consumer.subscribe(List.of("orders"));
        return consumer;
    }

    private Producer<String, String> producer(Map<String, Object> more) {
        Map<String, Object> config =
                new HashMap<>(Map.of("bootstrap.servers", cluster.bootstrapServers(), "acks", "all"));
        config.putAll(more);
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private void produce(int first, int count) throws Exception {
        try (Producer<String, String> producer = producer(Map.of())) {
            for (int i = first; i < first + count; i++) {
                producer.send(new ProducerRecord<>("orders", i % PARTITIONS, null, "order-" + i));
            }
            producer.flush();
        }
    }

    /** Until each has partitions, every partition has one owner, and nobody outside the list has any in the group. */
    @SafeVarargs
    private void awaitAssignments(KafkaConsumer<String, String>... members) {
        await("a share for each")
                .atMost(Duration.ofSeconds(30))
                .pollInSameThread()
                .untilAsserted(() -> {
                    List<TopicPartition> owned = new ArrayList<>();
                    for (KafkaConsumer<String, String> member : members) {
                        member.poll(Duration.ofMillis(50));
                    }
                    for (KafkaConsumer<String, String> member : members) {
                        assertThat(member.assignment()).isNotEmpty();
                        owned.addAll(member.assignment());
                    }
                    assertThat(owned).hasSize(PARTITIONS).doesNotHaveDuplicates();
                });
    }

    @SafeVarargs
    private void awaitRecords(Set<String> read, int count, KafkaConsumer<String, String>... members) {
        await(count + " records")
                .atMost(Duration.ofSeconds(30))
                .pollInSameThread()
                .until(() -> {
                    for (KafkaConsumer<String, String> member : members) {
                        member.poll(Duration.ofMillis(50)).forEach(record -> read.add(record.value()));
                    }
                    return read.size() >= count;
                });
    }

    private ConsumerGroupDescription describe() throws Exception {
        return admin.describeConsumerGroups(List.of(GROUP))
                .all()
                .get(20, SECONDS)
                .get(GROUP);
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() throws InterruptedException, ExecutionException {
        return admin.listConsumerGroupOffsets(Map.of(GROUP, new ListConsumerGroupOffsetsSpec()))
                .partitionsToOffsetAndMetadata(GROUP)
                .get();
    }

    private Broker broker(int id) {
        return cluster.nodes().stream()
                .filter(node -> node.nodeId() == id)
                .findFirst()
                .orElseThrow();
    }
}

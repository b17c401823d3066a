package io.tidemark.assertions;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.Cluster;
import io.tidemark.ClusterException;
import io.tidemark.GroupHandle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Groups, topics and replicas as assertions and waits see them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupAndTopicAssertIT {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(20);

    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder().brokers(2).start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void aGroupIsSeenFromItsFirstMemberToItsLastRecord() throws Exception {
        String topic = cluster.createTopic(settings -> settings.partitions(2));
        send(topic, 0, "a", "1");
        send(topic, 0, "a", "2");
        send(topic, 1, "b", "3");
        GroupHandle group = cluster.group("billing");
        assertThat(group.snapshotIfPresent()).isEmpty();
        assertThat(group).doesNotExist();
        assertThatIllegalArgumentException()
                .isThrownBy(group::snapshot)
                .withMessageStartingWith("No running broker knows of the group [billing]");
        Consumer<String, String> consumer = cluster.clients()
                .consumer(
                        String.class,
                        String.class,
                        Map.of("group.id", "billing", "enable.auto.commit", "false", "client.id", "biller"));
        consumer.subscribe(List.of(topic));
        poll(consumer, 3);

        group.awaitStable(1, LONG);
        assertThat(group)
                .hasState("Stable")
                .hasMembers(1)
                .hasAssignor("range")
                .hasAssigned(topic + "-0", topic + "-1")
                .hasAssignedTo("biller", topic + "-0", topic + "-1")
                .hasAssignedTo("shipper")
                .hasNotCommitted(topic, 0);
        assertThat(group).eventually().hasGeneration(1);
        consumer.commitSync(
                Map.of(
                        new TopicPartition(topic, 0), new OffsetAndMetadata(1),
                        new TopicPartition(topic, 1), new OffsetAndMetadata(1)),
                LONG);
        group.awaitCommitted(topic, 0, 1, LONG);
        assertThat(group)
                .hasCommitted(topic, 0, 1)
                .hasLag(1)
                .hasLag(topic, 0, 1)
                .hasLag(topic, 1, 0);
        assertFails(() -> assertThat(group).hasLag(topic, 7, 0), "unknown, as it has committed nothing there");
        assertFails(() -> assertThat(group).doesNotExist(), "there");
        assertFails(
                () -> assertThat(group).eventually(LONG).hasGeneration(0),
                "and it never will be: a generation never goes back");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertThat(group).eventually(LONG).hasState("Stabel"))
                .withMessageStartingWith("There is no state of a group [Stabel]; Kafka has [Empty, ");
        consumer.commitSync(Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(2)), LONG);
        assertThat(group).eventually().hasNoLag();

        int coordinator = group.snapshot().coordinator();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(group).eventually(SHORT).hasMembers(2))
                .withMessage("""

                        Expecting members of group billing eventually to be:
                          2
                        but it was:
                          1
                        after 50 ms.

                        group billing: Stable on broker %d, assignor range, members 1, committed {%s-0=2, %s-1=1}
                          biller has [%s-0, %s-1]
                        """.formatted(coordinator, topic, topic, topic, topic));
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> group.awaitCommitted(topic, 0, 3, SHORT))
                .withMessageContaining("has not committed 3 of " + topic + "-0 after 50 ms");
        consumer.close();
        assertThat(group).eventually().hasState("Empty").hasMembers(0).hasAssigned();
    }

    @Test
    void recordsAreSeenByValueAndByKey() throws Exception {
        String topic = cluster.createTopic(settings -> settings.partitions(2));
        send(topic, 0, "order-3", "placed");
        send(topic, 1, "order-4", "placed");
        send(topic, 0, "order-3", "paid");

        assertThat(cluster.topic(topic))
                .eventually()
                .hasRecords(3)
                .hasValues("paid", "placed", "placed")
                .hasValuesOfKey("order-3", "placed", "paid");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(cluster.topic(topic)).hasValuesOfKey("order-3", "paid", "placed"))
                .withMessage("""

                        Expecting values of key order-3 of topic %s to be:
                          [paid, placed]
                        but it was:
                          [placed, paid]

                        topic %s in read_uncommitted: 3 records
                          %s-0, high watermark 2, last stable offset 2
                            0 (epoch 0) order-3=placed
                            1 (epoch 0) order-3=paid
                          %s-1, high watermark 1, last stable offset 1
                            0 (epoch 0) order-4=placed
                        """.formatted(topic, topic, topic, topic));
        assertThat(cluster.topic(topic))
                .exists()
                .hasPartitions(2)
                .hasValuesByKey(Map.of("order-3", List.of("placed", "paid"), "order-4", List.of("placed")))
                .containsValues("paid")
                .doesNotContainValues("shipped")
                .hasEachKeyInOnePartition();
        assertFails(() -> assertThat(cluster.topic(topic)).hasNoDuplicateValues(), "more than once: [placed]");
        assertFails(() -> assertThat(cluster.topic(topic)).containsValues("paid", "shipped"), "without [shipped]");
        assertFails(() -> assertThat(cluster.topic(topic)).doesNotContainValues("paid", "shipped"), "with [paid]");
        assertFails(
                () -> assertThat(cluster.topic(topic)).hasValuesByKey(Map.of("order-3", List.of("placed"))),
                "{order-3=[placed, paid], order-4=[placed]}");
        assertFails(() -> assertThat(cluster.topic(topic)).doesNotExist(), "there");
        send(topic, 1, "order-3", "lost its way");
        assertFails(
                () -> assertThat(cluster.topic(topic)).eventually(SHORT).hasEachKeyInOnePartition(),
                "order-3 in [0, 1]");
        // Partitions only become more, so this one ends early.
        assertFails(
                () -> assertThat(cluster.topic(topic)).eventually(LONG).hasPartitions(1),
                "and it never will be: a topic never loses a partition.");
        assertThat(cluster.topic("nothing")).doesNotExist();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(cluster.topic("nothing")).hasRecords(0))
                .withMessageContaining("unknown, as there is no such topic");
    }

    @Test
    void replicasAreCompared() throws Exception {
        try (Cluster hurt = Cluster.builder().brokers(2).topic("orders").start()) {
            hurt.topic("orders").awaitSettled(LONG);
            Producer<String, String> producer = hurt.clients().producer(String.class, String.class);
            producer.send(new ProducerRecord<>("orders", "key", "both")).get(20, TimeUnit.SECONDS);
            assertThat(hurt.partition("orders", 0))
                    .eventually()
                    .hasLastStableOffset(1)
                    .hasIdenticalReplicas();
            hurt.broker(2).kill();
            producer.send(new ProducerRecord<>("orders", "key", "one alone")).get(20, TimeUnit.SECONDS);

            hurt.partition("orders", 0).awaitIsr(LONG, 1);
            assertThat(hurt.awaitMetadata(LONG)).isPositive();
            assertThat(hurt.partition("orders", 0)).isUnderReplicated();
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> assertThat(hurt.partition("orders", 0)).hasIdenticalReplicas())
                    .withMessageContaining("different after 1 records: leader 1 goes on with"
                            + " [1 (epoch 0) key=one alone] of 2, broker 2 with [] of 1");
            hurt.broker(1).kill();
            assertThat(hurt.partition("orders", 0)).eventually().hasNoLeader();
        }
    }

    private void send(String topic, int partition, String key, String value) throws Exception {
        cluster.clients()
                .producer(String.class, String.class)
                .send(new ProducerRecord<>(topic, partition, key, value))
                .get(20, TimeUnit.SECONDS);
    }

    private static void assertFails(ThrowableAssert.ThrowingCallable assertion, String says) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(says);
    }

    private static void poll(Consumer<String, String> consumer, int count) {
        int seen = 0;
        long deadline = System.nanoTime() + LONG.toNanos();
        while (seen < count && System.nanoTime() < deadline) {
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(50));
            seen += records.count();
        }
        assertThat(seen).isEqualTo(count);
    }
}

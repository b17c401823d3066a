package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import io.tidemark.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an unmodified application sees of disks that fail. */
@Timeout(120)
class DiskFaultIT {
    private Cluster cluster;
    private Producer<String, String> producer;

    @BeforeEach
    void start() {
        cluster = Cluster.builder()
                .brokers(3)
                .config("replica.lag.time.max.ms", "1000")
                .topic("orders", topic -> topic.partitions(1).config("min.insync.replicas", "2"))
                .start();
        producer = cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private int leader() {
        return cluster.partition("orders", 0).leader();
    }

    private void nothingAcknowledgedIsLostWhen(Consumer<ChaosDisk> theDiskOfTheLeader) throws Exception {
        Story.produce(producer, 0, 100);
        int leader = leader();
        try (Chaos chaos = Chaos.on(cluster)) {
            theDiskOfTheLeader.accept(chaos.disk(leader));

            Story.produce(producer, 100, 100);

            assertThat(leader()).isNotEqualTo(leader);
            assertThat(cluster.broker(leader).state()).isEqualTo(NodeState.FAILED);
            assertThat(Story.consumeFrom(cluster, 0)).isEqualTo(Story.values(0, 200));
        }
        assertThat(cluster.broker(leader).state()).isEqualTo(NodeState.RUNNING);
        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
        assertThat(cluster.partition("orders", 0).logEndOffset(leader)).isEqualTo(200);
    }

    @Test
    void aLeaderThatCannotWriteStopsAndAnotherGoesOn() throws Exception {
        nothingAcknowledgedIsLostWhen(disk -> disk.failWrites("orders", 0));
    }

    @Test
    void aLeaderWhoseDiskIsFullStopsAndAnotherGoesOn() throws Exception {
        nothingAcknowledgedIsLostWhen(disk -> disk.fullAfter(100));
    }

    /** As in Kafka, which takes a directory offline for writes alone; after a restart it has to look where a record is. */
    @Test
    void aLeaderThatCannotReadLeadsOnAndIsNotRead() throws Exception {
        Story.produce(producer, 0, 100);
        int leader = leader();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.stop(leader).restart(leader).heal();
            chaos.leadership().elect("orders", 0, leader);
            chaos.disk(leader).failReads("orders", 0);
            org.apache.kafka.clients.consumer.Consumer<String, String> consumer =
                    cluster.clients().consumer(String.class, String.class);
            consumer.subscribe(List.of("orders"));

            await("a read fails").atMost(Duration.ofSeconds(30)).until(() -> {
                assertThat(consumer.poll(Duration.ofMillis(50))).isEmpty();
                return cluster.broker(leader).disk().strikes() > 1;
            });

            assertThat(cluster.broker(leader).state()).isEqualTo(NodeState.RUNNING);
            assertThat(leader()).isEqualTo(leader);
        }
        assertThat(Story.consumeFrom(cluster, 0)).isEqualTo(Story.values(0, 100));
        Story.produce(producer, 100, 10);
        assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3);
    }

    @Test
    void aFollowerThatCannotWriteLeavesTheIsr() throws Exception {
        int follower = leader() % 3 + 1;
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.disk(follower).failWrites();

            Story.produce(producer, 0, 10);

            assertThat(cluster.partition("orders", 0).isr()).doesNotContain(follower);
            assertThat(cluster.broker(follower).state()).isEqualTo(NodeState.FAILED);
        }
        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
    }

    @Test
    void aSlowDiskDelaysAndBreaksNothing() throws Exception {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.disk(1001).slow(Duration.ofMillis(200));
            chaos.disk(leader()).slow(Duration.ofMillis(30));

            for (int i = 0; i < 5; i++) {
                Story.produce(producer, i, 1);
            }
            cluster.createTopic("payments", topic -> topic.partitions(1));

            assertThat(cluster.partition("orders", 0)).hasLeaderEpoch(0).hasIsr(1, 2, 3);
            assertThat(Story.consumeFrom(cluster, 0)).isEqualTo(Story.values(0, 5));
        }
        long strikes = cluster.broker(leader()).disk().strikes();
        assertThat(strikes).isPositive();
        Story.produce(producer, 5, 5);
        assertThat(cluster.broker(leader()).disk().strikes()).as("it is healed").isEqualTo(strikes);
    }

    /** Kafka's brokers are heard of on a thread of its own, which does not wait for a disk. */
    @Test
    void aBrokerThatWaitsForItsDiskLongerThanASessionStaysInIt() throws Exception {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.disk(leader()).slow(Duration.ofMillis(700));

            Story.produce(producer, 0, 1);

            assertThat(cluster.partition("orders", 0)).hasLeaderEpoch(0);
            assertThat(cluster.timeline())
                    .noneSatisfy(event -> assertThat(event.text()).contains(": fenced"));
        }
    }

    @Test
    void aConsumerFindsWhatRottedByItsChecksumAndReadsOnBehindIt() throws Exception {
        for (int i = 0; i < 3; i++) {
            Story.produce(producer, i, 1);
        }
        Chaos.on(cluster).disk(leader()).flipBit("orders", 0, 1);

        assertThatThrownBy(() -> Story.consumeFrom(cluster, 1))
                .isInstanceOf(KafkaException.class)
                .hasStackTraceContaining("orders-0")
                .hasStackTraceContaining("corrupt");
        assertThat(Story.consumeFrom(cluster, 2)).isEqualTo(List.of("2"));
        assertThat(cluster.broker(leader()).state()).isEqualTo(NodeState.RUNNING);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Chaos.on(cluster).disk(leader()).flipBit("orders", 0, 3))
                .withMessageContaining("[3]");
    }

    @Test
    void aFollowerDoesNotTakeWhatRottedAndTheIsrGoesOnWithoutIt() throws Exception {
        int leader = leader();
        int follower = leader % 3 + 1;
        Chaos chaos = Chaos.on(cluster).kill(follower);
        Story.produce(producer, 0, 1);
        chaos.disk(leader).flipBit("orders", 0, 0);

        chaos.restart(follower);
        Story.produce(producer, 1, 20);

        assertThat(cluster.partition("orders", 0).isr())
                .doesNotContain(follower)
                .hasSize(2);
        assertThat(cluster.partition("orders", 0).logEndOffset(follower)).isZero();
        assertThat(cluster.broker(follower).state()).isEqualTo(NodeState.RUNNING);

        chaos.heal();

        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
        assertThat(Story.consumeFrom(cluster, 0)).isEqualTo(Story.values(0, 21));
    }

    @Test
    void whatRottedIsWellAgainWhenChaosHealsAndOnlyThat() throws Exception {
        for (int i = 0; i < 3; i++) {
            Story.produce(producer, i, 1);
        }
        Chaos chaos = Chaos.on(cluster);
        chaos.disk(leader()).flipBit("orders", 0, 1).flipBit("orders", 0, 2);

        // Turned back by hand: it must not be turned over again.
        chaos.disk(leader()).flipBit("orders", 0, 2);
        chaos.heal();

        assertThat(Story.consumeFrom(cluster, 0)).isEqualTo(Story.values(0, 3));
    }
}

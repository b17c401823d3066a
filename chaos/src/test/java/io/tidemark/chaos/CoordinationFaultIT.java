package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Cluster;
import io.tidemark.GroupState;
import io.tidemark.NodeState;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.requests.RequestFault;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;

/** Leaders, coordinators, members and clocks that change under clients which do nothing wrong. */
class CoordinationFaultIT extends ThreeBrokers {
    @Override
    Cluster.Builder configured(Cluster.Builder builder) {
        return builder.config("broker.session.timeout.ms", "2000").config("broker.heartbeat.interval.ms", "200");
    }

    private Producer<String, String> producer(Map<String, String> settings) {
        return cluster.clients().producer(String.class, String.class, settings);
    }

    private Consumer<String, String> member(String groupId, String clientId) {
        Map<String, String> settings = new HashMap<>();
        settings.put("group.id", groupId);
        settings.put("client.id", clientId);
        settings.put("heartbeat.interval.ms", "100");
        return cluster.clients().consumer(String.class, String.class, settings);
    }

    /** Polls each until the group is as wanted. */
    @SafeVarargs
    private void pollUntil(
            String what, java.util.function.BooleanSupplier wanted, Consumer<String, String>... members) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!wanted.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not " + what + " within " + SOON + "\n" + cluster.describe());
            }
            Arrays.stream(members).forEach(member -> member.poll(Duration.ofMillis(50)));
        }
    }

    private boolean isStable(String groupId, int members) {
        return cluster.group(groupId)
                .snapshotIfPresent()
                .filter(group -> group.state().equals(GroupState.STABLE)
                        && group.members().size() == members)
                .isPresent();
    }

    @Test
    void aLeaderIsElectedFlapsAndIsGivenBack() throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer(Map.of());
        done(send(producer, topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.leadership().elect(topic, 0, 3);
            assertThat(cluster.partition(topic, 0)).hasLeader(3).hasLeaderEpoch(1);
            assertThat(done(send(producer, topic)).offset()).isEqualTo(1);

            chaos.leadership().flap(topic, 0, 4);
            assertThat(cluster.partition(topic, 0)).hasLeader(1).hasLeaderEpoch(5);
            assertThat(done(send(producer, topic)).offset()).isEqualTo(2);

            chaos.leadership().shuffle();
            assertThat(cluster.partition(topic, 0).leader()).isNotEqualTo(1);
            assertThat(done(send(producer, topic)).offset()).isEqualTo(3);
            assertThat(chaos.timeline()).extracting(Fault::kind).containsExactly("elect", "flap", "shuffleLeaders");
        }
        assertThat(cluster.partition(topic, 0)).hasLeader(1).hasIsr(1, 2, 3).hasHighWatermark(4);
    }

    @Test
    void onlyOneInSyncIsElected() {
        String topic = cluster.createTopic(settings -> settings.replicas(0, 1, 2));

        assertThatThrownBy(() -> Chaos.on(cluster).leadership().elect(topic, 0, 3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Broker [3] cannot be elected")
                .hasMessageContaining("not in the ISR [1, 2]");
    }

    @Test
    void anUncleanElectionLosesWhatTheNewLeaderLacks() throws Exception {
        String topic =
                cluster.createTopic(settings -> settings.replicas(0, 1, 2).config("min.insync.replicas", "1"));
        Producer<String, String> producer = producer(Map.of("acks", "1", "enable.idempotence", "false"));
        done(send(producer, topic));
        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(1);
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.kill(2);
            assertThat(cluster.partition(topic, 0)).eventually().hasIsr(1);
            done(send(producer, topic));
            chaos.kill(1).restart(2);
            assertThat(cluster.partition(topic, 0)).eventually().hasNoLeader();

            chaos.leadership().electUnclean(topic, 0);

            assertThat(cluster.partition(topic, 0)).hasLeader(2).hasHighWatermark(1);
        }
        assertThat(cluster.partition(topic, 0)).hasIsr(1, 2).hasLogEndOffset(1, 1);
    }

    @Test
    void aMemberIsExpiredAndJoinsAgain() {
        String topic = topic();
        Consumer<String, String> stays = member("expiring", "stays");
        Consumer<String, String> goes = member("expiring", "goes");
        stays.subscribe(List.of(topic));
        goes.subscribe(List.of(topic));
        pollUntil("two members", () -> isStable("expiring", 2), stays, goes);
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.group("expiring").expireMember("goes");

            pollUntil("one member", () -> isStable("expiring", 1), stays);
            TopicPartition all = new TopicPartition(topic, 0);
            pollUntil("all of it assigned", () -> stays.assignment().contains(all), stays);
            assertThat(cluster.group("expiring").snapshot().members())
                    .extracting(GroupState.Member::clientId)
                    .containsExactly("stays");
        }
        pollUntil("two members again", () -> isStable("expiring", 2), stays, goes);
        stays.close();
        goes.close();
    }

    @Test
    void aGroupRebalancesAndJoinsLate() {
        String topic = topic();
        Consumer<String, String> only = member("rebalancing", "only");
        only.subscribe(List.of(topic));
        pollUntil("an assignment", () -> !only.assignment().isEmpty(), only);
        int generation = only.groupMetadata().generationId();
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault late = chaos.group("rebalancing").delayJoin(Duration.ofMillis(300));
            RequestFault told = chaos.group("rebalancing").rebalance();
            long before = System.nanoTime();

            pollUntil("a new generation", () -> only.groupMetadata().generationId() > generation, only);

            assertThat(told.struck()).isEqualTo(1);
            assertThat(late.struck()).isPositive();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(290));
            pollUntil("stable", () -> isStable("rebalancing", 1), only);
            late.heal();
            long delayed = late.struck();
            int next = only.groupMetadata().generationId();
            chaos.group("rebalancing").rebalance();
            pollUntil("another generation", () -> only.groupMetadata().generationId() > next, only);
            assertThat(late.struck()).as("nobody is late any more").isEqualTo(delayed);
        }
        pollUntil("stable", () -> isStable("rebalancing", 1), only);
        only.close();
    }

    @Test
    void theCoordinatorOfAGroupMovesAndDies() throws Exception {
        String topic = topic();
        Consumer<String, String> only = member("moving", "mover");
        only.subscribe(List.of(topic));
        pollUntil("one member", () -> isStable("moving", 1), only);
        int first = cluster.group("moving").snapshot().coordinator();
        done(send(producer(Map.of()), topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.group("moving").moveCoordinator();
            int second = cluster.groups().coordinatorPartition("moving").leader();
            assertThat(second).isNotEqualTo(first);
            TopicPartition partition = new TopicPartition(topic, 0);
            pollUntil("a record", () -> only.assignment().contains(partition) && only.position(partition) == 1, only);
            only.commitSync(SOON);
            assertThat(cluster.group("moving").snapshot().coordinator()).isEqualTo(second);

            chaos.group("moving").killCoordinator();
            assertThat(cluster.broker(second).state()).isEqualTo(NodeState.KILLED);
            only.commitSync(SOON);
        }
        assertThat(cluster.group("moving").snapshot().committed()).containsEntry(topic + "-0", 1L);
        only.close();
    }

    @Test
    void aCoordinatorThatWasMovedAnswersAtOnce() throws Exception {
        String topic = topic();
        Consumer<String, String> only = member("asked", "asker");
        only.subscribe(List.of(topic));
        pollUntil("one member", () -> isStable("asked", 1), only);
        Producer<String, String> producer = producer(Map.of("transactional.id", "asked"));
        producer.initTransactions();
        try (Chaos chaos = Chaos.on(cluster)) {
            for (int moves = 0; moves < 10; moves++) {
                chaos.group("asked").moveCoordinator();
                assertThat(cluster.group("asked").snapshotIfPresent()).isPresent();
                chaos.transaction("asked").moveCoordinator();
                assertThat(cluster.transaction("asked").snapshotIfPresent()).isPresent();
            }
        }
        only.close();
    }

    /** Broker 1, which would be asked first, goes on as the coordinator that it was. */
    @Test
    void whoHasNotHeardThatItWasReplacedIsNotTakenForTheCoordinator() throws Exception {
        String topic = topic();
        Consumer<String, String> only = member("unheard", "hearer");
        only.subscribe(List.of(topic));
        pollUntil("one member", () -> isStable("unheard", 1), only);
        Producer<String, String> producer = producer(Map.of("transactional.id", "unheard"));
        producer.initTransactions();
        try (Chaos chaos = Chaos.on(cluster)) {
            while (cluster.group("unheard").snapshot().coordinator() != 1) {
                chaos.group("unheard").moveCoordinator();
            }
            while (cluster.transaction("unheard").coordinator() != 1) {
                chaos.transaction("unheard").moveCoordinator();
            }
            chaos.isolateFromControllers(1);

            chaos.group("unheard").moveCoordinator().expireMember("hearer");
            chaos.transaction("unheard").moveCoordinator().fence();

            assertThat(cluster.group("unheard").snapshot().coordinator()).isNotEqualTo(1);
            assertThat(cluster.group("unheard").snapshot().members()).isEmpty();
            assertThat(cluster.transaction("unheard").snapshotIfPresent())
                    .hasValueSatisfying(state -> assertThat(state.coordinator()).isNotEqualTo(1));
        }
        only.close();
    }

    /** As a client does: the leader has the transaction verified, and cannot append before. */
    @Test
    void anOpenedTransactionIsSentAgainWhileItsCoordinatorIsOnItsWay() {
        String topic = topic();
        try (Chaos chaos = Chaos.on(cluster)) {
            while (cluster.transaction("late").coordinator() == 1) {
                chaos.transaction("late").moveCoordinator();
            }
            RequestFault loading = chaos.requests()
                    .on("ADD_PARTITIONS_TO_TXN")
                    .fromNodes(1)
                    .once()
                    .answer(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);

            assertThat(chaos.openTransaction("late", cluster.partition(topic, 0), "value")
                            .firstOffset())
                    .isZero();

            assertThat(loading.struck()).isEqualTo(1);
        }
    }

    @Test
    void aProducerIsFencedAndItsTransactionAborted() throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer(Map.of("transactional.id", "fenced"));
        producer.initTransactions();
        producer.beginTransaction();
        done(send(producer, topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.transaction("fenced").moveCoordinator();
            chaos.transaction("fenced").fence();

            assertThat(cluster.transaction("fenced").snapshot().state()).doesNotContain("Commit");
            assertThatThrownBy(producer::commitTransaction)
                    .isInstanceOfAny(ProducerFencedException.class, InvalidProducerEpochException.class);
        }
        assertThat(cluster.partition(topic, 0)).eventually().hasLastStableOffset(2);
        Producer<String, String> next = producer(Map.of("transactional.id", "fenced"));
        next.initTransactions();
        next.beginTransaction();
        done(send(next, topic));
        next.commitTransaction();
        assertThat(cluster.partition(topic, 0)).eventually().hasLastStableOffset(4);
    }

    @Test
    void theCoordinatorOfATransactionalIdDiesAndAnotherEndsTheTransaction() throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer(Map.of("transactional.id", "widowed"));
        producer.initTransactions();
        producer.beginTransaction();
        done(send(producer, topic));
        int first = cluster.transaction("widowed").coordinator();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.transaction("widowed").killCoordinator();
            assertThat(cluster.broker(first).state()).isEqualTo(NodeState.KILLED);
            assertThat(cluster.transaction("widowed").snapshot().coordinator()).isNotEqualTo(first);

            producer.commitTransaction();

            assertThat(cluster.transaction("widowed").coordinator()).isNotEqualTo(first);
            assertThat(cluster.transaction("widowed")).eventually().hasState("CompleteCommit");
            assertThat(cluster.partition(topic, 0)).eventually().hasLastStableOffset(2);
        }
        assertThat(cluster.broker(first).state()).isEqualTo(NodeState.RUNNING);
        producer.beginTransaction();
        done(send(producer, topic));
        producer.commitTransaction();
        assertThat(cluster.partition(topic, 0)).hasIsr(1, 2, 3).eventually().hasLastStableOffset(4);
    }

    @Test
    void aTransactionExpires() throws Exception {
        String topic = topic();
        Producer<String, String> producer =
                producer(Map.of("transactional.id", "expired", "transaction.timeout.ms", "5000"));
        producer.initTransactions();
        producer.beginTransaction();
        done(send(producer, topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.transaction("expired").expire();

            assertThat(cluster.partition(topic, 0)).eventually().hasLastStableOffset(2);
            assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
            assertThatThrownBy(() -> chaos.transaction("expired").expire())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has no open transaction");
        }
        Producer<String, String> next = producer(Map.of("transactional.id", "expired"));
        next.initTransactions();
        next.beginTransaction();
        done(send(next, topic));
        next.commitTransaction();
        assertThat(cluster.partition(topic, 0)).eventually().hasLastStableOffset(4);
    }

    @Test
    void aNodeWhoseClockIsWrong() throws Exception {
        String topic = cluster.createTopic(
                settings -> settings.replicas(0, 2, 1, 3).config("message.timestamp.type", "LogAppendTime"));
        Producer<String, String> producer = producer(Map.of());
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.skew(2, Duration.ofDays(-2));

            assertThat(Instant.ofEpochMilli(done(send(producer, topic)).timestamp()))
                    .isBefore(cluster.clock().now().minus(Duration.ofDays(1)));
            assertThat(cluster.partition(topic, 0)).hasIsr(1, 2, 3);
        }
        assertThat(Instant.ofEpochMilli(done(send(producer, topic)).timestamp()))
                .isAfter(cluster.clock().now().minus(Duration.ofHours(1)));
    }
}

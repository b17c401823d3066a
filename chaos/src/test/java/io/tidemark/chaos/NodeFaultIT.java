package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.ClusterNode;
import io.tidemark.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What befalls brokers and controllers: what clients notice, what the cluster has inside, and how it is when healed. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeFaultIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    private Cluster cluster;
    private Admin admin;
    private Producer<String, String> producer;
    private int created;

    @BeforeAll
    void start() {
        cluster = Cluster.builder().brokers(3).controllers(3).start();
        admin = cluster.clients().admin();
        // A paused broker answers nothing: its clients find that out by their own time.
        producer = cluster.clients()
                .producer(
                        String.class,
                        String.class,
                        Map.of(
                                "reconnect.backoff.max.ms",
                                "100",
                                "request.timeout.ms",
                                "1000",
                                "delivery.timeout.ms",
                                "20000"));
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    private String ledByTwo() {
        return cluster.createTopic(topic -> topic.replicas(0, 2, 3, 1));
    }

    private RecordMetadata send(String topic) throws Exception {
        return producer.send(new ProducerRecord<>(topic, 0, "key", "value")).get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private void createByAClient() throws Exception {
        admin.createTopics(List.of(new NewTopic("by-a-client-" + created++, 1, (short) 3)))
                .all()
                .get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static Stream<Arguments> deaths() {
        return Stream.of(
                Arguments.of("stop", NodeState.STOPPED, (BiConsumer<Chaos, Integer>) Chaos::stop),
                Arguments.of("kill", NodeState.KILLED, (BiConsumer<Chaos, Integer>) Chaos::kill),
                Arguments.of("pause", NodeState.PAUSED, (BiConsumer<Chaos, Integer>) Chaos::pause),
                Arguments.of("power loss", NodeState.KILLED, (BiConsumer<Chaos, Integer>) Chaos::losePower));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deaths")
    void anotherBrokerLeadsAndTheOldOneFollowsWhenHealed(
            String name, NodeState expected, BiConsumer<Chaos, Integer> death) throws Exception {
        String topic = ledByTwo();
        send(topic);
        try (Chaos chaos = Chaos.on(cluster)) {
            death.accept(chaos, 2);

            assertThat(cluster.broker(2).state()).isEqualTo(expected);
            assertThat(send(topic).offset()).as("nothing is lost or doubled").isEqualTo(1);
            assertThat(cluster.partition(topic, 0)).eventually().hasLeader(3).hasIsr(1, 3);
        }
        assertThat(cluster.broker(2).state()).isEqualTo(NodeState.RUNNING);
        assertThat(cluster.partition(topic, 0)).hasIsr(1, 2, 3).eventually().hasLogEndOffset(2, 2);
        assertThat(send(topic).offset()).isEqualTo(2);
    }

    /** The one that is paused goes on where it was, and has to find out that it decides nothing any more. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("deaths")
    void anotherControllerDecidesAndTheOldOneHearsOfItWhenHealed(
            String name, NodeState expected, BiConsumer<Chaos, Integer> death) throws Exception {
        ClusterNode old = cluster.controller();
        int epoch = old.snapshot().controllerEpoch().orElseThrow();
        try (Chaos chaos = Chaos.on(cluster)) {
            death.accept(chaos, old.id());

            assertThat(old.state()).isEqualTo(expected);
            createByAClient();
            assertThat(cluster.controller()).isNotSameAs(old);
            assertThat(cluster.controller().snapshot().controllerEpoch().orElseThrow())
                    .isGreaterThan(epoch);
        }
        cluster.awaitMetadata(SOON);
        assertThat(old.state()).isEqualTo(NodeState.RUNNING);
        assertThat(cluster.controller()).isNotSameAs(old);
        assertThat(old.snapshot().controllerEpoch()).as("it knows").isEmpty();
        createByAClient();
    }

    @Test
    void aSlowControllerAnswersLateUntilItIsHealed() throws Exception {
        createByAClient();
        ClusterNode active = cluster.controller();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.slow(active.id(), Duration.ofMillis(150));
            long before = System.nanoTime();

            createByAClient();

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(145));
            assertThat(cluster.controller()).as("slow is not dead").isSameAs(active);
            chaos.healRequests();
            long struck = chaos.declared().get(0).struck();
            createByAClient();
            assertThat(chaos.declared().get(0).struck()).isEqualTo(struck);
        }
    }

    /** Which any broker would pass on to the active controller, but for this one. */
    @Test
    void aLeaderIsElectedWhileTheFirstBrokerIsCutOff() {
        String topic = ledByTwo();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.isolate(1);

            chaos.leadership().elect(topic, 0, 3);

            assertThat(cluster.partition(topic, 0)).hasLeader(3);
        }
        assertThat(cluster.partition(topic, 0)).hasLeader(2);
    }

    @Test
    void aNodeThatIsRemovedMeanwhileIsLetGo() {
        ClusterNode added = cluster.addBroker();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.kill(added.id()).skew(added.id(), Duration.ofHours(1));
            cluster.removeBroker(added.id());
        }
        assertThat(cluster.brokers()).extracting(ClusterNode::id).containsExactly(1, 2, 3);
    }
}

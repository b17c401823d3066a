package io.tidemark.chaos.schedule;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Cluster;
import io.tidemark.ClusterNode;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schedules that are played on a cluster. */
@Timeout(120)
class ScheduleIT {
    private static final Duration CONVERGENCE = Duration.ofSeconds(30);

    private Cluster cluster;
    private Chaos chaos;

    @BeforeEach
    void startCluster() {
        cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start();
        chaos = Chaos.on(cluster);
    }

    @AfterEach
    void closeCluster() {
        chaos.close();
        cluster.close();
    }

    @Test
    void stepsAreDoneInOrderAndTheClusterIsWholeAtTheEnd() {
        AtomicInteger looks = new AtomicInteger();
        Schedule schedule = Schedule.parse("""
                at 10 ms kill 2
                at 60 ms pause 3
                at 90 ms resume 3
                when looked-twice maybe isolate 1
                """);

        schedule.play(cluster, chaos, Map.of("looked-twice", () -> looks.incrementAndGet() > 1), CONVERGENCE);

        assertThat(chaos.timeline()).extracting(Fault::kind).contains("kill", "pause", "resume", "isolate", "restart");
        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
    }

    @Test
    void randomScheduleIsSurvived() {
        Schedule schedule = Schedule.random(cluster.seed(), 1, 2, 3)
                .with(Deed.KILL, Deed.STOP, Deed.PAUSE, Deed.STALL_REPLICATION)
                .every(Duration.ofMillis(200))
                .lasting(Duration.ofMillis(600))
                .build();

        schedule.play(cluster, chaos, CONVERGENCE);

        assertThat(cluster.partition("orders", 0)).as(schedule.toString()).hasIsr(1, 2, 3);
    }

    @Test
    void whatIsDoneAndStruckIsTold() {
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        int follower = cluster.partition("orders", 0).leader() % 3 + 1;
        Schedule schedule = Schedule.script()
                .at(Duration.ofMillis(1))
                .loseAnswer(ApiKey.PRODUCE, 1)
                .every(Duration.ofMillis(2))
                .until(Duration.ofMillis(4))
                .advanceClock(Duration.ofMillis(10))
                .when("order-is-there")
                .elect("orders", 0, follower)
                .at(Duration.ofMillis(2))
                .maybe()
                .moveTransaction("nobody-has-it")
                .at(Duration.ofMillis(2))
                .maybe()
                .answerError(ApiKey.ALTER_CONFIGS, 1, ErrorCode.NOT_CONTROLLER)
                .build();
        Instant before = cluster.clock().now();

        Played played = schedule.play(
                cluster,
                chaos,
                Map.of("order-is-there", () -> chaos.declared().size() > 1 && isSent(producer)),
                CONVERGENCE);

        assertThat(played.strikes())
                .as(played.toString())
                .isEqualTo(Map.of(Deed.LOSE_ANSWER, 1L, Deed.ADVANCE_CLOCK, 2L, Deed.ELECT, 1L));
        assertThat(played.done()).hasSize(6);
        assertThat(played.toString()).contains("maybe moveTransaction nobody-has-it, impossible: Topic");
        assertThat(cluster.clock().now()).isAfterOrEqualTo(before.plusMillis(20));
        assertThat(cluster.partition("orders", 0))
                .as("the heal gives it back")
                .hasLeader(follower == 1 ? 3 : follower - 1);
    }

    @Test
    void nodesComeAndGoAndWhatIsLimitedStrikesNobodyElse() throws Exception {
        Producer<String, String> limited = producer("limited");
        Producer<String, String> other = producer("other");
        Schedule schedule = Schedule.parse("""
                at 1 ms loseAnswer PRODUCE 1 client=limited topic=orders
                at 2 ms addBroker 4
                at 3 ms addController 1002
                at 4 ms removeController 1001
                at 5 ms removeBroker 3
                when other-sent maybe closeConnection PRODUCE 1 broker=4 transactionalId=nobody
                when limited-sent holdHighWatermark orders 0
                when held split 1/2/4,1002
                when split kill 4
                """);
        List<Future<?>> held = new ArrayList<>();

        Played played = schedule.play(
                cluster,
                chaos,
                Map.of(
                        "other-sent",
                        () -> isRebuilt()
                                && isSent(other)
                                && chaos.declared().get(0).struck() == 0,
                        "limited-sent",
                        () -> chaos.declared().size() == 2 && isSent(limited),
                        "held",
                        () -> {
                            if (chaos.declared().size() < 3) {
                                return false;
                            }
                            held.add(other.send(new ProducerRecord<>("orders", "held")));
                            return chaos.declared().get(2).struck() > 0;
                        },
                        "split",
                        () -> chaos.declared().size() > 3
                                && chaos.declared().get(3).struck() > 0),
                CONVERGENCE);

        assertThat(played.strikes())
                .as(played.toString())
                .containsEntry(Deed.LOSE_ANSWER, 1L)
                .containsKeys(Deed.ADD_BROKER, Deed.REMOVE_BROKER, Deed.ADD_CONTROLLER, Deed.REMOVE_CONTROLLER)
                .containsKeys(Deed.HOLD_HIGH_WATERMARK, Deed.SPLIT)
                .doesNotContainKey(Deed.CLOSE_CONNECTION);
        assertThat(cluster.nodes()).extracting(ClusterNode::id).containsExactly(1, 2, 4, 1_002);
        for (Future<?> record : held) {
            record.get(CONVERGENCE.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 4).hasHighWatermark(2 + held.size());
    }

    private boolean isRebuilt() {
        return cluster.nodes().stream().map(ClusterNode::id).toList().equals(List.of(1, 2, 4, 1_002));
    }

    private Producer<String, String> producer(String clientId) {
        return cluster.clients().producer(String.class, String.class, Map.of("client.id", clientId));
    }

    private static boolean isSent(Producer<String, String> producer) {
        try {
            producer.send(new ProducerRecord<>("orders", "order")).get();
            return true;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void stepThatCannotBeDoneFailsAndSaysWhich() {
        Schedule impossible = Schedule.parse("at 1 ms moveGroup billing");

        assertThatThrownBy(() -> impossible.play(cluster, chaos, CONVERGENCE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Step [at 1 ms moveGroup billing] could not be done");
        Schedule ofNobody = Schedule.parse("at 1 ms kill 1\nat 2 ms maybe kill 9");
        assertThatThrownBy(() -> ofNobody.play(cluster, chaos, CONVERGENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9");
        assertThat(chaos.timeline()).isEmpty();
    }

    @Test
    void conditionThatNeverHoldsFails() {
        Schedule schedule = Schedule.script().when("never").kill(1).build();

        assertThatThrownBy(() -> schedule.play(cluster, chaos, Map.of("never", () -> false), Duration.ofMillis(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("never held: [when never kill 1]");
        assertThatThrownBy(() -> schedule.play(cluster, chaos, CONVERGENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[never]");
        assertThat(chaos.timeline()).isEmpty();
    }
}

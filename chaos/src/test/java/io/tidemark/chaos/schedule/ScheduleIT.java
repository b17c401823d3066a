package io.tidemark.chaos.schedule;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.Fault;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
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

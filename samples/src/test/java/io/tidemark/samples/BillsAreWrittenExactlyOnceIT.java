package io.tidemark.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.exactlyonce.ExactlyOnce;
import io.tidemark.chaos.exactlyonce.ExactlyOnceVerdict;
import io.tidemark.chaos.exactlyonce.Pipeline;
import io.tidemark.chaos.schedule.Deed;
import io.tidemark.chaos.schedule.Played;
import io.tidemark.chaos.schedule.Schedule;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * {@link Billing} promises one bill for each order. Each build holds it to that: brokers die and stop, answers are lost, the
 * group rebalances, leaders change, an instance of the application dies; and each order has its bill once, in the order of
 * its key, and none that was aborted has one. {@code -Dbills.seed=77} draws other orders and other faults.
 */
class BillsAreWrittenExactlyOnceIT {
    private static final long SEED = Long.getLong("bills.seed", 5);
    private static final Duration CONVERGENCE = Duration.ofSeconds(30);

    @Test
    @KafkaCluster(
            brokers = 3,
            topics = {
                @Topic(name = "orders", partitions = 2, config = "min.insync.replicas=2"),
                @Topic(name = "bills", config = "min.insync.replicas=2")
            })
    void whateverHappensMeanwhile(Cluster cluster, Chaos chaos) throws Exception {
        Story story = new Story("Bills are written exactly once, seed " + SEED);
        Schedule schedule = Schedule.random(SEED, 1, 2, 3)
                .topic("orders", 2)
                .groups("billing")
                .with(Deed.KILL, Deed.STOP, Deed.LOSE_ANSWER, Deed.REBALANCE, Deed.ELECT)
                .every(Duration.ofMillis(400))
                .lasting(Duration.ofMillis(1_200))
                .build();

        ExactlyOnceVerdict verdict = ExactlyOnce.on(cluster)
                .seed(SEED)
                .records(100)
                .from("orders")
                .to("bills")
                .group("billing")
                .pipeline(2, instance -> Pipeline.of(() -> new Billing(instance)))
                .during(run -> {
                    run.send(30).awaitOutputs(1);
                    Played played = schedule.play(cluster, chaos, CONVERGENCE);
                    run.kill(0).start(0);
                    story.tell("What happened meanwhile:");
                    played.done().forEach(done -> story.tell("  " + done));
                })
                .verdict();

        story.tell(verdict.toString()).end();
        assertThat(verdict.assertHolds().conclusion()).isEqualTo(Conclusion.HOLDS);
    }
}

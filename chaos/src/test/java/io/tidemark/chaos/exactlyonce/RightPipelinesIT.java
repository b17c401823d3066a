package io.tidemark.chaos.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.LinkFault;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.exactlyonce.Application.Body;
import io.tidemark.chaos.exactlyonce.RightPipelines.Sink;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The tester is tested: these pipelines are right, and are acquitted whatever befalls them. The build tries a seed each,
 * {@code mvn -q -Pverdict} 200 of them, with the pipelines beside each other.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
class RightPipelinesIT {
    private static final int SEEDS = Integer.getInteger("tidemark.right.seeds", 1);
    private static final long FIRST_SEED = Long.getLong("tidemark.right.seed", 1);
    private static final int RECORDS = 90;
    private static final int ROUNDS = 2;
    private static final long LATE_MS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger runs = new AtomicInteger();
    private Cluster cluster;

    @BeforeEach
    void startCluster() {
        cluster = Cluster.builder()
                .brokers(3)
                .config("group.min.session.timeout.ms", "500")
                .config("min.insync.replicas", "2")
                .start();
    }

    @AfterEach
    void closeCluster() {
        cluster.close();
    }

    @Test
    void plainTransactionalLoop() throws Exception {
        acquit(2, name -> check(name).to(name + "-out"), RightPipelines.plainTransactionalLoop(), this::hurtAll);
    }

    @Test
    void zombieThatIsFenced() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            acquit(seed, 2, name -> check(name).to(name + "-out"), RightPipelines.fencedZombie(), (run, random) -> {});
        }
    }

    @Test
    void atLeastOnceWithASinkThatLeavesOutWhatItHas() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            Sink sink = new Sink();
            acquit(
                    seed,
                    2,
                    name -> check(name).toSink(sink::rows),
                    RightPipelines.atLeastOnceInto(sink),
                    this::hurtAll);
        }
    }

    @Test
    void offsetsThatAreKeptWithTheResults() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            Sink sink = new Sink();
            acquit(
                    seed,
                    2,
                    name -> check(name).group("").toSink(sink::rows),
                    RightPipelines.offsetsWithResultsIn(sink),
                    this::hurtAll);
        }
    }

    @Test
    void idempotentLoopWhileBrokersDie() throws Exception {
        acquit(
                1,
                name -> check(name).to(name + "-out").withoutTransactions(),
                RightPipelines.carefulLoopThatNobodyKills(),
                this::hurtBrokers);
    }

    @Test
    void inputOfWhichThePartitionsHearLateIsNotLost() throws Exception {
        Sink sink = new Sink();
        acquit(
                2,
                1,
                name -> check(name).toSink(sink::rows).withoutAbortedInput(),
                RightPipelines.atLeastOnceInto(sink),
                (run, random) -> {
                    run.send(RECORDS - 1).awaitBacklog(0);
                    List<LinkFault> held = cluster.brokers().stream()
                            .map(broker -> cluster.transactions().holdMarkers(broker.id()))
                            .toList();
                    run.send(1);
                    CompletableFuture.delayedExecutor(LATE_MS, TimeUnit.MILLISECONDS)
                            .execute(() -> held.forEach(LinkFault::heal));
                });
    }

    // ---- words

    private interface Settings {
        ExactlyOnce of(String name);
    }

    private interface Hurting {
        void hurt(ExactlyOnceRun run, SplittableRandom random) throws Exception;
    }

    private ExactlyOnce check(String name) {
        return ExactlyOnce.on(cluster).from(name + "-in").group(name);
    }

    private void acquit(int instances, Settings settings, Body body, Hurting hurting) throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            acquit(seed, instances, settings, body, hurting);
        }
    }

    private void acquit(long seed, int instances, Settings settings, Body body, Hurting hurting) throws Exception {
        String name = "run-" + runs.incrementAndGet();
        cluster.createTopic(name + "-in", topic -> topic.partitions(2));
        cluster.createTopic(name + "-out", topic -> topic.partitions(2));
        SplittableRandom random = new SplittableRandom(seed);
        // Without a group to tell the application by, its members still need one.
        ExactlyOnceVerdict verdict = settings.of(name)
                .records(RECORDS)
                .seed(seed)
                .patience(PATIENCE)
                .pipeline(
                        instances,
                        instance -> new Application(
                                new Pipeline.Instance(
                                        instance.number(),
                                        instance.bootstrapServers(),
                                        instance.input(),
                                        instance.output(),
                                        name),
                                body))
                .during(run -> hurting.hurt(run, random))
                .verdict();
        assertThat(verdict.conclusion())
                .as("with seed %d:\n%s", seed, verdict.report())
                .isIn(Conclusion.HOLDS, Conclusion.INDETERMINATE);
        if (SEEDS > 1) {
            // Hundreds of topics would be another test.
            cluster.reset();
        }
    }

    private void hurtAll(ExactlyOnceRun run, SplittableRandom random) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            run.send(RECORDS / (ROUNDS + 1)).awaitOutputs(1 + random.nextInt(5));
            int instance = random.nextInt(2);
            int broker = 1 + random.nextInt(3);
            try (Chaos chaos = Chaos.on(cluster)) {
                switch (random.nextInt(5)) {
                    case 0 -> chaos.kill(broker);
                    case 1 -> chaos.stop(broker);
                    case 2 -> chaos.pause(broker);
                    default -> run.note("no broker is hurt");
                }
                if (random.nextBoolean()) {
                    run.kill(instance);
                } else {
                    run.stop(instance);
                }
                run.send(5);
                run.start(instance);
            }
        }
    }

    private void hurtBrokers(ExactlyOnceRun run, SplittableRandom random) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            run.send(RECORDS / (ROUNDS + 1)).awaitOutputs(1 + random.nextInt(5));
            int broker = 1 + random.nextInt(3);
            try (Chaos chaos = Chaos.on(cluster)) {
                if (random.nextBoolean()) {
                    chaos.kill(broker);
                } else {
                    chaos.stop(broker);
                }
                run.send(5);
            }
        }
    }
}

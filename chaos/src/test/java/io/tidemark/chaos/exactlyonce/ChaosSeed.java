package io.tidemark.chaos.exactlyonce;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.exactlyonce.Application.Body;
import io.tidemark.chaos.history.HistoryVerdict;
import io.tidemark.chaos.schedule.Deed;
import io.tidemark.chaos.schedule.Played;
import io.tidemark.chaos.schedule.RandomSchedule;
import io.tidemark.chaos.schedule.Schedule;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What one seed has: a cluster of its own, a schedule of every ingredient that must be survived, a pipeline that
 * {@link ExactlyOnce} judges, and a {@link Shop} whose history is judged.
 */
final class ChaosSeed {
    private static final int RECORDS = 60;
    private static final Duration CONVERGENCE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final long seed;
    private final Deed[] only;
    private final Schedule schedule;

    /**
     * How it came out.
     *
     * @param played what was done, and how often it struck
     * @param pipeline the verdict on the pipeline
     * @param history the verdict on what was sent and seen beside it
     */
    record Outcome(Played played, ExactlyOnceVerdict pipeline, HistoryVerdict history) {}

    /** @param only the ingredients; all that must be survived where none is said */
    ChaosSeed(long seed, Deed... only) {
        this.seed = seed;
        this.only = only.clone();
        RandomSchedule drawn = Schedule.random(seed, 1, 2, 3)
                .topic("in", 2)
                .topic("out", 2)
                .topic("orders", 1)
                .groups("billing", "shop")
                .transactionalIds("billing-0")
                .passingAtOnce(4)
                .every(Duration.ofMillis(250))
                .lasting(Duration.ofMillis(500));
        this.schedule = (only.length == 0 ? drawn.withAll() : drawn.with(only)).build();
    }

    Outcome run(Body body) throws Exception {
        try (Cluster cluster = Cluster.builder()
                        .brokers(3)
                        .seed(seed)
                        .config("min.insync.replicas", "2")
                        .config("group.min.session.timeout.ms", "500")
                        .config("offsets.topic.num.partitions", "2")
                        .config("transaction.state.log.num.partitions", "1")
                        .topic("in", topic -> topic.partitions(2))
                        .topic("out", topic -> topic.partitions(2))
                        .topic("orders", topic -> {})
                        .start();
                Chaos chaos = Chaos.on(cluster)) {
            CompletableFuture<Played> playing = new CompletableFuture<>();
            Shop shop = new Shop(cluster, playing::isDone);
            Thread player = new Thread(() -> play(cluster, chaos, playing), "schedule " + seed);
            try {
                ExactlyOnceVerdict verdict = ExactlyOnce.on(cluster)
                        .from("in")
                        .to("out")
                        .group("billing")
                        .records(RECORDS)
                        .keys(3)
                        .patience(PATIENCE)
                        .pipeline(1, instance -> new Application(instance, body))
                        .during(run -> {
                            run.send(8).awaitBacklog(0);
                            shop.open();
                            player.start();
                            work(run, playing);
                        })
                        .verdict();
                return new Outcome(playing.get(), verdict, shop.close(PATIENCE));
            } finally {
                playing.cancel(false);
                shop.leave();
                player.join();
            }
        }
    }

    private void play(Cluster cluster, Chaos chaos, CompletableFuture<Played> playing) {
        try {
            playing.complete(schedule.play(cluster, chaos, CONVERGENCE));
        } catch (RuntimeException | Error e) {
            playing.completeExceptionally(e);
        }
    }

    /** Has something to do for the pipeline while it is hurt, and ends its instance hard with every other seed. */
    private void work(ExactlyOnceRun run, CompletableFuture<Played> playing) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int killAt = random.nextBoolean() ? 3 + random.nextInt(6) : -1;
        for (int round = 0; round < RECORDS / 4 && !playing.isDone(); round++) {
            run.send(4).awaitBacklog(8);
            if (round == killAt) {
                run.kill(0).start(0);
            }
        }
        playing.get(CONVERGENCE.toSeconds() * 3, TimeUnit.SECONDS);
    }

    /** How to try it again, and the text of its schedule. */
    @Override
    public String toString() {
        return "-Dtidemark.chaos.seed=" + seed + (only.length == 0 ? "" : " -Dtidemark.chaos.only=" + names())
                + ", with the schedule\n" + schedule;
    }

    private String names() {
        return Arrays.stream(only).map(Deed::name).collect(Collectors.joining(","));
    }
}

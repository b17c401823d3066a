package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.exactlyonce.ExactlyOnce;
import io.tidemark.chaos.exactlyonce.ExactlyOnceRun;
import io.tidemark.chaos.exactlyonce.ExactlyOnceVerdict;
import io.tidemark.chaos.exactlyonce.Pipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What frameworks promise is kept, and the judge of pipelines acquits it. The build tries a seed each, {@code mvn -q -Pverdict}
 * 200 of them.
 */
@Execution(ExecutionMode.CONCURRENT)
class RightFrameworksIT {
    private static final int SEEDS = Integer.getInteger("tidemark.right.seeds", 1);
    private static final long FIRST_SEED = Long.getLong("tidemark.right.seed", 1);
    private static final int RECORDS = 60;

    private final AtomicInteger lives = new AtomicInteger();
    private Cluster cluster;

    @TempDir
    Path folder;

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
    void kafkaStreamsWithExactlyOnce() throws Exception {
        acquit(
                "streams",
                instance -> Pipeline.of(
                        () -> new StreamsCopier(instance, folder.resolve("life-" + lives.incrementAndGet()))));
    }

    @Test
    void springsTransactionalListener() throws Exception {
        acquit("spring", instance -> Pipeline.of(() -> new SpringCopier(instance)));
    }

    private void acquit(String framework, Pipeline.Factory factory) throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            String name = framework + "-" + seed;
            cluster.createTopic(name + "-in", topic -> topic.partitions(2));
            cluster.createTopic(name + "-out", topic -> topic.partitions(2));
            SplittableRandom random = new SplittableRandom(seed);
            ExactlyOnceVerdict verdict = ExactlyOnce.on(cluster)
                    .from(name + "-in")
                    .to(name + "-out")
                    .group(name)
                    .records(RECORDS)
                    .seed(seed)
                    .patience(Duration.ofSeconds(60))
                    .pipeline(2, factory)
                    .during(run -> hurt(run, random))
                    .verdict();
            assertThat(verdict.conclusion())
                    .as("with seed %d:\n%s", seed, verdict.report())
                    .isIn(Conclusion.HOLDS, Conclusion.INDETERMINATE);
            if (SEEDS > 1) {
                // Hundreds of topics would be another test.
                cluster.reset();
            }
        }
    }

    private void hurt(ExactlyOnceRun run, SplittableRandom random) {
        run.send(RECORDS / 2).awaitOutputs(1 + random.nextInt(5));
        int instance = random.nextInt(2);
        int broker = 1 + random.nextInt(3);
        try (Chaos chaos = Chaos.on(cluster)) {
            switch (random.nextInt(4)) {
                case 0 -> chaos.kill(broker);
                case 1 -> chaos.stop(broker);
                default -> run.note("no broker is hurt");
            }
            run.stop(instance).send(5).start(instance);
        }
    }
}

package io.tidemark.samples;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.schedule.Played;
import io.tidemark.chaos.schedule.Schedule;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Plays a schedule of faults beneath what else goes on, in a thread of its own. */
final class Trouble {
    private static final Duration CONVERGENCE = Duration.ofSeconds(60);

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> new Thread(task, "trouble"));
    private final CompletableFuture<Played> played;

    private Trouble(Schedule schedule, Cluster cluster, Chaos chaos) {
        this.played = CompletableFuture.supplyAsync(() -> schedule.play(cluster, chaos, CONVERGENCE), thread);
    }

    static Trouble beneath(Cluster cluster, Chaos chaos, Schedule schedule) {
        return new Trouble(schedule, cluster, chaos);
    }

    boolean isOn() {
        return !played.isDone();
    }

    /** Waits until it is over and the cluster is whole again; says what there was. */
    Played end() throws Exception {
        try {
            return played.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error failed) {
                throw failed;
            }
            throw e;
        } finally {
            thread.shutdown();
        }
    }
}

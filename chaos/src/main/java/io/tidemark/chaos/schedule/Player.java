package io.tidemark.chaos.schedule;

import io.tidemark.Cluster;
import io.tidemark.ClusterException;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.DeclaredFault;
import io.tidemark.chaos.schedule.Played.Done;
import io.tidemark.chaos.schedule.Schedule.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Plays a schedule, once. */
final class Player {
    private static final long LOOK_MS = 2;

    private final Schedule schedule;
    private final Cluster cluster;
    private final Chaos chaos;
    private final Map<String, BooleanSupplier> conditions;
    private final Duration convergence;
    private final List<Done> done = new ArrayList<>();

    Player(
            Schedule schedule,
            Cluster cluster,
            Chaos chaos,
            Map<String, BooleanSupplier> conditions,
            Duration convergence) {
        this.schedule = schedule;
        this.cluster = cluster;
        this.chaos = chaos;
        this.conditions = Map.copyOf(conditions);
        this.convergence = convergence;
    }

    Played play() {
        Set<Integer> coming = schedule.steps().stream()
                .filter(step -> step.deed() == Deed.ADD_BROKER || step.deed() == Deed.ADD_CONTROLLER)
                .flatMap(step -> step.nodes().stream())
                .collect(Collectors.toSet());
        Deque<Step> timed = new ArrayDeque<>();
        List<Step> waiting = new ArrayList<>();
        for (Step step : schedule.steps()) {
            step.nodes().stream().filter(node -> !coming.contains(node)).forEach(cluster::node);
            if (step.condition().isEmpty()) {
                timed.add(step);
            } else {
                condition(step);
                waiting.add(step);
            }
        }
        long startNanos = System.nanoTime();
        long endNanos = startNanos + convergence.toNanos();
        while (!timed.isEmpty() || !waiting.isEmpty()) {
            while (!timed.isEmpty() && timed.element().atMs() <= sinceMs(startNanos)) {
                act(timed.remove(), startNanos);
                endNanos = System.nanoTime() + convergence.toNanos();
            }
            waiting.removeIf(step -> {
                boolean holds = condition(step).getAsBoolean();
                if (holds) {
                    act(step, startNanos);
                }
                return holds;
            });
            if (timed.isEmpty() && System.nanoTime() - endNanos > 0) {
                throw new AssertionError(
                        "Steps whose condition never held: " + waiting + ", of the schedule\n" + schedule);
            }
            pause();
        }
        heal();
        return new Played(done);
    }

    private BooleanSupplier condition(Step step) {
        BooleanSupplier condition = conditions.get(step.condition());
        if (condition == null) {
            throw new IllegalArgumentException(
                    "The schedule waits for [" + step.condition() + "]; give it with the conditions to play(...)");
        }
        return condition;
    }

    private void act(Step step, long startNanos) {
        long sinceMs = sinceMs(startNanos);
        int before = chaos.declared().size();
        String impossible = "";
        try {
            step.deed().act(new Doing(cluster, chaos, step.arguments()));
        } catch (RuntimeException e) {
            if (!step.isMaybe()) {
                throw new AssertionError(
                        "Step [" + step + "] could not be done, " + sinceMs + " ms after the start of the schedule\n"
                                + schedule + e.getMessage(),
                        e);
            }
            impossible = String.valueOf(e.getMessage());
        }
        List<DeclaredFault> declared = chaos.declared();
        List<DeclaredFault> faults = declared.subList(Math.min(before, declared.size()), declared.size());
        if (step.isMaybe() && !faults.isEmpty()) {
            chaos.maybe();
        }
        done.add(new Done(sinceMs, step, impossible, faults));
    }

    private void heal() {
        long startNanos = System.nanoTime();
        try {
            chaos.heal();
            cluster.awaitHealthy(convergence);
        } catch (ClusterException e) {
            throw new AssertionError("The cluster is not whole after the schedule\n" + schedule + e.getMessage(), e);
        }
        long tookMs = sinceMs(startNanos);
        if (tookMs > convergence.toMillis()) {
            throw new AssertionError("The cluster was whole " + tookMs + " ms after the end of the schedule; expected "
                    + convergence.toMillis() + " ms at most. The schedule:\n" + schedule);
        }
    }

    private static long sinceMs(long startNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in the middle of a schedule", e);
        }
    }
}

package io.tidemark.chaos.schedule;

import io.tidemark.chaos.schedule.Schedule.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Draws a schedule: faults of the chosen sorts, each healed before the next one comes, so that a cluster of three whose
 * topics have {@code min.insync.replicas=2} must survive it; or, asked for, several brokers at once, which it need not.
 * Belongs to one thread.
 *
 * <pre>{@code
 * Schedule schedule = Schedule.random(seed, 1, 2, 3)
 *         .with(Deed.KILL, Deed.PAUSE, Deed.CUT)
 *         .every(Duration.ofMillis(500))
 *         .lasting(Duration.ofSeconds(5))
 *         .build();
 * System.out.println(schedule); // to be pasted into Schedule.parse
 * }</pre>
 */
public final class RandomSchedule {
    private final SplittableRandom random;
    private final List<Integer> brokers;
    private List<Deed> deeds = List.of(Deed.KILL, Deed.STOP, Deed.PAUSE, Deed.ISOLATE, Deed.STALL_REPLICATION);
    private long intervalMs = 1_000;
    private long lastingMs = 5_000;
    private int atOnce = 1;

    RandomSchedule(long seed, int... brokers) {
        this.random = new SplittableRandom(seed);
        this.brokers = Arrays.stream(brokers).boxed().collect(Collectors.toList());
        if (brokers.length == 0) {
            throw new IllegalArgumentException("A schedule hurts some broker; say which");
        }
    }

    /**
     * The ingredients. Kill, stop, pause, isolate and stalled replication where nothing is said.
     *
     * @throws IllegalArgumentException if one is no fault but mends one
     */
    public RandomSchedule with(Deed... ingredients) {
        List<Deed> mending = List.of(Deed.RESTART, Deed.RESUME, Deed.HEAL, Deed.HEAL_LINKS);
        for (Deed deed : ingredients) {
            if (mending.contains(deed)) {
                throw new IllegalArgumentException(
                        "[" + deed.verb() + "] hurts nobody; a random schedule mends by itself");
            }
        }
        deeds = List.of(ingredients);
        return this;
    }

    /** The intensity: so long from one fault to the next on average, and half of it until it is healed; 1 s by default. */
    public RandomSchedule every(Duration interval) {
        intervalMs = Math.max(1, interval.toMillis());
        return this;
    }

    /** When the last fault comes at the latest; 5 s by default. */
    public RandomSchedule lasting(Duration time) {
        lastingMs = time.toMillis();
        return this;
    }

    /** Up to so many brokers are hurt at once. More than one is more than a cluster of three must survive. */
    public RandomSchedule brokersAtOnce(int most) {
        if (most < 1 || most > brokers.size()) {
            throw new IllegalArgumentException("[" + most + "] brokers at once cannot be hurt of " + brokers);
        }
        atOnce = most;
        return this;
    }

    /** The same seed and settings draw the same schedule from a new object. */
    public Schedule build() {
        List<Step> steps = new ArrayList<>();
        for (long atMs = about(intervalMs); atMs <= lastingMs; atMs += about(intervalMs)) {
            List<Integer> left = new ArrayList<>(brokers);
            for (int hurt = 1 + random.nextInt(atOnce); hurt > 0; hurt--) {
                steps.add(fault(atMs, left));
            }
            atMs += Math.max(1, about(intervalMs) / 2);
            steps.add(new Step(atMs, "", false, Deed.HEAL, List.of()));
        }
        return Schedule.of(steps);
    }

    private Step fault(long atMs, List<Integer> left) {
        Deed deed = deeds.get(random.nextInt(deeds.size()));
        List<Integer> nodes = new ArrayList<>();
        nodes.add(left.remove(random.nextInt(left.size())));
        if (deed.nodes() == 2) {
            List<Integer> others = brokers.stream()
                    .filter(other -> !other.equals(nodes.get(0)))
                    .toList();
            if (others.isEmpty()) {
                throw new IllegalArgumentException("[" + deed.verb() + "] needs two brokers; there is " + brokers);
            }
            nodes.add(others.get(random.nextInt(others.size())));
        }
        return new Step(atMs, "", deed.waits(), deed, nodes);
    }

    private long about(long ms) {
        return Math.max(1, ms / 2 + random.nextLong(ms + 1));
    }
}

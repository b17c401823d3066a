package io.tidemark.chaos.schedule;

import io.tidemark.chaos.schedule.Schedule.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Draws a schedule of the chosen ingredients, in rounds: some faults that pass by themselves, then in every other round
 * one that takes a broker away, then the heal. A cluster of three whose topics have {@code min.insync.replicas=2} must survive that, and so must
 * clients that retry; or, asked for, it is more than they must survive. A broker that comes has the id after the greatest; it
 * is gone at the end, and so is a controller that came. Belongs to one thread.
 *
 * <pre>{@code
 * Schedule schedule = Schedule.random(seed, 1, 2, 3)
 *         .topic("orders", 2)
 *         .groups("billing")
 *         .with(Deed.KILL, Deed.LOSE_ANSWER, Deed.REBALANCE, Deed.ELECT)
 *         .every(Duration.ofMillis(500))
 *         .lasting(Duration.ofSeconds(5))
 *         .build();
 * System.out.println(schedule); // to be pasted into Schedule.parse
 * }</pre>
 */
public final class RandomSchedule {
    private final SplittableRandom random;
    private final List<Integer> brokers;
    private final Draw draw;
    private Set<Deed> deeds =
            new LinkedHashSet<>(List.of(Deed.KILL, Deed.STOP, Deed.PAUSE, Deed.ISOLATE, Deed.STALL_REPLICATION));
    private long intervalMs = 1_000;
    private long lastingMs = 5_000;
    private int atOnce = 1;
    private int passingAtOnce = 2;
    private boolean isBeyond;

    RandomSchedule(long seed, int... brokers) {
        this.random = new SplittableRandom(seed);
        this.brokers = Arrays.stream(brokers).boxed().collect(Collectors.toList());
        this.draw = new Draw(random, this.brokers);
        if (brokers.length == 0) {
            throw new IllegalArgumentException("A schedule hurts some broker; say which");
        }
    }

    /** A topic that may be hurt, with the count of its partitions. */
    public RandomSchedule topic(String name, int partitions) {
        draw.topics.put(name, partitions);
        return this;
    }

    /** Groups that may be disturbed. */
    public RandomSchedule groups(String... groupIds) {
        draw.groups.addAll(List.of(groupIds));
        return this;
    }

    /** Transactional ids that may be disturbed. */
    public RandomSchedule transactionalIds(String... transactionalIds) {
        draw.transactionalIds.addAll(List.of(transactionalIds));
        return this;
    }

    /** Clients to whose requests a fault may be limited, by their {@code client.id}s, without spaces. */
    public RandomSchedule clientIds(String... clientIds) {
        draw.clientIds.addAll(List.of(clientIds));
        return this;
    }

    /**
     * The ingredients. Kill, stop, pause, isolate and stalled replication where nothing is said.
     *
     * @throws IllegalArgumentException if one is no fault but mends one
     */
    public RandomSchedule with(Deed... ingredients) {
        for (Deed deed : ingredients) {
            if (deed.harm() == Harm.NONE) {
                throw new IllegalArgumentException(
                        "[" + deed.verb() + "] hurts nobody; a random schedule mends by itself");
            }
        }
        deeds = new LinkedHashSet<>(List.of(ingredients));
        return this;
    }

    /**
     * Every ingredient that must be survived, as far as there is something to do it to: those of topics, groups and
     * transactional ids where one was said.
     */
    public RandomSchedule withAll() {
        return with(Arrays.stream(Deed.values())
                .filter(deed -> deed.harm() == Harm.PASSING || deed.harm() == Harm.BROKER)
                .filter(deed -> !draw.topics.isEmpty() || !deed.words().contains(Word.TOPIC))
                .filter(deed -> !draw.groups.isEmpty() || !deed.words().contains(Word.GROUP))
                .filter(deed -> !draw.transactionalIds.isEmpty()
                        || (!deed.words().contains(Word.TRANSACTIONAL_ID) && deed != Deed.HOLD_MARKERS))
                .filter(deed -> brokers.size() > 1
                        || deed != Deed.SPLIT
                                && deed.words().stream()
                                                .filter(word -> word == Word.NODE)
                                                .count()
                                        < 2)
                .toArray(Deed[]::new));
    }

    /** The intensity: so long from one round to the next on average, and half of it until it is healed; 1 s by default. */
    public RandomSchedule every(Duration interval) {
        intervalMs = Math.max(1, interval.toMillis());
        return this;
    }

    /** When the last round begins at the latest; 5 s by default. */
    public RandomSchedule lasting(Duration time) {
        lastingMs = time.toMillis();
        return this;
    }

    /** In a round come one to so many faults that pass by themselves, where any is an ingredient; 2 by default. */
    public RandomSchedule passingAtOnce(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("[" + most + "] faults at once are none; leave them out of with(...)");
        }
        passingAtOnce = most;
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

    /** Allows ingredients by which somebody may lose something: {@link Harm#BEYOND}. */
    public RandomSchedule beyond() {
        isBeyond = true;
        return this;
    }

    /**
     * The same seed and settings draw the same schedule from a new object.
     *
     * @throws IllegalArgumentException if an ingredient is more than what must be survived and nobody asked for that, or is
     *     done to a topic, a group or a transactional id and none was said
     */
    public Schedule build() {
        List<Deed> passing = ofHarm(Harm.PASSING);
        List<Deed> hurting = Stream.concat(ofHarm(Harm.BROKER).stream(), ofHarm(Harm.BEYOND).stream())
                .toList();
        if (!isBeyond && !ofHarm(Harm.BEYOND).isEmpty()) {
            throw new IllegalArgumentException(
                    ofHarm(Harm.BEYOND).stream().map(Deed::verb).toList()
                            + " is more than a cluster must survive; ask for it with beyond()");
        }
        List<Step> steps = new ArrayList<>();
        Membership membership = new Membership();
        long lastMs = 0;
        for (long atMs = about(intervalMs); atMs <= lastingMs; atMs += about(intervalMs)) {
            // Those that pass come first: they ask the cluster to do something, for which its brokers must be there.
            for (Deed deed : some(passing)) {
                for (Deed one : membership.deedsFor(deed)) {
                    steps.add(step(atMs, one, new ArrayList<>(brokers)));
                }
            }
            if (!hurting.isEmpty() && (passing.isEmpty() || random.nextBoolean())) {
                List<Integer> left = new ArrayList<>(brokers);
                for (int hurt = 1 + random.nextInt(atOnce); hurt > 0 && !left.isEmpty(); hurt--) {
                    steps.add(step(atMs, hurting.get(random.nextInt(hurting.size())), left));
                }
            }
            atMs += Math.max(1, about(intervalMs) / 2);
            steps.add(new Step(atMs, "", false, Deed.HEAL, List.of()));
            lastMs = atMs;
        }
        for (Deed deed : membership.deedsAtTheEnd()) {
            steps.add(step(lastMs, deed, new ArrayList<>(brokers)));
        }
        return Schedule.of(steps);
    }

    private List<Deed> ofHarm(Harm harm) {
        return deeds.stream().filter(deed -> deed.harm() == harm).toList();
    }

    private List<Deed> some(List<Deed> of) {
        if (of.isEmpty()) {
            return List.of();
        }
        List<Deed> mixed = new ArrayList<>(of);
        for (int i = mixed.size() - 1; i > 0; i--) {
            Collections.swap(mixed, i, random.nextInt(i + 1));
        }
        return mixed.subList(0, 1 + random.nextInt(Math.min(passingAtOnce, mixed.size())));
    }

    private Step step(long atMs, Deed deed, List<Integer> left) {
        return new Step(atMs, "", deed.mayMiss(), deed, draw.wordsFor(deed, left));
    }

    private long about(long ms) {
        return Math.max(1, ms / 2 + random.nextLong(ms + 1));
    }
}

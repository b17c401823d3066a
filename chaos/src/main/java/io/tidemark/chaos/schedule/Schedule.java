package io.tidemark.chaos.schedule;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Faults and when they come. Immutable; {@link #toString()} gives a text that {@link #parse} takes, so that what a seed has
 * drawn can be pasted into a test and played again.
 *
 * <pre>{@code
 * Schedule schedule = Schedule.script()
 *         .at(Duration.ofMillis(200)).kill(2)
 *         .at(Duration.ofMillis(900)).restart(2)
 *         .every(Duration.ofSeconds(1)).until(Duration.ofSeconds(5)).pause(3)
 *         .when("half-is-out").stop(1)
 *         .build();
 * schedule.play(cluster, chaos, Map.of("half-is-out", () -> count.get() > 50), Duration.ofSeconds(30));
 * }</pre>
 *
 * @param steps in the order of their times; those that wait for a condition at the end
 */
public record Schedule(List<Step> steps) {
    public Schedule {
        steps = List.copyOf(steps);
    }

    /**
     * One step.
     *
     * @param atMs when, in milliseconds from the start; -1 where it waits for a condition
     * @param condition the name of what it waits for; empty for none
     * @param isMaybe true where it need not strike
     * @param deed what is done
     * @param arguments to whom or what, and how much of it, as the text has it
     */
    public record Step(long atMs, String condition, boolean isMaybe, Deed deed, List<String> arguments) {
        public Step {
            arguments = List.copyOf(arguments);
            deed.require(arguments);
        }

        /** The nodes among what it is done to. */
        public List<Integer> nodes() {
            List<Integer> nodes = new ArrayList<>();
            for (int i = 0; i < deed.words().size(); i++) {
                switch (deed.words().get(i)) {
                    case NODE, BROKER, CONTROLLER -> nodes.add(Integer.valueOf(arguments.get(i)));
                    case GROUPS -> Word.groupsOf(arguments.get(i)).forEach(nodes::addAll);
                    default -> {}
                }
            }
            if (deed.isOfRequests()) {
                Scope.BROKER.in(arguments).map(Integer::valueOf).ifPresent(nodes::add);
            }
            return List.copyOf(nodes);
        }

        /** For example {@code at 200 ms kill 2}. */
        @Override
        public String toString() {
            return (condition.isEmpty() ? "at " + atMs + " ms" : "when " + condition)
                    + (isMaybe ? " maybe " : " ")
                    + deed.verb()
                    + arguments.stream().map(word -> " " + word).collect(Collectors.joining());
        }
    }

    /** A script, to be told its steps. */
    public static Script script() {
        return new Script();
    }

    /** A schedule that a seed draws for these brokers, to be told more. */
    public static RandomSchedule random(long seed, int... brokers) {
        return new RandomSchedule(seed, brokers);
    }

    /**
     * The schedule of a text, a step a line; empty lines and those that begin with # are left out.
     *
     * @throws IllegalArgumentException if a line is no step; the message shows it
     */
    public static Schedule parse(String text) {
        return ScheduleText.parse(text);
    }

    /** In the order of their times, those that come together in the order that they were said. */
    static Schedule of(List<Step> steps) {
        List<Step> sorted = new ArrayList<>(steps);
        sorted.sort(Comparator.comparingLong(step -> step.atMs() < 0 ? Long.MAX_VALUE : step.atMs()));
        return new Schedule(sorted);
    }

    /**
     * What of it is more than a cluster of three whose topics have {@code min.insync.replicas=2} must survive, with clients
     * that retry: a line for each such step, with why. Empty where all of it must be survived, as of every schedule that is
     * drawn without {@link RandomSchedule#brokersAtOnce} and {@link RandomSchedule#beyond}.
     */
    public List<String> excesses() {
        return Survival.excessesOf(this);
    }

    /** As {@link #play(Cluster, Chaos, Map, Duration)}, where no step waits for a condition. */
    public Played play(Cluster cluster, Chaos chaos, Duration convergence) {
        return play(cluster, chaos, Map.of(), convergence);
    }

    /**
     * Does it all, in this thread; then heals everything, and demands that the cluster is whole again. A condition that a
     * step waits for is asked as long as timed steps are left, and for the time of the convergence after them. A step that
     * is said to be {@code maybe} and cannot be done at the moment is passed over.
     *
     * @param conditions by their names
     * @param convergence how long the healing may take, until every replica of every partition is in sync
     * @throws IllegalArgumentException if a step names a condition that is not given, or a node that is not there and that no
     *     step adds
     * @return what was done, and how often it struck
     * @throws AssertionError if a condition never held, a step failed, or the cluster is not whole in time; the message shows
     *     the schedule
     */
    public Played play(Cluster cluster, Chaos chaos, Map<String, BooleanSupplier> conditions, Duration convergence) {
        return new Player(this, cluster, chaos, conditions, convergence).play();
    }

    /** The text that can be pasted back, a step a line. */
    @Override
    public String toString() {
        return steps.stream().map(step -> step + "\n").collect(Collectors.joining());
    }
}

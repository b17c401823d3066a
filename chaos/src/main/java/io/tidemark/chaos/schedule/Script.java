package io.tidemark.chaos.schedule;

import io.tidemark.chaos.schedule.Schedule.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the steps of a schedule: first when, then what. Belongs to one thread.
 *
 * <pre>{@code
 * Schedule.script().at(Duration.ofMillis(100)).kill(1).at(Duration.ofMillis(800)).heal().build();
 * }</pre>
 */
public final class Script {
    private final List<Step> steps = new ArrayList<>();

    Script() {}

    /** At this time from the start. */
    public Moment at(Duration time) {
        return new Moment(List.of(millis(time)), "");
    }

    /** Again and again, the first time after this interval; say until when. */
    public Repeating every(Duration interval) {
        return new Repeating(millis(interval));
    }

    /** Once, when the condition of this name holds; letters, digits, - and _. */
    public Moment when(String condition) {
        if (!condition.matches("[\\w-]+")) {
            throw new IllegalArgumentException(
                    "Condition [" + condition + "] cannot be written in a line; use letters, digits, - and _");
        }
        return new Moment(List.of(-1L), condition);
    }

    public Schedule build() {
        return Schedule.of(steps);
    }

    private static long millis(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("A step cannot come at [" + time + "], before the start");
        }
        return time.toMillis();
    }

    /** An interval whose end is still to be said. */
    public final class Repeating {
        private final long intervalMs;

        private Repeating(long intervalMs) {
            if (intervalMs == 0) {
                throw new IllegalArgumentException("An interval of [0] ms never ends; use one of 1 ms or more");
            }
            this.intervalMs = intervalMs;
        }

        /** The last time is at this time from the start, or before. */
        public Moment until(Duration end) {
            List<Long> times = new ArrayList<>();
            for (long atMs = intervalMs; atMs <= millis(end); atMs += intervalMs) {
                times.add(atMs);
            }
            return new Moment(times, "");
        }
    }

    /** When something is to be done; says what. */
    public final class Moment {
        private final List<Long> timesMs;
        private final String condition;
        private boolean isMaybe;

        private Moment(List<Long> timesMs, String condition) {
            this.timesMs = timesMs;
            this.condition = condition;
        }

        /** What is said next need not strike anything. */
        public Moment maybe() {
            isMaybe = true;
            return this;
        }

        public Script kill(int node) {
            return doing(Deed.KILL, node);
        }

        public Script stop(int node) {
            return doing(Deed.STOP, node);
        }

        public Script restart(int node) {
            return doing(Deed.RESTART, node);
        }

        public Script pause(int node) {
            return doing(Deed.PAUSE, node);
        }

        public Script resume(int node) {
            return doing(Deed.RESUME, node);
        }

        public Script losePower(int node) {
            return doing(Deed.LOSE_POWER, node);
        }

        public Script isolate(int node) {
            return doing(Deed.ISOLATE, node);
        }

        public Script stallReplication(int broker) {
            return doing(Deed.STALL_REPLICATION, broker);
        }

        public Script cut(int node, int other) {
            return doing(Deed.CUT, node, other);
        }

        public Script cutOneWay(int from, int to) {
            return doing(Deed.CUT_ONE_WAY, from, to);
        }

        public Script healLinks() {
            return doing(Deed.HEAL_LINKS);
        }

        /** Heals everything, and waits until every replica is in sync. */
        public Script heal() {
            return doing(Deed.HEAL);
        }

        private Script doing(Deed deed, Integer... nodes) {
            timesMs.forEach(atMs -> steps.add(new Step(atMs, condition, isMaybe, deed, List.of(nodes))));
            return Script.this;
        }
    }
}

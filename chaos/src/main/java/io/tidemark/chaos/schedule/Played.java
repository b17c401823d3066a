package io.tidemark.chaos.schedule;

import io.tidemark.chaos.DeclaredFault;
import io.tidemark.chaos.schedule.Schedule.Step;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a schedule was played: what was done, and how often it struck.
 *
 * <pre>{@code
 * Played played = schedule.play(cluster, chaos, Duration.ofSeconds(30));
 * assertThat(played.strikes()).containsKey(Deed.LOSE_ANSWER);
 * }</pre>
 *
 * @param done each step, in the order in which they came
 */
public record Played(List<Done> done) {
    public Played {
        done = List.copyOf(done);
    }

    /**
     * A step whose time came.
     *
     * @param sinceStartMs when, in milliseconds from the start
     * @param step which
     * @param impossible why it could not be done; empty where it was
     * @param faults what it declared, which waits for something to strike; empty where it struck at once
     */
    public record Done(long sinceStartMs, Step step, String impossible, List<DeclaredFault> faults) {
        public Done {
            faults = List.copyOf(faults);
        }

        /** How often it has struck; what does not wait for anything strikes once. */
        public long struck() {
            if (!impossible.isEmpty()) {
                return 0;
            }
            return faults.isEmpty()
                    ? 1
                    : faults.stream().mapToLong(DeclaredFault::struck).sum();
        }

        /** For example {@code +203 ms maybe loseAnswer PRODUCE 2, struck 2 times}. */
        @Override
        public String toString() {
            long times = struck();
            return "+" + sinceStartMs + " ms " + step
                    + (impossible.isEmpty()
                            ? ", struck " + times + (times == 1 ? " time" : " times")
                            : ", impossible: " + impossible);
        }
    }

    /** How often each sort of deed has struck, those that never did left out. */
    public Map<Deed, Long> strikes() {
        Map<Deed, Long> strikes = new EnumMap<>(Deed.class);
        done.stream()
                .filter(one -> one.struck() > 0)
                .forEach(one -> strikes.merge(one.step().deed(), one.struck(), Long::sum));
        return strikes;
    }

    /** A step a line. */
    @Override
    public String toString() {
        return done.stream().map(one -> one + "\n").collect(Collectors.joining());
    }
}

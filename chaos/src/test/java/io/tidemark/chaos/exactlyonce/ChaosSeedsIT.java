package io.tidemark.chaos.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.exactlyonce.ChaosSeed.Outcome;
import io.tidemark.chaos.schedule.Deed;
import io.tidemark.chaos.schedule.Harm;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Right clients under schedules of everything that must be survived, seed after seed: whatever is done, nothing is lost,
 * doubled or out of order, and no verdict says so. The build tries 100 seeds, {@code mvn -q -Pchaos-seeds} 1,000;
 * {@code -Dtidemark.chaos.seed=17} is one of them again.
 */
@Isolated // its seeds run beside each other
class ChaosSeedsIT {
    private static final int SEEDS = Integer.getInteger("tidemark.chaos.seeds", 100);
    private static final long FIRST_SEED = Long.getLong("tidemark.chaos.first.seed", 1);
    private static final long ONLY_SEED = Long.getLong("tidemark.chaos.seed", 0);
    private static final int AT_ONCE = Integer.getInteger("tidemark.chaos.seeds.at.once", 8);
    /** From so many seeds on, every ingredient has to strike. */
    private static final int ENOUGH = 100;
    /** So often it is tried with those alone that did not. */
    private static final int MOST_MORE = 10;

    private final Map<Deed, Long> strikes = Collections.synchronizedMap(new EnumMap<>(Deed.class));
    private final Map<Long, String> failed = new TreeMap<>();

    @Test
    void rightClientsAreAcquittedWithEverySeed() throws Exception {
        if (ONLY_SEED > 0) {
            acquitAll(List.of(ONLY_SEED), only());
            return;
        }
        long next = FIRST_SEED + SEEDS;
        acquitAll(LongStream.range(FIRST_SEED, next).boxed().toList());
        if (SEEDS < ENOUGH) {
            return;
        }
        // What strikes only where its moment comes may have had none.
        for (int more = 0; more < MOST_MORE && !missing().isEmpty(); more++) {
            Deed[] only = missing().toArray(Deed[]::new);
            acquitAll(LongStream.range(next, next + AT_ONCE).boxed().toList(), only);
            next += AT_ONCE;
        }
        assertThat(missing()).as("what never struck; struck: %s", strikes).isEmpty();
    }

    @Test
    void wrongPipelineIsConvictedAllTheSame() throws Exception {
        Outcome outcome = new ChaosSeed(1).run(WrongPipelines.commitsOffsetsOutsideOfTheTransaction());

        assertThat(outcome.pipeline().kinds()).as(outcome.pipeline().report()).contains(Finding.Kind.OFFSETS_APART);
        assertThat(outcome.history().conclusion()).isNotEqualTo(Conclusion.BROKEN);
    }

    private static Deed[] only() {
        return Arrays.stream(System.getProperty("tidemark.chaos.only", "").split(",", -1))
                .filter(name -> !name.isEmpty())
                .map(Deed::valueOf)
                .toArray(Deed[]::new);
    }

    private Set<Deed> missing() {
        Set<Deed> missing = EnumSet.noneOf(Deed.class);
        Arrays.stream(Deed.values())
                .filter(deed -> deed.harm() == Harm.PASSING || deed.harm() == Harm.BROKER)
                .filter(deed -> !strikes.containsKey(deed))
                .forEach(missing::add);
        return missing;
    }

    private void acquitAll(List<Long> seeds, Deed... only) throws Exception {
        long startNanos = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            Map<Long, Future<String>> running = new TreeMap<>();
            seeds.forEach(seed -> running.put(seed, threads.submit(() -> acquit(new ChaosSeed(seed, only)))));
            for (Map.Entry<Long, Future<String>> run : running.entrySet()) {
                String fault = run.getValue().get();
                if (!fault.isEmpty()) {
                    failed.put(run.getKey(), fault);
                }
            }
        } finally {
            threads.shutdownNow();
        }
        if (SEEDS > ENOUGH) {
            System.out.printf(
                    "%d seeds from %d on in %d s, %d failed; struck: %s%n",
                    seeds.size(),
                    seeds.get(0),
                    (System.nanoTime() - startNanos) / 1_000_000_000,
                    failed.size(),
                    strikes);
        }
        assertThat(failed)
                .as("what came of each seed that failed, of %d", seeds.size())
                .isEmpty();
    }

    /** Empty, or what is wrong. */
    private String acquit(ChaosSeed one) {
        List<String> wrong = new ArrayList<>();
        try {
            Outcome outcome = one.run(RightPipelines.plainTransactionalLoop());
            outcome.played().strikes().forEach((deed, times) -> strikes.merge(deed, times, Long::sum));
            if (outcome.pipeline().conclusion() == Conclusion.BROKEN) {
                wrong.add(outcome.pipeline().report());
            }
            if (outcome.history().conclusion() == Conclusion.BROKEN) {
                wrong.add(outcome.history().report());
            }
            if (!wrong.isEmpty()) {
                wrong.add("What was done:\n" + outcome.played());
            }
        } catch (Exception | AssertionError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            wrong.add(trace.toString());
        }
        return wrong.isEmpty() ? "" : "\n" + one + String.join("\n", wrong);
    }
}

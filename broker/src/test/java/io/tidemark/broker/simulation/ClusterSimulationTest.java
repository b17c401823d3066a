package io.tidemark.broker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters, hurt and healed: see the package. */
class ClusterSimulationTest {
    /** {@code mvn -Psimulate} runs more, see CONTRIBUTING. */
    private static final int SEEDS = Integer.getInteger("tidemark.simulation.seeds", 40);

    @Test
    void everyRuleHoldsInEveryRun() {
        List<String> failures = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(seed -> new Simulation(seed).run())
                .filter(outcome -> !outcome.isSound())
                .map(Simulation.Outcome::report)
                .toList();

        assertThat(failures).as("runs in which a rule was broken").isEmpty();
    }

    @Test
    void theSameSeedIsTheSameRunEventForEvent() {
        for (long seed : new long[] {7, 77, 777}) {
            Simulation.Outcome first = new Simulation(seed).run();
            Simulation.Outcome second = new Simulation(seed).run();

            assertThat(second).isEqualTo(first);
        }
    }
}

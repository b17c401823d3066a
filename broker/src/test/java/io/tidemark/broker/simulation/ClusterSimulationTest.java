package io.tidemark.broker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters, hurt and healed: see the package. */
class ClusterSimulationTest {
    /** {@code mvn -Psimulate} runs more, see CONTRIBUTING. */
    private static final int SEEDS = Integer.getInteger("tidemark.simulation.seeds", 500);

    private static final long[] COMPARED = {7, 77, 777};

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
        for (long seed : COMPARED) {
            Simulation.Outcome first = new Simulation(seed).run();
            Simulation.Outcome second = new Simulation(seed).run();

            assertThat(second).isEqualTo(first);
        }
    }

    /** Where neither identity hashes nor the order of {@code Set.of} are the same. */
    @Test
    void theSameSeedIsTheSameRunInAnotherJvm() throws IOException, InterruptedException {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        path,
                        Hashes.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = other.waitFor();

        assertThat(exit)
                .as("what the other JVM ends with, after it said: %s", output)
                .isZero();
        assertThat(output.lines().filter(line -> line.startsWith(Hashes.PREFIX)))
                .containsExactlyElementsOf(Hashes.lines());
    }

    /** What the other JVM runs. */
    static final class Hashes {
        private static final String PREFIX = "hash of seed ";

        private Hashes() {}

        public static void main(String[] arguments) {
            lines().forEach(System.out::println);
        }

        private static List<String> lines() {
            return LongStream.of(COMPARED)
                    .mapToObj(seed -> new Simulation(seed).run())
                    .map(outcome -> PREFIX + outcome.seed() + ": " + outcome.traceHash() + " after " + outcome.events()
                            + " events")
                    .toList();
        }
    }
}

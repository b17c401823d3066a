package io.tidemark.broker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation notices a broker that lacks a rule. Each mutant runs cold, in a class loader of its own, so those are
 * taken that the first seed shows; {@code -Dtidemark.simulation.mutations=all} takes all.
 */
class ClusterMutationTest {
    private static final int MOST_SEEDS = 40;

    @TempDir
    private Path folder;

    @Test
    void theTableHasASeedForEveryMutation() throws IOException {
        Map<String, Long> seeds = MutationTable.read();

        assertThat(Mutations.ALL).hasSizeGreaterThanOrEqualTo(50);
        assertThat(seeds.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Mutations.ALL.stream().map(Mutation::name).toList());
    }

    @Test
    void everyMutationStillHasItsPlaceInTheSource() throws IOException {
        List<Mutation> all = new ArrayList<>(Mutations.ALL);
        all.addAll(Mutations.OPEN);
        for (Mutation mutation : all) {
            String source = Files.readString(Path.of("src/main/java/io/tidemark/broker", mutation.source() + ".java"));
            for (Mutation.Edit edit : mutation.edits()) {
                assertThat(source.split(java.util.regex.Pattern.quote(edit.snippet()), -1))
                        .as("what is around the snippet of [%s] in %s", mutation.name(), mutation.source())
                        .hasSize(2);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chosen")
    void theSimulationNotices(String name) throws IOException {
        Mutation mutation = Mutations.ALL.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        long known = MutationTable.read().getOrDefault(name, 1L);
        try (MutantLoader mutant = MutantLoader.of(mutation, folder)) {
            boolean isNoticed = !mutant.failure(known).isEmpty()
                    || IntStream.rangeClosed(1, MOST_SEEDS)
                            .anyMatch(seed -> !mutant.failure(seed).isEmpty());

            assertThat(isNoticed)
                    .as("a mutant that is noticed with seed %d or one of the first %d", known, MOST_SEEDS)
                    .isTrue();
        }
    }

    /** Those that the first seed shows, or all of them where that is asked for. */
    static List<String> chosen() throws IOException {
        boolean isAll = "all".equals(System.getProperty("tidemark.simulation.mutations"));
        Map<String, Long> seeds = MutationTable.read();
        return Mutations.ALL.stream()
                .map(Mutation::name)
                .filter(name -> isAll || seeds.getOrDefault(name, 0L) == 1)
                .toList();
    }
}

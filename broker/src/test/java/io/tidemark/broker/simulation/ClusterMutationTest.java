package io.tidemark.broker.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation notices a broker that lacks a rule. Each mutant runs cold, in a class loader of its own, so those are
 * taken that the first seed shows, and of transactions' rules one for each invariant that the first seed with
 * transactions shows; {@code -Dtidemark.simulation.mutations=all} takes all.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClusterMutationTest {
    private static final int MOST_SEEDS = 40;
    private static final int MOST_SEEDS_OF_TRANSACTIONS = 160;

    @TempDir
    private Path folder;

    @Test
    void theTableHasASeedForEveryMutation() throws IOException {
        Map<String, Long> seeds = MutationTable.read();

        assertThat(Mutations.every()).hasSizeGreaterThanOrEqualTo(80);
        assertThat(seeds.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Mutations.every().stream().map(Mutation::name).toList());
    }

    @Test
    void everyMutationStillHasItsPlaceInTheSource() throws IOException {
        List<Mutation> all = new ArrayList<>(Mutations.every());
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
        Mutation mutation = Mutations.every().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        long known = MutationTable.read().getOrDefault(name, 1L);
        try (MutantLoader mutant = MutantLoader.of(mutation, folder)) {
            int most = TransactionMutations.ALL.contains(mutation) ? MOST_SEEDS_OF_TRANSACTIONS : MOST_SEEDS;
            boolean isNoticed = !mutant.failure(known).isEmpty()
                    || IntStream.rangeClosed(1, most)
                            .filter(seed -> TransactionMutations.mayShow(mutation, seed))
                            .anyMatch(seed -> !mutant.failure(seed).isEmpty());

            assertThat(isNoticed)
                    .as("a mutant that is noticed with seed %d or one of the first %d", known, most)
                    .isTrue();
        }
    }

    /** Those that the first seed shows, or all of them where that is asked for. */
    static List<String> chosen() throws IOException {
        if ("all".equals(System.getProperty("tidemark.simulation.mutations"))) {
            return Mutations.every().stream().map(Mutation::name).toList();
        }
        Map<String, Long> seeds = MutationTable.read();
        List<String> chosen = new ArrayList<>();
        Set<String> rules = new HashSet<>();
        for (Mutation mutation : Mutations.every()) {
            boolean isOfTransactions = TransactionMutations.ALL.contains(mutation);
            long first = isOfTransactions ? TransactionOptions.firstDrawn() : 1;
            boolean isShown = seeds.getOrDefault(mutation.name(), 0L) == first;
            if (isShown && (!isOfTransactions || rules.add(mutation.rule()))) {
                chosen.add(mutation.name());
            }
        }
        return chosen;
    }
}

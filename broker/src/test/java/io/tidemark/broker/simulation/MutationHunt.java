package io.tidemark.broker.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Looks for the first seed that finds each mutation, and writes the table. With a part of a name as its second argument
 * it looks for those alone, and only prints.
 */
public final class MutationHunt {
    private static final int WORDS = 140;

    private MutationHunt() {}

    public static void main(String[] arguments) throws IOException {
        int most = Integer.parseInt(arguments[0]);
        String only = arguments.length > 1 ? arguments[1] : "";
        Map<String, Long> known = Files.exists(MutationTable.FILE) ? MutationTable.read() : Map.of();
        List<String> rows = new ArrayList<>();
        int share = Integer.getInteger("tidemark.simulation.share", 0);
        int shares = Integer.getInteger("tidemark.simulation.shares", 1);
        List<Mutation> hunted = Mutations.every();
        hunted.addAll(Mutations.OPEN);
        for (int i = share; i < hunted.size(); i += shares) {
            Mutation mutation = hunted.get(i);
            if (mutation.name().contains(only)) {
                String row = hunt(mutation, known.getOrDefault(mutation.name(), 1L), most);
                System.out.println(row);
                rows.add(row);
            }
        }
        if (only.isEmpty() && shares == 1) {
            MutationTable.write(rows);
        }
    }

    private static String hunt(Mutation mutation, long knownSeed, int most) throws IOException {
        Path folder = Files.createTempDirectory("mutant");
        try (MutantLoader mutant = MutantLoader.of(mutation, folder)) {
            for (int i = 0; i <= most; i++) {
                long seed = i == 0 ? knownSeed : i;
                if (!TransactionMutations.mayShow(mutation, seed)) {
                    continue;
                }
                String failure = mutant.failure(seed);
                if (!failure.isEmpty()) {
                    return row(mutation, Long.toString(seed), words(failure));
                }
            }
            return row(mutation, "none of " + most, "");
        } finally {
            MutantLoader.delete(folder);
        }
    }

    private static String row(Mutation mutation, String seed, String words) {
        return "| " + mutation.name() + " | " + mutation.rule() + " | " + seed + " | " + words + " |";
    }

    private static String words(String failure) {
        String words = failure.split("\n", 3)[1].trim().replace("|", "/");
        return words.length() > WORDS ? words.substring(0, WORDS) + "..." : words;
    }
}

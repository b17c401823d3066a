package io.tidemark.broker.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which seed finds which mutation, as it is written down for the reader: {@code mutations.md} among the resources. */
final class MutationTable {
    static final Path FILE = Path.of("src/test/resources/io/tidemark/broker/simulation/mutations.md");

    private MutationTable() {}

    /** The seed of each mutation that has one, by name. */
    static Map<String, Long> read() throws IOException {
        Map<String, Long> seeds = new TreeMap<>();
        for (String line : Files.readAllLines(FILE)) {
            String[] cells = line.split("\\|");
            if (cells.length > 4 && cells[3].trim().matches("\\d+")) {
                seeds.put(cells[1].trim(), Long.parseLong(cells[3].trim()));
            }
        }
        return seeds;
    }

    static void write(List<String> rows) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "# Mutations",
                "",
                "Each takes one rule out of the broker (`Mutations`), and the simulation notices: with this seed, in"
                        + " these",
                "words. `ClusterMutationTest` holds the table; `MutationHunt` writes it, and looks at the first 500"
                        + " seeds or fewer.",
                "",
                "| what is missing | rule | seed | what the simulation says |",
                "|---|---|---|---|"));
        lines.addAll(rows);
        Files.createDirectories(FILE.getParent());
        Files.write(FILE, lines);
    }
}

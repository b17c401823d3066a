package io.tidemark.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs both suites in turns, each in a fresh JVM, and prints how long each took from the start of its process to its end:
 * {@code ScaleComparison FOLDER VERSION}. Ends with 1 where ours failed, left something, or was not quicker by the median:
 * a single pair says as much about the machine's mood as about the two.
 */
final class ScaleComparison {
    private static final String HEAP = "-Xmx512m";
    private static final int PAIRS = 3;

    /** For both: neither lives long enough to earn back what the second compiler costs. */
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    private ScaleComparison() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]);
        System.out.println("Tidemark: 200 tests, a cluster of three brokers for each, " + HEAP);
        System.out.println("spring-kafka-test " + args[1] + ": 5 classes with @EmbeddedKafka(count = 3) each");
        List<Run> ours = new ArrayList<>();
        List<Run> theirs = new ArrayList<>();
        for (int pair = 1; pair <= PAIRS; pair++) {
            ours.add(run(folder.resolve("tidemark-" + pair), "tidemark", HEAP));
            theirs.add(run(folder.resolve("embedded-" + pair), "embedded", "-Xmx2g"));
        }
        System.out.println("Tidemark " + ours + ", @EmbeddedKafka " + theirs);
        boolean passed = Stream.concat(ours.stream(), theirs.stream()).allMatch(Run::passed);
        System.exit(passed && medianMs(ours) < medianMs(theirs) ? 0 : 1);
    }

    private static long medianMs(List<Run> runs) {
        return runs.stream().mapToLong(Run::tookMs).sorted().toArray()[runs.size() / 2];
    }

    /**
     * One suite.
     *
     * @param passed true where its process ended with 0
     * @param tookMs from the start of its process to its end
     */
    private record Run(boolean passed, long tookMs) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f s%s", tookMs / 1000.0, passed ? "" : " (failed)");
        }
    }

    private static Run run(Path folder, String suite, String heap) throws IOException, InterruptedException {
        Path temporary = Files.createDirectories(folder);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                QUICK_COMPILER,
                "-Djava.io.tmpdir=" + temporary,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-XX:-UsePerfData",
                "-classpath",
                System.getProperty("java.class.path"),
                SuiteRun.class.getName(),
                suite));
        long start = System.nanoTime();
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        return new Run(exit == 0, tookMs);
    }
}

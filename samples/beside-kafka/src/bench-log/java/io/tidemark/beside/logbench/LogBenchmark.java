package io.tidemark.beside.logbench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures our log, the same on the fixture's disks, and Apache Kafka's in one run on one machine, in turns, each time
 * in a JVM of its own, and prints a table. Arguments: the number of JVMs per contender, what is to be measured (a part of
 * the name, or {@code all}), the folder to work in, the clock to measure by ({@code wall} or {@code cpu}), the version of
 * Kafka.
 */
final class LogBenchmark {
    private static final List<String> CONTENDERS = List.of("tidemark", "in the fixture", "kafka");
    private static final String HEAP = "1g";

    private LogBenchmark() {}

    public static void main(String[] args) throws Exception {
        int forks = Integer.parseInt(args[0]);
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of(args[2])), "log-benchmark");
        List<RecordsFile> files = files(folder);
        try {
            System.out.println("Writing the records of both into " + folder);
            files.get(0).write(64L << 20);
            files.get(1).write(256L << 20);
            // Kafka's default of segment.bytes is 1 GiB, which a segment may not pass.
            files.get(2).write((1L << 30) - (1 << 20));
            files.get(3).write(256L << 20);
            Map<String, Map<String, List<Result>>> results = new LinkedHashMap<>();
            for (int fork = 0; fork < forks; fork++) {
                for (String contender : CONTENDERS) {
                    for (Result result : runInOwnJvm(contender, args[1], folder, args[3])) {
                        results.computeIfAbsent(result.name(), name -> new LinkedHashMap<>())
                                .computeIfAbsent(contender, name -> new ArrayList<>())
                                .add(result);
                    }
                }
            }
            print(results, forks, args[3], args[4]);
        } finally {
            for (RecordsFile file : files) {
                Files.deleteIfExists(file.path());
            }
            Files.deleteIfExists(folder);
        }
    }

    /** The records in a folder, from those of the smallest batches on. */
    static List<RecordsFile> files(Path folder) {
        List<RecordsFile> files = new ArrayList<>();
        for (int recordsEach : new int[] {1, 9, 150, 9_400}) {
            files.add(new RecordsFile(recordsEach, folder.resolve("records-" + recordsEach)));
        }
        return files;
    }

    private static List<Result> runInOwnJvm(String contender, String selected, Path folder, String clock)
            throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-Xms" + HEAP,
                        "-Xmx" + HEAP,
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        LogMeasurement.class.getName(),
                        contender,
                        selected,
                        folder.toString(),
                        clock)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Result> results = new ArrayList<>();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (Result.isLine(line)) {
                    results.add(Result.ofLine(line));
                }
            }
        }
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IllegalStateException(
                    "Measuring [" + contender + "] ended with exit code " + exit + "; see its output above");
        }
        return results;
    }

    private static void print(Map<String, Map<String, List<Result>>> results, int forks, String clock, String version) {
        System.out.printf(
                "The log beside Apache Kafka %s's UnifiedLog; Java %s, %d cores, %d JVMs each with -Xmx%s;%n"
                        + "median (min to max) by the %s clock, less is better%n",
                version,
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(),
                forks,
                HEAP,
                clock);
        System.out.printf("%-58s%-11s", "", "");
        CONTENDERS.forEach(contender -> System.out.printf("%-28s", contender));
        System.out.println("ours is faster than Kafka's by");
        results.forEach((name, byContender) -> {
            List<Result> ours = byContender.getOrDefault(CONTENDERS.get(0), List.of());
            System.out.printf("%-58s%-11s", name, ours.get(0).unit());
            CONTENDERS.forEach(contender -> System.out.printf("%-28s", spread(byContender.get(contender))));
            System.out.printf("%.2f%n", median(byContender.get("kafka")) / median(ours));
        });
    }

    private static double[] sorted(List<Result> results) {
        return results.stream().mapToDouble(Result::value).sorted().toArray();
    }

    private static double median(List<Result> results) {
        double[] sorted = sorted(results);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String spread(List<Result> results) {
        double[] sorted = sorted(results);
        return String.format("%.2f (%.2f to %.2f)", median(results), sorted[0], sorted[sorted.length - 1]);
    }
}

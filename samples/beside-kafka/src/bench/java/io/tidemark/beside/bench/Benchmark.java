package io.tidemark.beside.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures all contenders in one run on one machine, in turns, each measurement in a JVM of its own, and prints a
 * table. Arguments: the number of JVMs per contender, the number of warm rounds in each, what the other contender is.
 */
final class Benchmark {
    private static final List<String> CONTENDERS = List.of("tidemark", "kafka-test-kit");

    private Benchmark() {}

    public static void main(String[] args) throws Exception {
        int forks = Integer.parseInt(args[0]);
        int warmRounds = Integer.parseInt(args[1]);
        Map<String, List<Round>> cold = new LinkedHashMap<>();
        Map<String, List<Round>> warm = new LinkedHashMap<>();
        for (int fork = 0; fork < forks; fork++) {
            for (String contender : CONTENDERS) {
                List<Round> rounds = runInOwnJvm(contender, warmRounds);
                cold.computeIfAbsent(contender, name -> new ArrayList<>()).add(rounds.get(0));
                warm.computeIfAbsent(contender, name -> new ArrayList<>()).addAll(rounds.subList(1, rounds.size()));
            }
        }
        System.out.printf(
                "Three brokers and a controller in one JVM, beside %s; Java %s, %d cores; ms, median (min to max)%n",
                args[2],
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors());
        System.out.printf("%-16s%-6s%4s  %-26s%-26s%-26s%n", "", "JVM", "n", "ready", "first record", "close");
        for (String contender : CONTENDERS) {
            print(contender, "cold", cold.getOrDefault(contender, List.of()));
            print(contender, "warm", warm.getOrDefault(contender, List.of()));
        }
    }

    private static List<Round> runInOwnJvm(String contender, int warmRounds) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-Xmx1g",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Measurement.class.getName(),
                        contender,
                        Integer.toString(warmRounds))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Round> rounds = new ArrayList<>();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (Round.isLine(line)) {
                    rounds.add(Round.ofLine(line));
                }
            }
        }
        int exit = process.waitFor();
        if (exit != 0 || rounds.size() != 1 + warmRounds) {
            throw new IllegalStateException("Measuring [" + contender + "] ended with exit code " + exit + " after "
                    + rounds.size() + " of " + (1 + warmRounds) + " rounds; see its output above");
        }
        return rounds;
    }

    private static void print(String contender, String jvm, List<Round> rounds) {
        System.out.printf(
                "%-16s%-6s%4d  %-26s%-26s%-26s%n",
                contender,
                jvm,
                rounds.size(),
                spread(rounds, Round::readyMs),
                spread(rounds, Round::firstRecordMs),
                spread(rounds, Round::closeMs));
    }

    private static String spread(List<Round> rounds, ToDoubleFunction<Round> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        if (sorted.length == 0) {
            return "-";
        }
        double middle = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return String.format("%.0f (%.0f to %.0f)", middle, sorted[0], sorted[sorted.length - 1]);
    }
}

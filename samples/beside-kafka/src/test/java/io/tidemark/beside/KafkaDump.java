package io.tidemark.beside;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.tools.DumpLogSegments;

/** Apache Kafka's own {@code DumpLogSegments}, in a JVM of its own, for it prints to its process's console. */
final class KafkaDump {
    private KafkaDump() {}

    /**
     * What the tool prints about a file.
     *
     * @param options more options of the tool, such as {@code --print-data-log}
     * @throws IllegalStateException if the tool cannot read the file
     */
    static List<String> of(Path file, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                DumpLogSegments.class.getName(),
                "--files",
                file.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IllegalStateException("DumpLogSegments of " + file + " ended with " + exit + ":\n" + output);
        }
        return output.lines().collect(Collectors.toList());
    }

    /** The batches of a segment, one line each. */
    static Stream<String> batches(List<String> dump) {
        return dump.stream().filter(line -> line.startsWith("baseOffset:"));
    }

    /** The records of a segment, one line each. */
    static Stream<String> records(List<String> dump) {
        return dump.stream().filter(line -> line.startsWith("|"));
    }
}

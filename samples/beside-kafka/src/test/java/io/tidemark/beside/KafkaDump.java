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
     * What the tool prints about files, one after the other.
     *
     * @throws IllegalStateException if the tool cannot read one of them
     */
    static List<String> ofAll(List<Path> files, String... options) throws IOException, InterruptedException {
        return dump(files.stream().map(Path::toString).collect(Collectors.joining(",")), options);
    }

    /**
     * What the tool prints about a file.
     *
     * @param options more options of the tool, such as {@code --print-data-log}
     * @throws IllegalStateException if the tool cannot read the file
     */
    static List<String> of(Path file, String... options) throws IOException, InterruptedException {
        return dump(file.toString(), options);
    }

    private static List<String> dump(String files, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                DumpLogSegments.class.getName(),
                "--files",
                files));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IllegalStateException("DumpLogSegments of " + files + " ended with " + exit + ":\n" + output);
        }
        return output.lines().collect(Collectors.toList());
    }

    /** Whether a line tells of something that is wrong with a file. */
    static boolean isComplaint(String line) {
        return line.contains("isvalid: false")
                || line.contains("ismatch")
                || line.contains("out of order")
                || line.contains("Non-consecutive")
                || line.contains("Exception");
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

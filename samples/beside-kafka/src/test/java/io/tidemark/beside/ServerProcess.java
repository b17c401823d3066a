package io.tidemark.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** A broker, ours or Apache Kafka's, in a JVM of its own. It is gone when this is closed, however the test ends. */
public final class ServerProcess implements AutoCloseable {
    private static final int START_SECONDS = 180;
    private static final int STOP_SECONDS = 60;

    private final Process process;
    private final Path output;

    private ServerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts a main class and returns when the broker at an address is one that clients are sent to. */
    static ServerProcess start(String mainClass, Path properties, String bootstrapServers) throws Exception {
        ServerProcess server = begin(mainClass, properties);
        String limitMs = String.valueOf(TimeUnit.SECONDS.toMillis(START_SECONDS));
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", bootstrapServers, "default.api.timeout.ms", limitMs))) {
            // Clients are told of a node once it is registered and unfenced.
            CompletableFuture<?> serving = admin.listTopics()
                    .names()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .thenCompose(names ->
                            admin.describeCluster().nodes().toCompletionStage().toCompletableFuture());
            CompletableFuture.anyOf(serving, server.process.onExit().thenApply(ended -> {
                        throw new IllegalStateException(mainClass + " ended with " + ended.exitValue()
                                + " before it served:\n" + server.output());
                    }))
                    .get(START_SECONDS, TimeUnit.SECONDS);
            return server;
        } catch (Exception e) {
            server.close();
            throw new IllegalStateException(mainClass + " does not serve; it says:\n" + server.output(), e);
        }
    }

    /** Starts a main class and waits for nothing. */
    public static ServerProcess begin(String mainClass, Path properties) throws IOException {
        Path output = Files.createTempFile(properties.getParent(), mainClass, ".out");
        return new ServerProcess(fork(output, mainClass, properties.toString()), output);
    }

    /** Runs a main class to its end. */
    public static void run(Path folder, String mainClass, String... arguments) throws Exception {
        Path output = Files.createTempFile(folder, mainClass, ".out");
        ServerProcess run = new ServerProcess(fork(output, mainClass, arguments), output);
        try (run) {
            if (!run.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS) || run.process.exitValue() != 0) {
                throw new IllegalStateException(mainClass + " " + List.of(arguments) + " failed:\n" + run.output());
            }
        }
    }

    private static Process fork(Path output, String mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** What it printed, warnings and errors. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops it in good order. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Server does not stop in " + STOP_SECONDS + " s; it says:\n" + output());
        }
    }

    /** Kills it. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}

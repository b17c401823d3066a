package io.tidemark.broker;

import io.tidemark.broker.BrokerConfig.UnknownNames;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.time.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node, or a whole cluster, as a process in the foreground.
 *
 * <pre>
 *   Main server.properties             one node, from a file with Kafka's property names
 *   Main --brokers N [--port P]        a controller and N brokers in a temporary folder, on ports P, P+1, ...
 * </pre>
 *
 * A cluster may be given the feature levels to start with, as Kafka's formatting tool has it:
 * {@code --release-version 4.1} and any number of {@code --feature name=level}. A node has them in its file, as
 * {@code cluster.features}.
 *
 * Prints one line when it serves, stops in good order on SIGTERM or SIGINT. Exit codes: 0 after a stop that was asked
 * for from within, 1 after a failure, 2 for a configuration or command line that cannot be used.
 */
public final class Main {
    private static final NodeLog LOG = NodeLog.of(Main.class);
    private static final int FAILED = 1;
    private static final int UNUSABLE = 2;
    private static final int STOP_SECONDS = 30;
    private static final String USAGE = "Usage: Main SERVER.PROPERTIES"
            + " | Main --brokers N [--port P] [--release-version V] [--feature NAME=LEVEL]...";

    private final PrintStream out;

    private Main(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) {
        int code;
        try {
            code = new Main(System.out).run(List.of(arguments));
        } catch (InvalidConfigException e) {
            System.err.println(e.getMessage());
            code = UNUSABLE;
        } catch (IOException | ExecutionException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            System.err.println("Failed to start: " + cause.getMessage());
            LOG.debug("Failed to start", cause);
            code = cause instanceof InvalidConfigException ? UNUSABLE : FAILED;
        } catch (InterruptedException e) {
            code = FAILED;
        }
        System.exit(code);
    }

    private int run(List<String> arguments) throws IOException, ExecutionException, InterruptedException {
        if (arguments.size() == 1 && !arguments.get(0).startsWith("--")) {
            return runNode(Path.of(arguments.get(0)));
        }
        if (!arguments.isEmpty() && arguments.size() % 2 == 0) {
            List<String> features = new ArrayList<>();
            Map<String, Integer> options = options(withoutFeatures(arguments, features));
            Integer brokers = options.remove("--brokers");
            Integer port = options.remove("--port");
            if (brokers != null && options.isEmpty()) {
                return runCluster(brokers, port == null ? 0 : port, String.join(",", features));
            }
        }
        throw new InvalidConfigException("Arguments " + arguments + " are not understood. " + USAGE);
    }

    /** Takes out the options that name feature levels. */
    private static List<String> withoutFeatures(List<String> arguments, List<String> features) {
        List<String> others = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String value = arguments.get(i + 1);
            switch (arguments.get(i)) {
                case "--feature" -> features.add(value);
                case "--release-version" -> features.add(ControllerFeatures.METADATA_VERSION + "=" + value);
                default -> others.addAll(arguments.subList(i, i + 2));
            }
        }
        return others;
    }

    private static Map<String, Integer> options(List<String> arguments) {
        Map<String, Integer> options = new TreeMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            try {
                options.put(arguments.get(i), Integer.valueOf(arguments.get(i + 1)));
            } catch (NumberFormatException e) {
                throw new InvalidConfigException("Argument " + arguments.get(i) + " is [" + arguments.get(i + 1)
                        + "]; expected a whole number. " + USAGE);
            }
        }
        return options;
    }

    private int runNode(Path file) throws IOException, ExecutionException, InterruptedException {
        BrokerConfig config = BrokerConfig.of(properties(file), UnknownNames.TOLERATE);
        if (!config.unknownNames().isEmpty()) {
            LOG.warn("Nobody knows the properties {} in {}; they are ignored", config.unknownNames(), file);
        }
        Broker broker = Broker.create(config, environment());
        stopAtExit(() -> broker.shutdown().get(STOP_SECONDS, TimeUnit.SECONDS));
        try {
            broker.start().get();
        } catch (ExecutionException e) {
            if (broker.termination().isDone() && !broker.termination().isCompletedExceptionally()) {
                return 0;
            }
            throw e;
        }
        out.println("Tidemark node " + config.nodeId() + " serves "
                + config.listeners().stream()
                        .map(listener -> listener.name() + "://" + listener.advertisedHost() + ":"
                                + broker.port(listener.name()))
                        .collect(Collectors.joining(", ")));
        return awaitEnd(List.of(broker));
    }

    private int runCluster(int brokers, int firstPort, String features)
            throws IOException, ExecutionException, InterruptedException {
        Path folder = Files.createTempDirectory("tidemark-");
        LocalCluster cluster;
        try {
            cluster = new LocalCluster(
                    folder, brokers, firstPort, Map.of(BrokerConfigs.CLUSTER_FEATURES, features), environment());
        } catch (IOException | InvalidConfigException e) {
            delete(folder);
            throw e;
        }
        // However this process ends, the hook is what cleans up.
        stopAtExit(() -> {
            cluster.close();
            delete(folder);
        });
        cluster.start().get();
        out.println("Tidemark cluster of " + brokers + " brokers serves " + cluster.bootstrapServers());
        return awaitEnd(cluster.nodes());
    }

    private static BrokerEnvironment environment() {
        return new SystemEnvironment(new SystemClock(), new SecureRandom().nextLong());
    }

    /** Returns when a node is at an end. */
    private static int awaitEnd(List<Broker> nodes) throws InterruptedException {
        try {
            CompletableFuture.anyOf(nodes.stream().map(Broker::termination).toArray(CompletableFuture[]::new))
                    .get();
            return 0;
        } catch (ExecutionException e) {
            System.err.println("A node has failed: " + e.getCause());
            return FAILED;
        }
    }

    /** The properties of a file; folders that are relative count from where the process was started. */
    private static Map<String, String> properties(Path file) throws IOException {
        Properties read = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            read.load(reader);
        } catch (NoSuchFileException e) {
            throw new InvalidConfigException("There is no file [" + file + "]. " + USAGE);
        }
        Map<String, String> properties = new TreeMap<>();
        read.stringPropertyNames().forEach(name -> properties.put(name, read.getProperty(name)));
        for (String name : List.of(BrokerConfigs.LOG_DIRS, BrokerConfigs.LOG_DIR, BrokerConfigs.METADATA_LOG_DIR)) {
            properties.computeIfPresent(name, (key, text) -> absolute(text));
        }
        return properties;
    }

    private static String absolute(String folders) {
        return Arrays.stream(folders.split(",", -1))
                .map(String::trim)
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder).toAbsolutePath().toString())
                .collect(Collectors.joining(","));
    }

    private static void stopAtExit(Stop stop) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                stop.run();
                            } catch (IOException | ExecutionException | TimeoutException e) {
                                System.err.println("Failed to stop in good order: " + e);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "tidemark-stop"));
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @FunctionalInterface
    private interface Stop {
        void run() throws IOException, ExecutionException, InterruptedException, TimeoutException;
    }
}

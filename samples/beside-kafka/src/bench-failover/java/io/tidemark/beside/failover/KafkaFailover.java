package io.tidemark.beside.failover;

import io.tidemark.FixtureDefaults;
import io.tidemark.beside.ServerProcess;
import io.tidemark.broker.network.PortReservation;
import io.tidemark.spi.Closing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Apache Kafka, a process for each node, with the session time-outs of our fixture. */
final class KafkaFailover implements FailoverContender {
    private static final int BROKERS = 3;
    private static final int CONTROLLER = 1001;
    private static final String HOST = "127.0.0.1";
    private static final String CLUSTER_ID = "9f3JdCGVRsm0JsRSe-s-jQ";

    private final Path folder = Files.createTempDirectory("failover-");
    private final Map<Integer, PortReservation> ports = new TreeMap<>();
    private final Map<Integer, ServerProcess> processes = new TreeMap<>();

    KafkaFailover() throws Exception {
        List<Integer> nodes = List.of(CONTROLLER, 1, 2, 3);
        for (int node : nodes) {
            ports.put(node, PortReservation.reserve(HOST, 0));
        }
        for (int node : nodes) {
            Path properties = Files.write(properties(node), settings(node));
            ServerProcess.run(
                    folder,
                    "kafka.tools.StorageTool",
                    "format",
                    "--cluster-id",
                    CLUSTER_ID,
                    "--config",
                    properties.toString());
        }
        for (int node : nodes) {
            restart(node);
        }
    }

    private Path properties(int node) {
        return folder.resolve("node-" + node + ".properties");
    }

    private String address(int node) {
        return HOST + ":" + ports.get(node).port();
    }

    private List<String> settings(int node) {
        List<String> settings = new ArrayList<>(List.of(
                "process.roles=" + (node == CONTROLLER ? "controller" : "broker"),
                "node.id=" + node,
                "controller.quorum.voters=" + CONTROLLER + "@" + address(CONTROLLER),
                "controller.listener.names=CONTROLLER",
                "listeners=" + (node == CONTROLLER ? "CONTROLLER://" : "PLAINTEXT://") + address(node),
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs=" + folder.resolve("data-" + node)));
        FixtureDefaults.forBrokers(BROKERS).forEach((name, value) -> settings.add(name + "=" + value));
        return settings;
    }

    @Override
    public String bootstrapServers() {
        return Stream.of(1, 2, 3).map(this::address).collect(Collectors.joining(","));
    }

    @Override
    public void kill(int brokerId) {
        processes.get(brokerId).close();
    }

    @Override
    public void restart(int node) throws IOException {
        processes.put(node, ServerProcess.begin("kafka.Kafka", properties(node)));
    }

    @Override
    public String output() {
        StringBuilder text = new StringBuilder();
        processes.forEach((node, process) ->
                text.append("Node ").append(node).append(" says:\n").append(process.output()));
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        Closing closing = new Closing();
        processes.values().forEach(closing::run);
        ports.values().forEach(closing::run);
        closing.rethrow("end Apache Kafka");
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

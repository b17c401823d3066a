package io.tidemark.beside;

import io.tidemark.broker.network.PortReservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The data folder of one node that is broker and controller, and the settings by which ours and Apache Kafka's serve
 * it, one after the other, at the same address.
 */
final class DataFolder implements AutoCloseable {
    private static final String CLUSTER_ID = "9f3JdCGVRsm0JsRSe-s-jQ";
    private static final String HOST = "127.0.0.1";

    private final PortReservation port;
    private final PortReservation controllerPort;
    private final Path properties;
    private final Path data;

    DataFolder(Path parent) throws IOException {
        this(parent, true, List.of());
    }

    /**
     * @param votersByConfiguration whether the voters are given in the settings, or by the formatting tool
     * @param settings more of them, as lines of the file
     */
    DataFolder(Path parent, boolean votersByConfiguration, List<String> settings) throws IOException {
        port = PortReservation.reserve(HOST, 0);
        controllerPort = PortReservation.reserve(HOST, 0);
        data = parent.resolve("data");
        List<String> lines = new ArrayList<>(settings);
        lines.add((votersByConfiguration ? "controller.quorum.voters=1@" : "controller.quorum.bootstrap.servers=")
                + HOST + ":" + controllerPort.port());
        lines.addAll(List.of(
                "cluster.id=" + CLUSTER_ID,
                "process.roles=broker,controller",
                "node.id=1",
                "controller.listener.names=CONTROLLER",
                "listeners=PLAINTEXT://" + bootstrapServers() + ",CONTROLLER://" + HOST + ":" + controllerPort.port(),
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs=" + data,
                "group.initial.rebalance.delay.ms=0",
                "offsets.topic.num.partitions=1",
                "offsets.topic.replication.factor=1",
                "transaction.state.log.num.partitions=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1"));
        properties = Files.write(parent.resolve("server.properties"), lines);
    }

    String bootstrapServers() {
        return HOST + ":" + port.port();
    }

    String controllerAddress() {
        return HOST + ":" + controllerPort.port();
    }

    String clusterId() {
        return CLUSTER_ID;
    }

    Path file(String partition, String name) {
        return data.resolve(partition).resolve(name);
    }

    /** The folder that the broker has its logs in. */
    Path path() {
        return data;
    }

    /** Makes an empty folder Apache Kafka's, by its own tool. */
    void formatByKafka(String... options) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("format", "--cluster-id", CLUSTER_ID, "--config", properties.toString()));
        arguments.addAll(List.of(options));
        ServerProcess.run(properties.getParent(), "kafka.tools.StorageTool", arguments.toArray(String[]::new));
    }

    ServerProcess serveByKafka() throws Exception {
        return ServerProcess.start("kafka.Kafka", properties, bootstrapServers());
    }

    ServerProcess serveByOurs() throws Exception {
        return ServerProcess.start("io.tidemark.broker.Main", properties, bootstrapServers());
    }

    @Override
    public void close() throws IOException {
        port.close();
        controllerPort.close();
    }
}

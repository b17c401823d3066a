package io.tidemark.broker;

import io.tidemark.broker.BrokerConfig.UnknownNames;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.network.PortReservation;
import io.tidemark.broker.types.Uuid;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** One controller and some brokers in this process, for a look at the whole without a test around it. */
final class LocalCluster implements Closeable {
    private static final int CONTROLLER_ID = 1001;
    private static final String HOST = "127.0.0.1";
    private static final String BROKER_LISTENER = "PLAINTEXT";
    private static final String CONTROLLER_LISTENER = "CONTROLLER";

    private final List<PortReservation> reservations = new ArrayList<>();
    private final List<Broker> nodes = new ArrayList<>();
    private final String bootstrapServers;

    /**
     * @param folder where the nodes keep their files
     * @param brokers how many brokers
     * @param firstPort the port of the first broker, the next ones follow; 0 for any free ones
     * @param overrides configs for every node
     * @throws IOException if a port is taken
     */
    LocalCluster(Path folder, int brokers, int firstPort, Map<String, String> overrides, BrokerEnvironment environment)
            throws IOException {
        if (brokers < 1) {
            throw new InvalidConfigException("A cluster of [" + brokers + "] brokers; expected at least 1");
        }
        if (firstPort < 0 || firstPort + brokers > 65_536) {
            throw new InvalidConfigException("Port [" + firstPort + "]; expected 0 to " + (65_536 - brokers));
        }
        String clusterId = Uuid.random(new SplittableRandom(environment.seed())).toString();
        int controllerPort = reserve(0);
        Map<String, String> common = new TreeMap<>(Map.of(
                BrokerConfigs.CLUSTER_ID,
                clusterId,
                BrokerConfigs.CONTROLLER_LISTENER_NAMES,
                CONTROLLER_LISTENER,
                BrokerConfigs.CONTROLLER_QUORUM_VOTERS,
                CONTROLLER_ID + "@" + HOST + ":" + controllerPort,
                BrokerConfigs.OFFSETS_TOPIC_REPLICATION_FACTOR,
                Integer.toString(Math.min(3, brokers)),
                BrokerConfigs.TRANSACTION_STATE_LOG_REPLICATION_FACTOR,
                Integer.toString(Math.min(3, brokers)),
                BrokerConfigs.TRANSACTION_STATE_LOG_MIN_ISR,
                Integer.toString(Math.min(2, brokers))));
        common.putAll(overrides);
        List<Integer> ports = new ArrayList<>();
        for (int id = 1; id <= brokers; id++) {
            ports.add(reserve(firstPort == 0 ? 0 : firstPort + id - 1));
        }
        addNode(CONTROLLER_ID, "controller", CONTROLLER_LISTENER, controllerPort, folder, common, environment);
        for (int id = 1; id <= brokers; id++) {
            addNode(id, "broker", BROKER_LISTENER, ports.get(id - 1), folder, common, environment);
        }
        bootstrapServers = ports.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
    }

    private int reserve(int port) throws IOException {
        PortReservation reservation = PortReservation.reserve(HOST, port);
        reservations.add(reservation);
        return reservation.port();
    }

    private void addNode(
            int nodeId,
            String role,
            String listener,
            int port,
            Path folder,
            Map<String, String> common,
            BrokerEnvironment environment) {
        Map<String, String> properties = new TreeMap<>(common);
        properties.put(BrokerConfigs.NODE_ID, Integer.toString(nodeId));
        properties.put(BrokerConfigs.PROCESS_ROLES, role);
        properties.put(BrokerConfigs.LISTENERS, listener + "://" + HOST + ":" + port);
        properties.put(
                BrokerConfigs.LOG_DIRS, folder.resolve(role + "-" + nodeId).toString());
        nodes.add(Broker.create(BrokerConfig.of(properties, UnknownNames.REJECT), environment));
    }

    CompletableFuture<Void> start() {
        return CompletableFuture.allOf(nodes.stream().map(Broker::start).toArray(CompletableFuture[]::new));
    }

    List<Broker> nodes() {
        return List.copyOf(nodes);
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    /** Halts every node: its files are about to be deleted. */
    @Override
    public void close() throws IOException {
        nodes.forEach(Broker::kill);
        for (PortReservation reservation : reservations) {
            reservation.close();
        }
    }
}

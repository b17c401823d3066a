package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.backend.NodeSpec;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.network.PortReservation;
import io.tidemark.spi.Closing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The addresses and folders of a cluster's nodes. Every port is reserved before the first node starts and stays so over
 * kills and restarts, so that a dead broker refuses and nobody else takes its place.
 */
final class ClusterLayout implements AutoCloseable {
    private static final String HOST = ClusterListeners.HOST;
    private static final String CONTROLLERS = ClusterListeners.CONTROLLER;

    private final ClusterSpec spec;
    private final String clusterId;
    private final ClusterFiles files;
    private final List<PortReservation> reservations = new ArrayList<>();

    ClusterLayout(ClusterSpec spec, String clusterId, ClusterFiles files) {
        this.spec = spec;
        this.clusterId = clusterId;
        this.files = files;
    }

    /** The names of the nodes' data folders. */
    List<String> folders() {
        List<String> folders = new ArrayList<>();
        for (int id = 1; id <= spec.brokers(); id++) {
            folders.add(brokerFolder(id));
        }
        if (!spec.combined()) {
            spec.controllerIds().forEach(id -> folders.add(controllerFolder(id)));
        }
        return folders;
    }

    private static String brokerFolder(int id) {
        return "broker-" + id;
    }

    private static String controllerFolder(int id) {
        return "controller-" + id;
    }

    /** The nodes, brokers first, in the order of their ids; none is started. */
    List<ClusterNode> createNodes(Backend backend) {
        SortedMap<Integer, Integer> controllerPorts = new TreeMap<>();
        spec.controllerIds().forEach(id -> controllerPorts.put(id, reserve()));
        String voters = controllerPorts.entrySet().stream()
                .map(controller -> controller.getKey() + "@" + HOST + ":" + controller.getValue())
                .collect(Collectors.joining(","));
        List<ClusterNode> nodes = new ArrayList<>();
        for (int id = 1; id <= spec.brokers(); id++) {
            Integer controllerPort = controllerPorts.get(id);
            ClusterListeners listeners = ClusterListeners.ofBroker(spec.listeners(), this::reserve);
            SortedMap<String, String> properties = common(brokerFolder(id), id, voters);
            properties.put(BrokerConfigs.PROCESS_ROLES, controllerPort == null ? "broker" : "broker,controller");
            properties.put(
                    BrokerConfigs.LISTENERS,
                    listeners.advertised()
                            + (controllerPort == null ? "" : "," + ClusterListeners.controller(controllerPort)));
            properties.put(BrokerConfigs.ADVERTISED_LISTENERS, listeners.advertised());
            properties.put(BrokerConfigs.INTER_BROKER_LISTENER_NAME, ClusterListeners.DEFAULT);
            if (!spec.racks().isEmpty()) {
                properties.put(
                        BrokerConfigs.BROKER_RACK,
                        spec.racks().get((id - 1) % spec.racks().size()));
            }
            nodes.add(node(backend, id, true, listeners.byName(), properties));
        }
        if (!spec.combined()) {
            controllerPorts.forEach((id, port) -> {
                SortedMap<String, String> properties = common(controllerFolder(id), id, voters);
                properties.put(BrokerConfigs.PROCESS_ROLES, "controller");
                properties.put(BrokerConfigs.LISTENERS, ClusterListeners.controller(port));
                nodes.add(node(backend, id, false, Map.of(CONTROLLERS, HOST + ":" + port), properties));
            });
        }
        return nodes;
    }

    private SortedMap<String, String> common(String folder, int id, String voters) {
        SortedMap<String, String> properties = new TreeMap<>(spec.config());
        properties.put(BrokerConfigs.NODE_ID, Integer.toString(id));
        properties.put(BrokerConfigs.CLUSTER_ID, clusterId);
        properties.put(BrokerConfigs.LOG_DIRS, files.ofNode(folder).toString());
        properties.put(BrokerConfigs.CONTROLLER_LISTENER_NAMES, CONTROLLERS);
        ClusterListeners.addProtocols(spec.listeners(), properties);
        properties.put(BrokerConfigs.CONTROLLER_QUORUM_VOTERS, voters);
        return properties;
    }

    private ClusterNode node(
            Backend backend,
            int id,
            boolean broker,
            Map<String, String> addresses,
            SortedMap<String, String> properties) {
        Path directory = Path.of(properties.get(BrokerConfigs.LOG_DIRS));
        return new ClusterNode(
                backend, new NodeSpec(id, properties, spec.seed()), broker, addresses, directory, spec.startTimeout());
    }

    private int reserve() {
        try {
            PortReservation reservation = PortReservation.reserve(HOST, 0);
            reservations.add(reservation);
            return reservation.port();
        } catch (IOException e) {
            throw new ClusterException(
                    "Could not reserve a port on " + HOST + ": " + e
                            + "; are all ephemeral ports or file descriptors in use?",
                    e);
        }
    }

    /** Gives the ports back. */
    @Override
    public void close() {
        Closing closing = new Closing();
        for (PortReservation reservation : reservations) {
            closing.run(reservation);
        }
        reservations.clear();
        closing.rethrow("give a port back");
    }
}

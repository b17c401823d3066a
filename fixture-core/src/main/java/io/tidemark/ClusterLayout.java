package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.backend.NodeSpec;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.network.PortReservation;
import io.tidemark.spi.Closing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The addresses and folders of a cluster's nodes, and who votes in its metadata quorum. The ports of the nodes that it
 * starts with are reserved before the first of them starts; each port stays reserved until the end, so that a dead or
 * removed node refuses, nobody else takes its place, and whoever gets its id again has its address. Safe from any thread.
 */
final class ClusterLayout implements AutoCloseable {
    private static final String HOST = ClusterListeners.HOST;
    private static final String CONTROLLERS = ClusterListeners.CONTROLLER;
    private static final String BROKER_FOLDER = "broker-";
    private static final String CONTROLLER_FOLDER = "controller-";

    private final ClusterSpec spec;
    private final String clusterId;
    private final ClusterFiles files;
    private final SortedSet<Integer> firstBrokerIds;
    private final SortedSet<Integer> firstVoterIds;
    private final List<PortReservation> reservations = new ArrayList<>();
    private final SortedMap<Integer, ClusterListeners> brokers = new TreeMap<>();
    private final SortedMap<Integer, Integer> controllerPorts = new TreeMap<>();
    private final SortedSet<Integer> voterIds = new TreeSet<>();

    ClusterLayout(ClusterSpec spec, String clusterId, ClusterFiles files) {
        this.spec = spec;
        this.clusterId = clusterId;
        this.files = files;
        this.firstBrokerIds = idsOf(
                BROKER_FOLDER, IntStream.rangeClosed(1, spec.brokers()).boxed().toList());
        this.firstVoterIds = spec.combined()
                ? firstBrokerIds.stream().limit(spec.controllers()).collect(Collectors.toCollection(TreeSet::new))
                : idsOf(CONTROLLER_FOLDER, spec.controllerIds());
    }

    /** Those of the data that the cluster starts with, where they are as many as are asked for. */
    private SortedSet<Integer> idsOf(String kind, List<Integer> asked) {
        List<Integer> present = spec.source() == null ? List.of() : new ClusterFolder(spec.source()).idsOf(kind);
        return new TreeSet<>(present.size() == asked.size() ? present : asked);
    }

    boolean isOfCopiedData() {
        return spec.source() != null;
    }

    SortedSet<Integer> firstBrokerIds() {
        return firstBrokerIds;
    }

    SortedSet<Integer> firstVoterIds() {
        return firstVoterIds;
    }

    /** The names of the data folders of the nodes that it starts with. */
    List<String> folders() {
        List<String> folders = new ArrayList<>();
        firstBrokerIds.forEach(id -> folders.add(BROKER_FOLDER + id));
        if (!spec.combined()) {
            firstVoterIds.forEach(id -> folders.add(CONTROLLER_FOLDER + id));
        }
        return folders;
    }

    /** The nodes that it starts with, brokers first, in the order of their ids; none is started. */
    synchronized List<ClusterNode> createNodes(Backend backend) {
        voterIds.addAll(firstVoterIds);
        firstVoterIds.forEach(this::controllerPort);
        firstBrokerIds.forEach(this::reserveBroker);
        List<ClusterNode> nodes = new ArrayList<>();
        firstBrokerIds.forEach(id -> nodes.add(createBroker(backend, id)));
        if (!spec.combined()) {
            firstVoterIds.forEach(id -> nodes.add(createController(backend, id)));
        }
        return nodes;
    }

    synchronized ClusterNode createBroker(Backend backend, int id) {
        return new ClusterNode(
                backend,
                () -> specOf(id),
                true,
                reserveBroker(id).byName(),
                files.ofNode(BROKER_FOLDER + id),
                spec.startTimeout());
    }

    synchronized ClusterNode createController(Backend backend, int id) {
        return new ClusterNode(
                backend,
                () -> specOf(id),
                false,
                Map.of(CONTROLLERS, HOST + ":" + controllerPort(id)),
                files.ofNode(CONTROLLER_FOLDER + id),
                spec.startTimeout());
    }

    private ClusterListeners reserveBroker(int id) {
        return brokers.computeIfAbsent(id, added -> ClusterListeners.ofBroker(spec.listeners(), this::reserve));
    }

    /** Where other nodes reach a controller. */
    synchronized int controllerPort(int id) {
        return controllerPorts.computeIfAbsent(id, added -> reserve());
    }

    /** The ids of the controllers, which are the voters of the metadata quorum. */
    synchronized List<Integer> voterIds() {
        return List.copyOf(voterIds);
    }

    synchronized void joined(int controllerId) {
        voterIds.add(controllerId);
    }

    synchronized void left(int controllerId) {
        voterIds.remove(controllerId);
    }

    /** True for a broker that is a controller by its role, whether it votes or not. */
    synchronized boolean isCombined(int id) {
        return brokers.containsKey(id) && controllerPorts.containsKey(id);
    }

    /** One that no broker has, or has had. */
    synchronized int nextBrokerId() {
        return brokers.lastKey() + 1;
    }

    /** One that no controller of its own has, or has had. */
    synchronized int nextControllerId() {
        return Math.max(ClusterSpec.CONTROLLER_ID - 1, controllerPorts.lastKey()) + 1;
    }

    /** For the node's next life, with the voters that there are now. */
    private synchronized NodeSpec specOf(int id) {
        ClusterListeners listeners = brokers.get(id);
        Integer controllerPort = controllerPorts.get(id);
        List<String> roles = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        SortedMap<String, String> properties = new TreeMap<>(spec.config());
        if (listeners != null) {
            roles.add("broker");
            addresses.add(listeners.advertised());
            properties.put(BrokerConfigs.ADVERTISED_LISTENERS, listeners.advertised());
            properties.put(BrokerConfigs.INTER_BROKER_LISTENER_NAME, ClusterListeners.DEFAULT);
            if (!spec.racks().isEmpty()) {
                properties.put(
                        BrokerConfigs.BROKER_RACK,
                        spec.racks().get((id - 1) % spec.racks().size()));
            }
        }
        if (controllerPort != null) {
            roles.add("controller");
            addresses.add(ClusterListeners.controller(controllerPort));
        }
        properties.put(BrokerConfigs.PROCESS_ROLES, String.join(",", roles));
        properties.put(BrokerConfigs.LISTENERS, String.join(",", addresses));
        properties.put(BrokerConfigs.NODE_ID, Integer.toString(id));
        properties.put(BrokerConfigs.CLUSTER_ID, clusterId);
        properties.put(
                BrokerConfigs.LOG_DIRS,
                files.ofNode((listeners != null ? BROKER_FOLDER : CONTROLLER_FOLDER) + id)
                        .toString());
        properties.put(BrokerConfigs.CONTROLLER_LISTENER_NAMES, CONTROLLERS);
        ClusterListeners.addProtocols(spec.listeners(), properties);
        if (controllerPort != null && !voterIds.contains(id)) {
            // An observer of the quorum until it is given a vote (KIP-853).
            properties.put(BrokerConfigs.CONTROLLER_QUORUM_BOOTSTRAP_SERVERS, voters(""));
        } else {
            properties.put(BrokerConfigs.CONTROLLER_QUORUM_VOTERS, voters("@"));
        }
        return new NodeSpec(id, properties, spec.seed());
    }

    /** Where the voters are; with their ids where those are to be set off from the addresses. */
    private String voters(String afterId) {
        return voterIds.stream()
                .map(id -> (afterId.isEmpty() ? "" : id + afterId) + HOST + ":" + controllerPorts.get(id))
                .collect(Collectors.joining(","));
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
    public synchronized void close() {
        Closing closing = new Closing();
        for (PortReservation reservation : reservations) {
            closing.run(reservation);
        }
        reservations.clear();
        closing.rethrow("give a port back");
    }
}

package io.tidemark.broker.simulation;

import io.tidemark.broker.BrokerConfig;
import io.tidemark.broker.BrokerConfig.UnknownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The nodes of a run, and the machines of its clients. */
final class Cluster {
    static final int FIRST_CONTROLLER = 11;
    static final int FIRST_CLIENT = 101;
    static final int PORT = 9092;
    static final String CLUSTER_ID = "c2ltdWxhdGVkLWNsdXN0ZQ";

    private final World world;
    private final Wires wires;
    private final Options options;
    private final long seed;
    private final List<SimulatedNode> brokers = new ArrayList<>();
    private final List<SimulatedNode> controllers = new ArrayList<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Machine> clientMachines = new ArrayList<>();

    Cluster(World world, Wires wires, Options options, long seed, SimulatedNode.Listener listener) {
        this.world = world;
        this.wires = wires;
        this.options = options;
        this.seed = seed;
        for (int i = 0; i < options.controllers; i++) {
            controllers.add(node(FIRST_CONTROLLER + i, "controller", "CONTROLLER", listener));
        }
        for (int i = 1; i <= options.brokers; i++) {
            brokers.add(node(i, "broker", "PLAINTEXT", listener));
        }
        nodes.addAll(controllers);
        nodes.addAll(brokers);
    }

    private SimulatedNode node(int id, String role, String listenerName, SimulatedNode.Listener listener) {
        Map<String, String> properties = new TreeMap<>(common());
        properties.put("node.id", Integer.toString(id));
        properties.put("process.roles", role);
        properties.put("listeners", listenerName + "://" + Wires.hostOf(id) + ":" + PORT);
        properties.put("log.dirs", "/node-" + id);
        BrokerConfig config = BrokerConfig.of(properties, UnknownNames.REJECT);
        return new SimulatedNode(world, wires, machine(id), config, listener);
    }

    /** Kafka's defaults would have a run wait for half a minute each time that somebody is missed. */
    private Map<String, String> common() {
        String voters = java.util.stream.IntStream.range(0, options.controllers)
                .mapToObj(i -> (FIRST_CONTROLLER + i) + "@" + Wires.hostOf(FIRST_CONTROLLER + i) + ":" + PORT)
                .collect(Collectors.joining(","));
        return Map.ofEntries(
                Map.entry("cluster.id", CLUSTER_ID),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("controller.quorum.voters", voters),
                Map.entry("broker.session.timeout.ms", "3000"),
                Map.entry("broker.heartbeat.interval.ms", "600"),
                Map.entry("replica.lag.time.max.ms", "2000"),
                Map.entry("replica.fetch.wait.max.ms", "400"),
                Map.entry("replica.fetch.backoff.ms", "100"),
                Map.entry("replica.socket.timeout.ms", "3000"),
                Map.entry("replica.high.watermark.checkpoint.interval.ms", "3000"),
                Map.entry("log.flush.offset.checkpoint.interval.ms", "2000"),
                Map.entry("log.segment.delete.delay.ms", "500"),
                Map.entry("log.index.size.max.bytes", "960"),
                Map.entry("log.index.interval.bytes", "256"),
                Map.entry("log.cleaner.enable", "false"),
                Map.entry("socket.connection.setup.timeout.ms", "1000"),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("auto.leader.rebalance.enable", "false"));
    }

    private Machine machine(int id) {
        long offsetMs = options.clockSkew ? world.between(-60_000, 60_000) : 0;
        double rate = options.clockSkew ? 1 + world.between(-20, 20) / 1_000.0 : 1;
        return new Machine(world, wires, id, seed * 31 + id, new SimulatedClock(world, offsetMs, rate));
    }

    Machine newClientMachine() {
        Machine machine = machine(FIRST_CLIENT + clientMachines.size());
        clientMachines.add(machine);
        return machine;
    }

    List<SimulatedNode> brokers() {
        return brokers;
    }

    List<SimulatedNode> controllers() {
        return controllers;
    }

    /** Controllers first. */
    List<SimulatedNode> nodes() {
        return nodes;
    }

    List<Machine> clientMachines() {
        return clientMachines;
    }

    SimulatedNode broker(int id) {
        return brokers.get(id - 1);
    }
}

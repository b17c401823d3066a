package io.tidemark.broker.simulation;

import io.tidemark.broker.BrokerConfig;
import io.tidemark.broker.BrokerConfig.UnknownNames;
import io.tidemark.broker.quorum.QuorumInsight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes of a run, and the machines of its clients. */
final class Cluster {
    /** How far a clock is off at most, ahead or behind. */
    static final int MOST_SKEW_MS = 60_000;

    static final int FIRST_CONTROLLER = 11;
    static final int FIRST_SPARE = 21;
    static final int FIRST_CLIENT = 101;
    static final int PORT = 9092;
    static final int CONTROLLER_PORT = 9093;
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
        for (int i = 0; i < options.controllers && !options.combined; i++) {
            controllers.add(node(FIRST_CONTROLLER + i, "controller", listener));
        }
        for (int i = 1; i <= options.brokers; i++) {
            boolean isBoth = options.combined && i <= options.controllers;
            SimulatedNode broker = node(i, isBoth ? "broker,controller" : "broker", listener);
            brokers.add(broker);
            if (isBoth) {
                controllers.add(broker);
            }
        }
        for (int i = 0; i < options.spareControllers; i++) {
            controllers.add(node(FIRST_SPARE + i, "controller", listener));
        }
        nodes.addAll(controllers);
        brokers.stream().filter(broker -> !nodes.contains(broker)).forEach(nodes::add);
    }

    private SimulatedNode node(int id, String roles, SimulatedNode.Listener listener) {
        List<String> listeners = new ArrayList<>();
        if (roles.contains("broker")) {
            listeners.add("PLAINTEXT://" + Wires.hostOf(id) + ":" + PORT);
        }
        if (roles.contains("controller")) {
            listeners.add("CONTROLLER://" + Wires.hostOf(id) + ":" + CONTROLLER_PORT);
        }
        Map<String, String> properties = new TreeMap<>(common());
        properties.put("node.id", Integer.toString(id));
        properties.put("process.roles", roles);
        properties.put("listeners", String.join(",", listeners));
        properties.put("log.dirs", "/node-" + id);
        if (options.metadataSnapshots) {
            properties.put("metadata.log.max.record.bytes.between.snapshots", "3000");
            properties.put("internal.metadata.log.segment.bytes", "4000");
            properties.put("metadata.max.retention.bytes", "12000");
            properties.put("internal.metadata.delete.delay.millis", "500");
        }
        if (options.transactions != null) {
            properties.putAll(options.transactions.properties());
        }
        if (id >= FIRST_SPARE) {
            properties.remove("controller.quorum.voters");
            properties.put(
                    "controller.quorum.bootstrap.servers",
                    options.voterIds().stream()
                            .map(voter -> Wires.hostOf(voter) + ":" + CONTROLLER_PORT)
                            .collect(Collectors.joining(",")));
            properties.put("controller.quorum.auto.join.enable", Boolean.toString(options.autoJoin));
        }
        BrokerConfig config = BrokerConfig.of(properties, UnknownNames.REJECT);
        return new SimulatedNode(world, wires, machine(id), config, listener);
    }

    /** Kafka's defaults would have a run wait for half a minute each time that somebody is missed. */
    private Map<String, String> common() {
        String voters = options.voterIds().stream()
                .map(id -> id + "@" + Wires.hostOf(id) + ":" + CONTROLLER_PORT)
                .collect(Collectors.joining(","));
        return Map.ofEntries(
                Map.entry("cluster.id", CLUSTER_ID),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("controller.quorum.voters", voters),
                Map.entry("broker.session.timeout.ms", "3000"),
                Map.entry("broker.heartbeat.interval.ms", "600"),
                // Two records a second that say nothing would be most of what happens.
                Map.entry("metadata.max.idle.interval.ms", "0"),
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
        long offsetMs = options.clockSkew ? world.between(-MOST_SKEW_MS, MOST_SKEW_MS) : 0;
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

    /** The controller that leads the quorum, as far as one sees who sees all; null while there is none. */
    @Nullable
    SimulatedNode activeController() {
        SimulatedNode active = null;
        int highest = -1;
        for (SimulatedNode node : controllers) {
            QuorumInsight voter = QuorumOracle.insight(node);
            if (voter != null && voter.isLeader() && voter.leaderEpoch() > highest) {
                active = node;
                highest = voter.leaderEpoch();
            }
        }
        return active;
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

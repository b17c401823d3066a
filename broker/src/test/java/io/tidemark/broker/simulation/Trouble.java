package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;

/** Hurts a cluster, over and over, until it is told to heal it. What it does ends by itself after a while. */
final class Trouble {
    private static final int MOST_PARTITIONS = 4;

    private final World world;
    private final Wires wires;
    private final Cluster cluster;
    private final Options options;
    private final Admin admin;
    private final IntConsumer voterChange;
    private final int total;
    private boolean isOver;

    /** What may be done, and in how many of a hundred runs. */
    enum Kind {
        KILL(60),
        KILL_CONTROLLER(30),
        POWER_LOSS(25),
        POWER_LOSS_OF_CONTROLLER(20),
        POWER_LOSS_OF_ALL(5),
        SHUTDOWN(30),
        PAUSE(35),
        PAUSE_CONTROLLER(20),
        SPLIT_ONE(40),
        SPLIT_CONTROLLER(25),
        SPLIT_FROM_CONTROLLERS(30),
        SPLIT_HALVES(30),
        SPLIT_ONE_WAY(30),
        SLOW_WIRE(25),
        SLOW_DISK(25),
        FAILING_DISK(15),
        ELECTION(40),
        REASSIGNMENT(20),
        PARTITIONS(10),
        MIN_ISR(20),
        UNCLEAN(5),
        TOPIC(20),
        BACK_UNHEARD(12, true),
        VOTERS(15, true);

        private final int sharePercent;
        private final boolean isApart;

        Kind(int sharePercent) {
            this(sharePercent, false);
        }

        Kind(int sharePercent, boolean isApart) {
            this.sharePercent = sharePercent;
            this.isApart = isApart;
        }

        /** Whether it is drawn from a source of its own, so that the runs without it are what they were. */
        boolean isApart() {
            return isApart;
        }

        int sharePercent() {
            return sharePercent;
        }
    }

    /** @param voterChange has the voters of the metadata quorum changed, by one controller or, for 0, by any road */
    Trouble(World world, Wires wires, Cluster cluster, Options options, Admin admin, IntConsumer voterChange) {
        this.world = world;
        this.wires = wires;
        this.cluster = cluster;
        this.options = options;
        this.admin = admin;
        this.voterChange = voterChange;
        int sum = 0;
        for (Kind kind : Kind.values()) {
            sum += options.weight(kind);
        }
        this.total = sum;
    }

    void begin() {
        wires.breaking(options.breakRate);
        wires.delaying(options.delayRate, options.delayUs);
        if (total > 0) {
            next();
        }
    }

    private void next() {
        world.after(world.between(1, 2L * options.meanQuietMs) * World.MS, 0, "trouble", () -> {
            if (!isOver) {
                act(draw());
                next();
            }
        });
    }

    private Kind draw() {
        int drawn = (int) world.between(0, total - 1);
        for (Kind kind : Kind.values()) {
            drawn -= options.weight(kind);
            if (drawn < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("The weights of " + options + " do not add up");
    }

    private SimulatedNode anyBroker() {
        return cluster.broker((int) world.between(1, options.brokers));
    }

    private SimulatedNode anyController() {
        SimulatedNode active = world.chance(0.5) ? cluster.activeController() : null;
        return active != null
                ? active
                : cluster.controllers()
                        .get((int) world.between(0, cluster.controllers().size() - 1));
    }

    private SimulatedNode anyNode() {
        return cluster.nodes().get((int) world.between(0, cluster.nodes().size() - 1));
    }

    /** Mostly short, at times longer than a broker's session. */
    private long whileUs() {
        return world.between(20, world.chance(0.4) ? 6_000 : 1_200) * World.MS;
    }

    private void note(String what) {
        world.trace().note(world.nowUs(), 0, what, 0, 0);
    }

    private void act(Kind kind) {
        switch (kind) {
            case KILL -> kill(anyBroker());
            case KILL_CONTROLLER -> kill(anyController());
            case POWER_LOSS -> losePower(anyBroker());
            case POWER_LOSS_OF_CONTROLLER -> losePower(anyController());
            case POWER_LOSS_OF_ALL -> cluster.nodes().forEach(this::losePower);
            case SHUTDOWN -> shutdown(world.chance(0.2) ? anyController() : anyBroker());
            case PAUSE -> pause(anyBroker());
            case PAUSE_CONTROLLER -> pause(anyController());
            case SPLIT_ONE -> splitOne(anyNode());
            case SPLIT_CONTROLLER -> splitOne(anyController());
            case SPLIT_FROM_CONTROLLERS -> splitFromControllers(anyBroker());
            case SPLIT_HALVES -> splitHalves();
            case SPLIT_ONE_WAY -> splitOneWay();
            case SLOW_WIRE -> slowWire(anyNode());
            case SLOW_DISK -> slowDisk(anyNode());
            case FAILING_DISK -> failingDisk(world.chance(0.2) ? anyController() : anyBroker());
            case ELECTION -> admin.elect(anyTopic(), anyPartition());
            case REASSIGNMENT -> reassign();
            case PARTITIONS -> admin.createPartitions(anyTopic(), (int) world.between(2, MOST_PARTITIONS));
            case MIN_ISR ->
                admin.configure(
                        anyTopic(), "min.insync.replicas", Long.toString(world.between(1, options.replicationFactor)));
            case UNCLEAN ->
                admin.configure(anyTopic(), "unclean.leader.election.enable", Boolean.toString(world.chance(0.5)));
            case TOPIC -> remakeTopic();
            case VOTERS -> changeVoters();
            case BACK_UNHEARD -> comeBackUnheard(anyBroker());
        }
    }

    /** At times one that is not there. */
    private int anyPartition() {
        return (int) world.between(0, options.partitions - 1);
    }

    private void reassign() {
        List<Integer> brokers = new ArrayList<>();
        cluster.brokers().forEach(broker -> brokers.add(broker.id()));
        int count = world.chance(0.7) ? options.replicationFactor : (int) world.between(1, brokers.size());
        while (brokers.size() > count) {
            brokers.remove((int) world.between(0, brokers.size() - 1));
        }
        Collections.rotate(brokers, (int) world.between(0, brokers.size() - 1));
        admin.reassign(anyTopic(), anyPartition(), world.chance(0.15) ? null : brokers);
    }

    private String anyTopic() {
        return Simulation.topicName((int) world.between(0, options.topics - 1));
    }

    private void kill(SimulatedNode node) {
        if (node.isUp()) {
            node.kill();
            startLater(node);
        }
    }

    /** At times it is told to go again before it is all up. */
    private void startLater(SimulatedNode node) {
        boolean isShort = world.chance(0.15);
        world.after(whileUs(), node.id(), "start", () -> {
            node.start();
            if (isShort && !isOver) {
                int life = node.life();
                world.after(world.between(0, world.chance(0.5) ? 600 : 4_000) * World.MS, node.id(), "stop", () -> {
                    if (node.life() == life && !isOver) {
                        shutdown(node);
                    }
                });
            }
        });
    }

    private void losePower(SimulatedNode node) {
        if (node.isUp()) {
            node.losePower(world.random().nextLong());
            startLater(node);
        }
    }

    private void shutdown(SimulatedNode node) {
        if (node.isUp()) {
            node.shutdown(() -> startLater(node));
        }
    }

    private void pause(SimulatedNode node) {
        if (node.isUp() && !node.isPaused()) {
            node.pause();
            int life = node.life();
            world.after(whileUs(), node.id(), "resume", () -> {
                if (node.life() == life) {
                    node.resume();
                }
            });
        }
    }

    private List<Integer> machines() {
        List<Integer> machines = new ArrayList<>();
        cluster.nodes().forEach(node -> machines.add(node.id()));
        cluster.clientMachines().forEach(machine -> machines.add(machine.id()));
        return machines;
    }

    private void splitOne(SimulatedNode node) {
        int alone = node.id();
        boolean isFromClientsToo = world.chance(0.5);
        List<Integer> rest = machines();
        rest.removeIf(id -> id == alone || (!isFromClientsToo && id >= Cluster.FIRST_CLIENT));
        note("SPLIT " + alone + " from " + rest);
        split(List.of(alone), rest, true, true);
    }

    /** It may still reach the other brokers, and they it. */
    private void splitFromControllers(SimulatedNode broker) {
        List<Integer> rest = new ArrayList<>();
        cluster.controllers().forEach(node -> rest.add(node.id()));
        rest.remove(Integer.valueOf(broker.id()));
        boolean isBoth = world.chance(0.5);
        boolean isOut = isBoth || world.chance(0.5);
        note("SPLIT " + broker.id() + " from the controllers" + (isBoth ? "" : isOut ? ", out" : ", in"));
        split(List.of(broker.id()), rest, isOut, isBoth || !isOut);
    }

    /**
     * A broker falls behind the others, and is fenced; then the others have it back before the controllers do, and do
     * not hear from these that it is fenced, though these hear them.
     */
    private void comeBackUnheard(SimulatedNode broker) {
        List<Integer> controllers = new ArrayList<>();
        cluster.controllers().forEach(node -> controllers.add(node.id()));
        List<Integer> others = new ArrayList<>();
        cluster.brokers().forEach(node -> others.add(node.id()));
        others.removeIf(id -> id == broker.id() || controllers.contains(id));
        controllers.remove(Integer.valueOf(broker.id()));
        List<Integer> one = List.of(broker.id());
        long fencedUs = world.between(500, 3_500) * World.MS;
        long unheardUs = fencedUs + world.between(2_000, 2_600) * World.MS;
        long backUs = unheardUs + world.between(600, 1_400) * World.MS;
        note("BACK UNHEARD: " + broker.id() + " among " + others);
        block(one, others, true, true, true);
        world.after(fencedUs, 0, "fenced", () -> block(one, controllers, true, true, true));
        world.after(unheardUs, 0, "unheard", () -> block(controllers, others, true, false, true));
        world.after(backUs, 0, "back", () -> block(one, others, true, true, false));
        world.after(backUs + world.between(200, 900) * World.MS, 0, "join", () -> {
            block(one, controllers, true, true, false);
            block(controllers, others, true, false, false);
        });
    }

    /** At times by a leader that has just lost the others, who elect another meanwhile. */
    private void changeVoters() {
        SimulatedNode active = world.chance(0.4) ? cluster.activeController() : null;
        if (active == null) {
            voterChange.accept(0);
            return;
        }
        List<Integer> rest = new ArrayList<>();
        cluster.nodes().forEach(node -> rest.add(node.id()));
        rest.remove(Integer.valueOf(active.id()));
        note("VOTERS by " + active.id() + ", which is alone");
        List<Integer> one = List.of(active.id());
        block(one, rest, true, true, true);
        voterChange.accept(active.id());
        world.after(world.between(2_000, 6_000) * World.MS, 0, "join", () -> block(one, rest, true, true, false));
    }

    /** All that one machine says, or hears, is late for a while. */
    private void slowWire(SimulatedNode node) {
        boolean isOut = world.chance(0.5);
        boolean isOfControllers = world.chance(0.5);
        long us = world.between(50, world.chance(0.5) ? 400 : 2_500) * World.MS;
        List<Integer> others = machines();
        others.removeIf(id -> id == node.id());
        if (isOfControllers) {
            others.removeIf(id -> cluster.controllers().stream().noneMatch(one -> one.id() == id));
        }
        note("SLOW WIRE " + (isOut ? "from " : "to ") + node.id() + ", of " + others + ", by " + us / World.MS + " ms");
        for (int other : others) {
            wires.slow(isOut ? node.id() : other, isOut ? other : node.id(), us);
        }
        world.after(whileUs(), 0, "fast wire", () -> {
            for (int other : others) {
                wires.slow(isOut ? node.id() : other, isOut ? other : node.id(), 0);
            }
        });
    }

    private void splitHalves() {
        List<Integer> one = new ArrayList<>();
        List<Integer> other = new ArrayList<>();
        machines().forEach(id -> (world.chance(0.5) ? one : other).add(id));
        note("SPLIT " + one + " from " + other);
        split(one, other, true, true);
    }

    private void splitOneWay() {
        List<Integer> all = machines();
        int alone = anyNode().id();
        all.removeIf(id -> id == alone || world.chance(0.3));
        boolean isOut = world.chance(0.5);
        note("SPLIT one way " + (isOut ? "from " : "to ") + alone + ", of " + all);
        split(List.of(alone), all, isOut, !isOut);
    }

    private void split(List<Integer> one, List<Integer> other, boolean there, boolean back) {
        block(one, other, there, back, true);
        world.after(whileUs(), 0, "join", () -> {
            note("JOIN " + one + " and " + other);
            block(one, other, there, back, false);
        });
    }

    private void block(List<Integer> one, List<Integer> other, boolean there, boolean back, boolean isBlocked) {
        if (isBlocked && isOver) {
            return;
        }
        for (int from : one) {
            for (int to : other) {
                if (there) {
                    wires.block(from, to, isBlocked);
                }
                if (back) {
                    wires.block(to, from, isBlocked);
                }
            }
        }
    }

    private void slowDisk(SimulatedNode node) {
        note("SLOW DISK of " + node.id());
        node.machine().trouble().slow(world.between(1, 400) * World.MS);
        world.after(whileUs(), node.id(), "fast disk", () -> node.machine()
                .trouble()
                .slow(0));
    }

    /** Until the node is started again on a disk that is whole. */
    private void failingDisk(SimulatedNode node) {
        if (node.isUp()) {
            note("FAILING DISK of " + node.id());
            node.machine().trouble().failing(world.chance(0.5) ? 1 : 0.05);
            world.after(whileUs(), node.id(), "disk is whole", () -> {
                node.machine().trouble().failing(0);
                if (node.machine().trouble().hasFailed()) {
                    kill(node);
                }
            });
        }
    }

    private void remakeTopic() {
        admin.delete(Simulation.PASSING_TOPIC);
        world.after(
                whileUs(),
                0,
                "topic",
                () -> admin.create(
                        Simulation.PASSING_TOPIC, 1, options.replicationFactor, Simulation.topicConfigs(options)));
    }

    /** What ended by itself is started again. */
    void onFault(SimulatedNode node) {
        startLater(node);
    }

    /** No more of it, and what is still wrong is set right. */
    void heal() {
        isOver = true;
        note("HEAL");
        wires.heal();
        for (SimulatedNode node : cluster.nodes()) {
            node.machine().trouble().heal();
            if (node.isUp() && node.machine().trouble().hasFailed()) {
                node.kill();
            }
            node.resume();
            node.start();
        }
    }
}

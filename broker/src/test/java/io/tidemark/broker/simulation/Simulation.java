package io.tidemark.broker.simulation;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.replication.HostedPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run: a cluster comes up, clients work on it while {@link Trouble} hurts it, everything is healed, and all must
 * come right in time.
 */
public final class Simulation implements SimulatedNode.Listener {
    static final String PASSING_TOPIC = "passing";
    private static final int PIPELINED = 9;
    private static final long APART = 0x7469_6465L;
    private static final long BOOT_US = 10 * World.SECOND;
    private static final long HEAL_US = 60 * World.SECOND;
    private static final long STEP_US = 100 * World.MS;

    private final long seed;
    private final World world;
    private final Wires wires;
    private final Options options;
    private final Oracle oracle;
    private final Cluster cluster;
    private final List<Producer> producers = new ArrayList<>();
    private final List<Consumer> consumers = new ArrayList<>();
    private final @Nullable TransactionWorkload transactions;
    private final Admin admin;
    private final @Nullable PipelinedProducer pipelined;
    private final @Nullable QuorumAdmin quorumAdmin;
    private final Trouble trouble;

    /**
     * How a run came out.
     *
     * @param seed what it was drawn from
     * @param isSound whether every rule held
     * @param report what is to be said of it: one line, or all that a failure has to tell
     * @param traceHash equal for two runs only if they are
     * @param events how many events it had
     * @param virtualMs how long it was
     */
    public record Outcome(long seed, boolean isSound, String report, long traceHash, long events, long virtualMs) {}

    public Simulation(long seed) {
        this.seed = seed;
        world = new World(seed);
        options = Options.draw(
                world.random(),
                new SplittableRandom(seed ^ APART),
                TransactionOptions.isDrawn(seed) ? TransactionOptions.draw(seed) : null);
        wires = new Wires(world);
        oracle = new Oracle(world, wires.tap(), options.voterIds());
        cluster = new Cluster(world, wires, options, seed, this);
        oracle.watch(cluster.nodes());
        admin = new Admin(world, oracle, cluster.newClientMachine(), options.brokers);
        for (int i = 0; i < options.producers; i++) {
            boolean isOfPassing = i == 2 && options.weight(Trouble.Kind.TOPIC) > 0;
            producers.add(new Producer(
                    world,
                    oracle,
                    cluster.newClientMachine(),
                    options.brokers,
                    i + 1,
                    isOfPassing ? PASSING_TOPIC : topicName(i % options.topics),
                    isOfPassing ? 1 : options.partitions));
        }
        for (int i = 0; i < options.consumers; i++) {
            consumers.add(new Consumer(
                    world,
                    oracle,
                    cluster.newClientMachine(),
                    options.brokers,
                    i + 1,
                    topicName(i % options.topics),
                    null));
        }
        transactions = options.transactions == null
                ? null
                : new TransactionWorkload(world, oracle, cluster, options.brokers, options.transactions, topicName(0));
        pipelined = options.pipelined
                ? new PipelinedProducer(
                        world,
                        oracle,
                        cluster.newClientMachine(),
                        options.brokers,
                        PIPELINED,
                        topicName(0),
                        options.partitions)
                : null;
        quorumAdmin = options.hasVoterChanges()
                ? new QuorumAdmin(world, oracle, cluster.newClientMachine(), options.brokers)
                : null;
        trouble = new Trouble(
                world, wires, cluster, options, admin, quorumAdmin == null ? controller -> {} : quorumAdmin::change);
    }

    static String topicName(int number) {
        return "topic-" + number;
    }

    static Map<String, String> topicConfigs(Options options) {
        Map<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", Integer.toString(options.minInsyncReplicas));
        configs.put("unclean.leader.election.enable", Boolean.toString(options.uncleanElections));
        if (options.smallSegments) {
            configs.put("internal.segment.bytes", "2000");
        }
        return configs;
    }

    /** Never throws: a rule that was broken is an outcome too. */
    public Outcome run() {
        try {
            boot();
            hurt();
            heal();
            return outcome(
                    true,
                    "seed " + seed + ": " + oracle.summary()
                            + (transactions == null ? "" : ", " + transactions.summary()));
        } catch (Throwable e) {
            return outcome(false, new FailureReport(seed, options, world, e).text());
        }
    }

    private Outcome outcome(boolean isSound, String report) {
        return new Outcome(seed, isSound, report, world.trace().hash(), world.eventCount(), world.nowUs() / World.MS);
    }

    private void boot() {
        for (SimulatedNode node : cluster.nodes()) {
            world.after(world.between(0, 500) * World.MS, node.id(), "start", node::start);
        }
        admin.start();
        for (int i = 0; i < options.topics; i++) {
            admin.create(topicName(i), options.partitions, options.replicationFactor, topicConfigs(options));
        }
        if (quorumAdmin != null) {
            quorumAdmin.start();
        }
        producers.forEach(Producer::start);
        if (pipelined != null) {
            pipelined.start();
        }
        consumers.forEach(Consumer::start);
        if (transactions != null) {
            transactions.start();
        }
        long limitUs = world.nowUs() + BOOT_US;
        while (oracle.acknowledgedCount() == 0
                && world.nowUs() < limitUs
                && oracle.living().isEmpty()) {
            world.runFor(STEP_US);
        }
        if (oracle.living().isEmpty()) {
            throw new Violation("[progress] No topic could be created within " + BOOT_US / World.SECOND + " s");
        }
    }

    private void hurt() {
        trouble.begin();
        world.runFor(options.hurtMs * World.MS);
    }

    private void heal() throws IOException {
        trouble.heal();
        producers.forEach(Producer::end);
        if (transactions != null) {
            transactions.end();
        }
        if (pipelined != null) {
            pipelined.end();
        }
        // A transaction that began by one clock times out by another's, which may be behind.
        long patienceUs = HEAL_US + (options.clockSkew ? 2 * Cluster.MOST_SKEW_MS * World.MS : 0);
        long limitUs = world.nowUs() + patienceUs;
        String missing = missing();
        while (!missing.isEmpty()) {
            if (world.nowUs() > limitUs) {
                throw new Violation(
                        "[progress] All is healed since " + patienceUs / World.SECOND + " s, and still " + missing);
            }
            world.runFor(STEP_US);
            operate();
            missing = missing();
        }
        new EndChecks(cluster, oracle).check();
        if (transactions != null) {
            transactions.checkEnd();
        }
    }

    /**
     * What Kafka waits for an operator with: a leader where every member of ISR and ELR came back uncleanly and no last
     * leader is known; and a reassignment that was changed so that a replica is on its way both in and out.
     */
    private void operate() {
        for (PartitionModel model : oracle.living()) {
            PartitionRegistration decided = model.decided;
            if (decided != null && !Collections.disjoint(decided.addingReplicas(), decided.removingReplicas())) {
                admin.reassign(model.name.topic(), model.name.partition(), null);
            }
            if (decided != null
                    && !decided.hasLeader()
                    && decided.isr().isEmpty()
                    && decided.elr().isEmpty()
                    && decided.lastKnownElr().isEmpty()) {
                model.isUncleanElectionAsked = true;
                admin.electUncleanly(model.name.topic(), model.name.partition());
            }
        }
    }

    /** What has yet to come right, or nothing. */
    private String missing() {
        for (SimulatedNode node : cluster.nodes()) {
            if (!node.isUp()) {
                return "node " + node.id() + " is down";
            }
        }
        for (Producer producer : producers) {
            if (!producer.isAtRest()) {
                return producer + " has a batch without an outcome";
            }
        }
        if (pipelined != null && !pipelined.isAtRest()) {
            return pipelined + " has batches without an outcome";
        }
        for (PartitionModel model : oracle.living()) {
            String missing = missing(model);
            if (!missing.isEmpty()) {
                return model + ": " + missing;
            }
        }
        String missing = transactions == null ? "" : transactions.missing();
        return missing.isEmpty() ? EndChecks.metadataDifference(cluster, oracle) : missing;
    }

    private List<String> ends(PartitionModel model, PartitionRegistration decided) {
        List<String> ends = new ArrayList<>();
        for (int broker : decided.replicas()) {
            HostedPartition replica = oracle.replica(broker, model);
            ends.add("broker " + broker + " "
                    + (replica == null
                            ? "has none"
                            : "ends at " + replica.logEndOffset() + " with epochs "
                                    + replica.log().epochStarts()));
        }
        return ends;
    }

    private String missing(PartitionModel model) {
        PartitionRegistration decided = model.decided;
        if (decided == null || !decided.hasLeader()) {
            return "there is no leader: " + decided;
        }
        if (!decided.addingReplicas().isEmpty() || !decided.removingReplicas().isEmpty()) {
            return "its reassignment is not over: " + decided;
        }
        if (decided.isr().size() < decided.replicas().size()) {
            return "not every replica is in sync: " + decided + "; " + ends(model, decided);
        }
        HostedPartition leader = oracle.replica(decided.leader(), model);
        if (leader == null || !leader.isLeader()) {
            return "broker " + decided.leader() + " does not lead it";
        }
        for (int broker : decided.replicas()) {
            HostedPartition replica = oracle.replica(broker, model);
            if (replica == null) {
                return "broker " + broker + " does not host it";
            }
            if (replica.logEndOffset() != leader.logEndOffset() || replica.highWatermark() != leader.logEndOffset()) {
                return "broker " + broker + " ends at " + replica.logEndOffset() + " with a high watermark of "
                        + replica.highWatermark() + ", and the leader ends at " + leader.logEndOffset();
            }
        }
        return "";
    }

    @Override
    public void onFault(SimulatedNode node, Throwable cause) {
        oracle.onFault(node, cause);
        trouble.onFault(node);
    }

    @Override
    public void onPowerLoss(SimulatedNode node) {
        oracle.onPowerLoss(node);
    }
}

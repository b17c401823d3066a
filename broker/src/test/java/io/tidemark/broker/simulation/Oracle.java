package io.tidemark.broker.simulation;

import io.tidemark.broker.Broker;
import io.tidemark.broker.NodeInsight;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows what must hold, and looks after every event at the node that it happened on.
 *
 * <p>What is promised of a record that was committed: every later leader has it, unless the leader came from outside of
 * the ISR and the ELR (an unclean election, or the last known leader of a partition that has neither), or every member
 * of both had lost power since it was in sync. Then what the new leader has is the truth from its epoch on.
 */
final class Oracle {
    /** Of how many of a log's last records it is seen whether something was appended just now. */
    private static final int LOOK_BACK = 100;

    private final World world;
    private final WireTap tap;
    private final Map<Integer, SimulatedNode> nodes = new TreeMap<>();
    private final PartitionModels models = new PartitionModels(nodes);
    private final Set<Long> producerIds = new HashSet<>();
    private final Map<Integer, Long> appliedOffsets = new HashMap<>();
    private final QuorumOracle quorum;
    private final ReplicaOracle replicas;
    private @Nullable TransactionOracle transactions;
    private long acknowledgedCount;
    private long shownCount;

    /** @param voters the controllers that have a vote until another set of them is in the log */
    Oracle(World world, WireTap tap, SortedSet<Integer> voters) {
        this.world = world;
        this.tap = tap;
        tap.watch(id -> {
            SimulatedNode node = nodes.get(id);
            return node == null ? null : QuorumOracle.insight(node);
        });
        this.quorum = new QuorumOracle(
                world, nodes, new VoterOracle(tap, voters), new DecisionOracle(world, models)::onDecided);
        this.replicas = new ReplicaOracle(world, models);
    }

    void watch(Collection<SimulatedNode> watched) {
        watched.forEach(node -> nodes.put(node.id(), node));
        world.observe(event -> {
            if (event.what() == SimulatedLoop.TASK) {
                look(event.place());
            }
        });
    }

    void watchTransactions(TransactionOracle newTransactions) {
        transactions = newTransactions;
    }

    // --- what clients tell

    boolean isDeleted(Uuid topicId) {
        return models.isDeleted(topicId);
    }

    private PartitionModel model(Uuid topicId, int partition) {
        TopicImage topic = decided().topics().topic(topicId);
        return models.model(topicId, new TopicPartition(topic == null ? "?" : topic.name(), partition));
    }

    void onProducerId(long producerId) {
        if (!producerIds.add(producerId)) {
            throw new Violation("Producer id " + producerId + " was given twice");
        }
    }

    void onAcknowledged(
            int client,
            Uuid topicId,
            int partition,
            long baseOffset,
            List<String> values,
            boolean byAll,
            boolean isIdempotent) {
        acknowledgedCount++;
        world.trace()
                .note(world.nowUs(), client, "acknowledged at {1}: {2} records " + values, baseOffset, values.size());
        PartitionModel model = model(topicId, partition);
        if (!byAll || isDeleted(topicId)) {
            return;
        }
        for (int i = 0; i < values.size(); i++) {
            long offset = baseOffset + i;
            String value = values.get(i);
            boolean isThere = offset < model.committed.size()
                    && model.committed.get((int) offset).equals(value);
            if (!isThere && !model.hasLost()) {
                throw new Violation("[INV-5] " + value + " of " + model + " is acknowledged at offset " + offset
                        + ", where " + model.at(offset) + " is committed");
            }
            if (isThere) {
                model.acknowledged.put(value, offset);
                if (isIdempotent) {
                    model.acknowledgedOnce.add(value);
                }
            }
        }
    }

    /** Of a batch that was refused for too few replicas, each time that it was sent, its leader has nothing. */
    void onNotAppended(int leader, Uuid topicId, int partition, List<String> values) {
        PartitionModel model = model(topicId, partition);
        SimulatedNode node = nodes.get(leader);
        HostedPartition replica = replica(leader, model);
        if (node == null || replica == null) {
            return;
        }
        node.machine().trouble().lookedAt(true);
        try {
            long from = Math.max(replica.logStartOffset(), replica.logEndOffset() - LOOK_BACK);
            List<String> there = PartitionModel.values(replica, from, replica.logEndOffset());
            if (values.stream().anyMatch(there::contains)) {
                throw new Violation("[INV-37] Broker " + leader + " refuses " + values + " of " + model
                        + " for too few replicas, and has appended them; it ends at " + replica.logEndOffset());
            }
        } catch (IOException e) {
            throw new Violation("The log of " + model + " on broker " + leader + " cannot be read: " + e, e);
        } finally {
            node.machine().trouble().lookedAt(false);
        }
    }

    void onRefused(Uuid topicId, int partition, List<String> values) {
        model(topicId, partition).refused.addAll(values);
    }

    void onOutOfOrder(int client, Uuid topicId, int partition, List<String> values) {
        PartitionModel model = model(topicId, partition);
        if (!model.hasLost() && !isDeleted(topicId)) {
            throw new Violation("[INV-30] Client " + client + " is told that " + values + " of " + model
                    + " is out of order, and nothing was lost");
        }
    }

    void onShown(int client, Uuid topicId, int partition, long offset, String value, long expectedOffset) {
        shownCount++;
        PartitionModel model = model(topicId, partition);
        if (model.hasLost() || isDeleted(topicId)) {
            return;
        }
        if (offset != expectedOffset) {
            throw new Violation("[INV-1] Client " + client + " is shown offset " + offset + " of " + model + " after "
                    + (expectedOffset - 1));
        }
        if (offset >= model.committed.size()
                || !model.committed.get((int) offset).equals(value)) {
            throw new Violation("[INV-3] Client " + client + " is shown " + value + " at offset " + offset + " of "
                    + model + ", where " + model.at(offset) + " is committed");
        }
    }

    void onTakenBack(int client, Uuid topicId, int partition, long offset, String how) {
        PartitionModel model = model(topicId, partition);
        if (!model.hasLost() && !isDeleted(topicId)) {
            throw new Violation("[INV-3] What client " + client + " was shown of " + model + " is taken back: offset "
                    + offset + " " + how + "; committed is up to " + model.committed.size());
        }
    }

    List<Integer> controllerIds() {
        return nodes.values().stream()
                .filter(SimulatedNode::isController)
                .map(SimulatedNode::id)
                .toList();
    }

    /** Who asks a node whose disk fails may be told of an unknown error. */
    boolean hasAnyDiskFailed() {
        return nodes.values().stream().anyMatch(node -> node.machine().trouble().hasEverFailed());
    }

    void onUnexpected(int client, String what) {
        throw new Violation("Client " + client + ": " + what);
    }

    // --- what happens to nodes

    void onPowerLoss(SimulatedNode node) {
        models.forEach(model -> {
            model.tainted.put(node.id(), decided().cluster().brokerEpoch(node.id()));
            model.lostPower.add(node.id());
        });
    }

    void onFault(SimulatedNode node, Throwable cause) {
        if (!node.machine().trouble().hasFailed()) {
            throw new Violation("Node " + node.id() + " came to an end by itself: " + cause, cause);
        }
    }

    // --- what is looked at

    private void look(int place) {
        SimulatedNode node = nodes.get(place);
        Broker broker = node == null ? null : node.broker();
        if (node == null || broker == null) {
            return;
        }
        node.machine().trouble().lookedAt(true);
        try {
            long fetchAskedUs = tap.takeFetchAskedUs(node.id());
            quorum.look(node, fetchAskedUs);
            if (node.isBroker()) {
                lookAtBroker(node, broker, fetchAskedUs);
            }
        } catch (IOException e) {
            throw new Violation("Node " + place + ": its log cannot be read: " + e, e);
        } finally {
            node.machine().trouble().lookedAt(false);
        }
    }

    private void lookAtBroker(SimulatedNode node, Broker broker, long fetchAskedUs) throws IOException {
        MetadataImage image = NodeInsight.image(broker);
        HostedPartitions hosted = NodeInsight.partitions(broker);
        if (image == null || hosted == null) {
            return;
        }
        lookAtApplied(node, image);
        long brokerEpoch = NodeInsight.brokerEpoch(broker);
        if (brokerEpoch >= 0 && image.cluster().brokerEpoch(node.id()) == brokerEpoch) {
            node.logsAreOpen(!hosted.partitions().isEmpty());
        }
        for (HostedPartition replica : hosted.partitions()) {
            replicas.look(node, replica, fetchAskedUs);
        }
        if (transactions != null) {
            transactions.look(node, hosted);
        }
    }

    private void lookAtApplied(SimulatedNode node, MetadataImage image) {
        int key = node.id() * 100_000 + node.life();
        Long before = appliedOffsets.put(key, image.lastOffset());
        if (before != null && image.lastOffset() < before) {
            throw new Violation("Broker " + node.id() + " has applied the metadata up to " + image.lastOffset()
                    + " after " + before);
        }
    }

    // --- what the end checks need

    @Nullable
    HostedPartition replica(int brokerId, PartitionModel model) {
        return models.replica(brokerId, model);
    }

    MetadataImage decided() {
        return quorum.decided();
    }

    QuorumOracle quorum() {
        return quorum;
    }

    /** The models of the partitions that there are. */
    List<PartitionModel> living() {
        List<PartitionModel> living = new ArrayList<>();
        for (TopicImage topic : decided().topics().byName().values()) {
            for (int partition : topic.partitions().keySet()) {
                living.add(model(topic.id(), partition));
            }
        }
        return living;
    }

    String summary() {
        return acknowledgedCount + " acknowledgements, " + quorum.electionCount() + " controllers, "
                + quorum.voters().changeCount() + " changes of the voters, " + shownCount
                + " records shown, " + replicas.excusedCount() + " losses that may be";
    }

    long acknowledgedCount() {
        return acknowledgedCount;
    }

    static boolean same(@Nullable Object one, @Nullable Object other) {
        return Objects.equals(one, other);
    }
}

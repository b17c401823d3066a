package io.tidemark.broker.simulation;

import io.tidemark.broker.Broker;
import io.tidemark.broker.NodeInsight;
import io.tidemark.broker.metadata.ClusterImage;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.partition.LeaderPartition;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
    private final Map<Uuid, Map<Integer, PartitionModel>> partitions = new LinkedHashMap<>();
    private final Set<Uuid> deleted = new LinkedHashSet<>();
    private final Set<Long> producerIds = new HashSet<>();
    private final Map<Integer, Long> appliedOffsets = new HashMap<>();
    private final QuorumOracle quorum;
    private @Nullable TransactionOracle transactions;
    private long acknowledgedCount;
    private long shownCount;
    private long excusedCount;

    /** @param voters the controllers that have a vote until another set of them is in the log */
    Oracle(World world, WireTap tap, SortedSet<Integer> voters) {
        this.world = world;
        this.tap = tap;
        tap.watch(id -> {
            SimulatedNode node = nodes.get(id);
            return node == null ? null : QuorumOracle.insight(node);
        });
        this.quorum = new QuorumOracle(world, nodes, new VoterOracle(tap, voters), this::onDecided);
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
        return deleted.contains(topicId);
    }

    private PartitionModel model(Uuid topicId, int partition) {
        TopicImage topic = decided().topics().topic(topicId);
        return model(topicId, new TopicPartition(topic == null ? "?" : topic.name(), partition));
    }

    private PartitionModel model(Uuid topicId, TopicPartition name) {
        Map<Integer, PartitionModel> models = partitions.computeIfAbsent(topicId, id -> new LinkedHashMap<>());
        PartitionModel model = models.get(name.partition());
        if (model == null) {
            model = new PartitionModel(name, topicId);
            models.put(name.partition(), model);
        }
        return model;
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
                        + ", where " + at(model, offset) + " is committed");
            }
            if (isThere) {
                model.acknowledged.put(value, offset);
                if (isIdempotent) {
                    model.acknowledgedOnce.add(value);
                }
            }
        }
    }

    private static String at(PartitionModel model, long offset) {
        return offset < model.committed.size()
                ? model.committed.get((int) offset)
                : "nothing (the watermark is " + model.committed.size() + ")";
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
                    + model + ", where " + at(model, offset) + " is committed");
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
        for (Map<Integer, PartitionModel> models : partitions.values()) {
            for (PartitionModel model : models.values()) {
                model.tainted.put(node.id(), decided().cluster().brokerEpoch(node.id()));
            }
        }
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

    private void onDecided(MetadataImage before, MetadataImage image) {
        for (TopicImage topic : before.topics().byName().values()) {
            if (image.topics().topic(topic.id()) == null) {
                deleted.add(topic.id());
            }
        }
        boolean isClusterChanged = !image.cluster().equals(before.cluster());
        for (TopicImage topic : image.topics().byName().values()) {
            TopicImage known = before.topics().topic(topic.id());
            if (topic == known && !isClusterChanged) {
                continue;
            }
            topic.partitions().forEach((number, registration) -> {
                PartitionModel model = model(topic.id(), number);
                PartitionRegistration old = model.decided;
                if (old == null || !old.equals(registration)) {
                    onDecided(model, old, registration, before, image);
                }
                checkDecided(model, registration, image);
            });
        }
    }

    private void onDecided(
            PartitionModel model,
            @Nullable PartitionRegistration old,
            PartitionRegistration now,
            MetadataImage before,
            MetadataImage image) {
        world.trace()
                .note(
                        world.nowUs(),
                        0,
                        "DECIDED " + model.name + " leader " + now.leader() + " epoch {1}/{2} isr " + now.isr()
                                + " elr " + now.elr()
                                + (now.lastKnownElr().isEmpty() ? "" : " last " + now.lastKnownElr()),
                        now.leaderEpoch(),
                        now.partitionEpoch());
        model.decided = now;
        if (old != null) {
            // Another min.insync.replicas empties the ELR, and is no change of the partition's own.
            boolean isOnlyElr = now.isr().equals(old.isr()) && now.leaderEpoch() == old.leaderEpoch();
            if (now.leaderEpoch() < old.leaderEpoch()
                    || now.partitionEpoch() < old.partitionEpoch()
                    || (now.partitionEpoch() == old.partitionEpoch() && !isOnlyElr)) {
                throw new Violation("[INV-16] The epochs of " + model + " go from " + old + " to " + now);
            }
            if (isUncleanRevert(old, now) && isUnclean(model, image)) {
                model.revertedTo = now.isr().get(0);
            }
            if (now.hasLeader() && now.leaderEpoch() > old.leaderEpoch()) {
                judgeElection(model, old, now, before, image);
                model.revertedTo = -1;
            }
        }
        for (int member : now.isr()) {
            boolean isJoining = old != null && !old.isr().contains(member);
            if (isJoining
                    && member != model.revertedTo
                    && !before.cluster().isActive(member)
                    && !image.cluster().isActive(member)) {
                throw new Violation("[INV-13] Broker " + member + " joins the ISR of " + model
                        + " while it is fenced or on its way down: " + now);
            }
        }
        checkHoldCommitted(model, now);
        for (int member : now.isr()) {
            Long taintedEpoch = model.tainted.get(member);
            if (taintedEpoch != null && image.cluster().brokerEpoch(member) > taintedEpoch) {
                if (model.excuses.containsKey(now.leaderEpoch()) && now.leader() == member) {
                    continue;
                }
                model.tainted.remove(member);
            }
        }
    }

    private static boolean isUncleanRevert(PartitionRegistration old, PartitionRegistration now) {
        return !old.addingReplicas().isEmpty()
                && now.addingReplicas().isEmpty()
                && old.addingReplicas().containsAll(old.isr())
                && now.isr().size() == 1
                && !old.isr().contains(now.isr().get(0));
    }

    /** Whoever may be elected cleanly has everything that is committed. */
    private void checkHoldCommitted(PartitionModel model, PartitionRegistration now) {
        List<Integer> eligible = new ArrayList<>(now.isr());
        eligible.addAll(now.elr());
        for (int member : eligible) {
            HostedPartition theirs = replica(member, model);
            if (theirs != null
                    && !model.hasLost()
                    && model.excuses.isEmpty()
                    && member != model.revertedTo
                    && !model.tainted.containsKey(member)
                    && theirs.logEndOffset() < model.committed.size()) {
                throw new Violation("[INV-13] Broker " + member + " may be elected for " + model + " and ends at "
                        + theirs.logEndOffset() + ", and committed is up to " + model.committed.size()
                        + "; decided is " + now);
            }
        }
    }

    private void judgeElection(
            PartitionModel model,
            PartitionRegistration old,
            PartitionRegistration now,
            MetadataImage before,
            MetadataImage image) {
        Set<Integer> eligible = new LinkedHashSet<>(old.isr());
        eligible.addAll(old.elr());
        eligible.remove(model.revertedTo);
        // Who has come back in another life at the same moment, and was taken out for it.
        eligible.removeIf(member ->
                before.cluster().brokerEpoch(member) != image.cluster().brokerEpoch(member)
                        && !now.isr().contains(member)
                        && !now.elr().contains(member));
        boolean isMoved =
                !old.addingReplicas().isEmpty() || !old.removingReplicas().isEmpty();
        if (isMoved && now.addingReplicas().isEmpty() && now.removingReplicas().isEmpty()) {
            // The leader let the last of the new replicas in, and went itself by that.
            now.isr().stream().filter(old.replicas()::contains).forEach(eligible::add);
        }
        int leader = now.leader();
        if (!eligible.contains(leader)) {
            boolean isAllowed = isUnclean(model, image)
                    || (eligible.isEmpty()
                            && (old.lastKnownElr().isEmpty()
                                    || old.lastKnownElr().contains(leader)));
            if (!isAllowed) {
                throw new Violation("[INV-17] Broker " + leader + " is elected for " + model + " out of " + old
                        + " though unclean elections are off");
            }
            model.excuses.put(now.leaderEpoch(), "an unclean election of " + leader + " out of " + eligible);
        } else if (model.tainted.keySet().containsAll(eligible)) {
            model.excuses.put(now.leaderEpoch(), "a power loss of all of " + eligible);
        }
    }

    private static boolean isUnclean(PartitionModel model, MetadataImage image) {
        return "true"
                .equals(image.configsOf(ConfigResource.topic(model.name.topic()))
                        .get("unclean.leader.election.enable"));
    }

    private static void checkDecided(PartitionModel model, PartitionRegistration now, MetadataImage image) {
        ClusterImage cluster = image.cluster();
        for (int member : now.isr()) {
            if (!cluster.isAlive(member) && now.isr().size() > 1) {
                throw new Violation("[INV-14] Broker " + member + " is fenced and in the ISR of " + model + ": " + now);
            }
            if (now.elr().contains(member)) {
                throw new Violation("[INV-14] Broker " + member + " is in both ISR and ELR of " + model + ": " + now);
            }
        }
        if (!now.elr().isEmpty() && now.isr().size() >= minIsr(model, now, image)) {
            throw new Violation("[INV-14] The ISR of " + model + " is large enough, and its ELR is not empty: " + now);
        }
        if (!now.replicas().containsAll(now.isr()) || !now.replicas().containsAll(now.elr())) {
            throw new Violation("[INV-14] ISR or ELR of " + model + " hold what is no replica: " + now);
        }
        if (now.hasLeader() && !now.isr().contains(now.leader())) {
            throw new Violation("[INV-17] The leader of " + model + " is not in its ISR: " + now);
        }
        if (now.hasLeader() && !cluster.isAlive(now.leader())) {
            throw new Violation("[INV-17] The leader of " + model + " is fenced: " + now);
        }
    }

    private static int minIsr(PartitionModel model, PartitionRegistration now, MetadataImage image) {
        String set = image.configsOf(ConfigResource.topic(model.name.topic())).get("min.insync.replicas");
        return Math.min(set == null ? 1 : Integer.parseInt(set), now.replicas().size());
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
            lookAtReplica(node, replica, fetchAskedUs);
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

    private void lookAtReplica(SimulatedNode node, HostedPartition replica, long fetchAskedUs) throws IOException {
        PartitionModel model = model(replica.id().topicId(), replica.topicPartition());
        PartitionModel.Seen seen = model.seenOn(node.id());
        boolean isLeading = replica.isLeader();
        int leaderEpoch = replica.leaderEpoch();
        long highWatermark = replica.highWatermark();
        long endOffset = replica.logEndOffset();
        if (seen.life != node.life() || seen.replica != replica) {
            seen.life = node.life();
            seen.replica = replica;
            seen.leaderEpoch = -1;
            seen.isLeading = false;
            seen.highWatermark = 0;
            seen.endOffset = endOffset;
            seen.epochSinceUs = world.nowUs();
        }
        if (highWatermark > endOffset || replica.logStartOffset() > highWatermark) {
            throw new Violation("[INV-2] Broker " + node.id() + " has " + model + " from " + replica.logStartOffset()
                    + " to " + endOffset + " and a high watermark of " + highWatermark);
        }
        if (leaderEpoch < seen.leaderEpoch) {
            throw new Violation("[INV-7] The leader epoch of " + model + " on broker " + node.id() + " falls from "
                    + seen.leaderEpoch + " to " + leaderEpoch);
        }
        boolean isNewEpoch = leaderEpoch > seen.leaderEpoch;
        if (isNewEpoch) {
            seen.epochSinceUs = world.nowUs();
        }
        if (endOffset != seen.endOffset || isNewEpoch) {
            lookAtEnd(node, model, replica, seen, fetchAskedUs);
            seen.endOffset = endOffset;
        }
        if (isLeading && (isNewEpoch || !seen.isLeading)) {
            onLeading(node, model, replica, leaderEpoch);
        } else if (isLeading && highWatermark < seen.highWatermark) {
            throw new Violation("[INV-3] The high watermark of " + model + " on its leader " + node.id()
                    + " falls from " + seen.highWatermark + " to " + highWatermark);
        }
        if (highWatermark > seen.highWatermark || isNewEpoch) {
            if (replica.lastStableOffset() > highWatermark) {
                throw new Violation("[INV-2] The last stable offset of " + model + " on broker " + node.id() + " is "
                        + replica.lastStableOffset() + ", above its high watermark of " + highWatermark);
            }
            if (leaderEpoch >= model.lineageEpoch) {
                // Who leads after a loss may have believed in more than was left, and commits it by that.
                long from = Math.min(Math.min(seen.highWatermark, highWatermark), model.committed.size());
                onHighWatermark(node, model, replica, from, isLeading);
            }
        }
        checkLatest(node, model, replica);
        seen.leaderEpoch = leaderEpoch;
        seen.isLeading = isLeading;
        seen.highWatermark = highWatermark;
    }

    /** Whoever asks the leader for the latest offset now is told none below what was shown before (KIP-207). */
    private void checkLatest(SimulatedNode node, PartitionModel model, HostedPartition replica) {
        LeaderPartition leader = replica.leader();
        PartitionRegistration decided = model.decided;
        if (leader != null
                && decided != null
                && decided.leaderEpoch() == leader.leaderEpoch()
                && leader.leaderEpoch() >= model.lineageEpoch
                && leader.isLatestOffsetAvailable()
                && leader.highWatermark() < model.committed.size()
                && !isDeleted(model.topicId)) {
            throw new Violation("[INV-61] Broker " + node.id() + ", which leads " + model + " in epoch "
                    + leader.leaderEpoch() + " from " + leader.epochStartOffset() + ", tells the latest offset as "
                    + leader.highWatermark() + ", and committed is up to " + model.committed.size());
        }
    }

    private static void lookAtEnd(
            SimulatedNode node, PartitionModel model, HostedPartition replica, PartitionModel.Seen seen, long askedUs)
            throws IOException {
        long endOffset = replica.logEndOffset();
        boolean isCut = endOffset < seen.endOffset;
        if (!replica.isLeader() && endOffset != seen.endOffset && askedUs < seen.epochSinceUs) {
            throw new Violation("[INV-12] Broker " + node.id() + " follows " + model + " in epoch "
                    + replica.leaderEpoch() + " and takes the answer to a fetch of an older one: its log ended at "
                    + seen.endOffset + " and ends at " + endOffset);
        }
        Map<Integer, Long> starts = replica.log().epochStarts();
        long lastStart = starts.values().stream().reduce(-1L, (before, start) -> {
            if (start <= before) {
                throw new Violation("[INV-7] The epochs of " + model + " on broker " + node.id() + " do not rise: "
                        + replica.log().epochStarts());
            }
            return start;
        });
        if (lastStart > endOffset || (isCut && lastStart >= endOffset && endOffset > 0)) {
            throw new Violation("[INV-7] The log of " + model + " on broker " + node.id() + " ends at " + endOffset
                    + ", and its epochs go on: " + starts);
        }
        if (replica.isLeader() && !starts.containsKey(replica.leaderEpoch())) {
            throw new Violation("[INV-8] Broker " + node.id() + " leads " + model + " in epoch " + replica.leaderEpoch()
                    + ", and has not written where that starts: " + starts);
        }
        if (isCut) {
            ProducerCheck.check(node, model, replica);
        }
    }

    private void onLeading(SimulatedNode node, PartitionModel model, HostedPartition replica, int leaderEpoch)
            throws IOException {
        world.trace()
                .note(
                        world.nowUs(),
                        node.id(),
                        "LEADS " + model.name + " in epoch {1} from {2}",
                        leaderEpoch,
                        replica.logEndOffset());
        Integer other = model.leaders.put(leaderEpoch, node.id());
        if (other != null && other != node.id()) {
            throw new Violation("[one leader] " + model + " has two leaders of epoch " + leaderEpoch + ": " + other
                    + " and " + node.id());
        }
        if (leaderEpoch < model.lineageEpoch || isDeleted(model.topicId) || isSuperseded(model, leaderEpoch)) {
            return;
        }
        ProducerCheck.check(node, model, replica);
        int due = model.committedBefore(leaderEpoch).size();
        int kept = agreeing(model, PartitionModel.values(replica, 0, model.committed.size()));
        String excuse = excuse(model, leaderEpoch);
        if (kept >= due) {
            if (excuse != null) {
                // The leader before may not have heard of this, and commit what will not last.
                model.lineageEpoch = leaderEpoch;
            }
            return;
        }
        if (excuse == null) {
            throw new Violation("[INV-5] Broker " + node.id() + " leads " + model + " in epoch " + leaderEpoch
                    + " and has other than what is committed from offset " + kept + " to " + due
                    + ": " + at(model, kept) + " is lost; it ends at " + replica.logEndOffset());
        }
        world.trace()
                .note(
                        world.nowUs(),
                        node.id(),
                        "LOSES {1} records of " + model.name + " from {2}, as it may: " + excuse,
                        model.committed.size() - kept,
                        kept);
        excusedCount++;
        List<String> gone = model.committed.subList(kept, model.committed.size());
        model.lost += gone.size();
        gone.forEach(value -> {
            model.acknowledged.remove(value);
            model.acknowledgedOnce.remove(value);
        });
        gone.clear();
        model.lineageEpoch = leaderEpoch;
        model.tainted.remove(node.id());
    }

    /** One that was paused hears of its election when a later leader has committed more. */
    private static boolean isSuperseded(PartitionModel model, int leaderEpoch) {
        return model.leaders.keySet().stream().anyMatch(epoch -> epoch > leaderEpoch);
    }

    /** A leader of a later epoch may have been elected before the one that was excused had taken over. */
    private static @Nullable String excuse(PartitionModel model, int leaderEpoch) {
        for (int epoch = leaderEpoch; epoch > model.lineageEpoch; epoch--) {
            String excuse = model.excuses.get(epoch);
            if (excuse != null) {
                return excuse;
            }
        }
        return null;
    }

    private static int agreeing(PartitionModel model, List<String> values) {
        int count = Math.min(values.size(), model.committed.size());
        for (int i = 0; i < count; i++) {
            if (!values.get(i).equals(model.committed.get(i))) {
                return i;
            }
        }
        return count;
    }

    private void onHighWatermark(
            SimulatedNode node, PartitionModel model, HostedPartition replica, long from, boolean isLeading)
            throws IOException {
        long highWatermark = replica.highWatermark();
        List<String> values = PartitionModel.values(replica, from, highWatermark);
        if (values.size() != highWatermark - from) {
            throw new Violation("[INV-1] The log of " + model + " on broker " + node.id() + " from " + from + " to "
                    + highWatermark + " has only " + values.size() + " records; its segments start at "
                    + replica.log().segmentSources().stream()
                            .map(Object::toString)
                            .toList() + ", its epochs are "
                    + replica.log().epochStarts());
        }
        for (int i = 0; i < values.size(); i++) {
            int offset = (int) from + i;
            if (offset < model.committed.size()) {
                // After a loss a follower may still have, and believe in, what is no longer true.
                if ((isLeading || !model.hasLost())
                        && !model.committed.get(offset).equals(values.get(i))) {
                    throw new Violation("[INV-6] Broker " + node.id() + " has " + values.get(i) + " at offset " + offset
                            + " of " + model + ", where " + at(model, offset) + " is committed; its high watermark is "
                            + highWatermark);
                }
            } else if (isLeading) {
                model.commit(values.get(i), replica.leaderEpoch());
            } else if (!model.hasLost() && !node.machine().trouble().hasFailed()) {
                // Where the disk fails, one may have led for a moment that nobody saw.
                throw new Violation("[INV-4] Follower " + node.id() + " of " + model + " has a high watermark of "
                        + highWatermark + ", and no leader had more than " + model.committed.size());
            }
        }
        if (isLeading) {
            checkHeldBack(node, model, replica);
        }
    }

    /** The watermark is not above what any eligible member really has. */
    private void checkHeldBack(SimulatedNode node, PartitionModel model, HostedPartition replica) {
        PartitionRegistration now = model.decided;
        if (now == null || now.leaderEpoch() != replica.leaderEpoch() || isDeleted(model.topicId)) {
            return;
        }
        List<Integer> eligible = new ArrayList<>(now.isr());
        eligible.addAll(now.elr());
        for (int member : eligible) {
            HostedPartition theirs = replica(member, model);
            if (theirs != null
                    && !model.tainted.containsKey(member)
                    && theirs.logEndOffset() < replica.highWatermark()) {
                throw new Violation("[INV-4] The high watermark of " + model + " on its leader " + node.id() + " is "
                        + replica.highWatermark() + ", and broker " + member + ", which may be elected, ends at "
                        + theirs.logEndOffset() + "; decided is " + now);
            }
        }
    }

    @Nullable
    HostedPartition replica(int brokerId, PartitionModel model) {
        SimulatedNode node = nodes.get(brokerId);
        Broker broker = node == null ? null : node.broker();
        HostedPartitions hosted = broker == null ? null : NodeInsight.partitions(broker);
        HostedPartition replica = hosted == null ? null : hosted.partition(model.name);
        return replica != null && replica.id().topicId().equals(model.topicId) ? replica : null;
    }

    // --- what the end checks need

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
                + " records shown, " + excusedCount + " losses that may be";
    }

    long acknowledgedCount() {
        return acknowledgedCount;
    }

    static boolean same(@Nullable Object one, @Nullable Object other) {
        return Objects.equals(one, other);
    }
}

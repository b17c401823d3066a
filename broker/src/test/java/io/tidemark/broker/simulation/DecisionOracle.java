package io.tidemark.broker.simulation;

import io.tidemark.broker.metadata.ClusterImage;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what the controllers decide of partitions: epochs, ISR and ELR, and who may be elected (INV-13 to INV-17).
 */
final class DecisionOracle {
    private final World world;
    private final PartitionModels models;

    DecisionOracle(World world, PartitionModels models) {
        this.world = world;
        this.models = models;
    }

    /** The active controller has decided something. */
    void onDecided(MetadataImage before, MetadataImage image) {
        for (TopicImage topic : before.topics().byName().values()) {
            if (image.topics().topic(topic.id()) == null) {
                models.delete(topic.id());
            }
        }
        boolean isClusterChanged = !image.cluster().equals(before.cluster());
        for (TopicImage topic : image.topics().byName().values()) {
            TopicImage known = before.topics().topic(topic.id());
            if (topic == known && !isClusterChanged) {
                continue;
            }
            topic.partitions().forEach((number, registration) -> {
                PartitionModel model = models.model(topic.id(), new TopicPartition(topic.name(), number));
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
            HostedPartition theirs = models.replica(member, model);
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
                    || model.isUncleanElectionAsked
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
}

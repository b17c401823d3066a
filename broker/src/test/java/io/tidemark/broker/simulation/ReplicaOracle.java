package io.tidemark.broker.simulation;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.partition.LeaderPartition;
import io.tidemark.broker.replication.HostedPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the replicas on the brokers: watermarks, ends, epochs and what is committed by them (INV-1 to INV-8, INV-12,
 * INV-61).
 */
final class ReplicaOracle {
    private final World world;
    private final PartitionModels models;
    private long excusedCount;

    ReplicaOracle(World world, PartitionModels models) {
        this.world = world;
        this.models = models;
    }

    /** How many leaders lack what was committed, and may. */
    long excusedCount() {
        return excusedCount;
    }

    void look(SimulatedNode node, HostedPartition replica, long fetchAskedUs) throws IOException {
        PartitionModel model = models.model(replica.id().topicId(), replica.topicPartition());
        if (model.isTorn) {
            return;
        }
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
                && !models.isDeleted(model.topicId)) {
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
        if (leaderEpoch < model.lineageEpoch || models.isDeleted(model.topicId) || isSuperseded(model, leaderEpoch)) {
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
                    + ": " + model.at(kept) + " is lost; it ends at " + replica.logEndOffset());
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
        if (values.size() != highWatermark - from && isCompacted(model) && model.lostPower.contains(node.id())) {
            model.isTorn = true;
            model.lineageEpoch = Math.max(model.lineageEpoch, replica.leaderEpoch());
            return;
        }
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
                            + " of " + model + ", where " + model.at(offset) + " is committed; its high watermark is "
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

    private static boolean isCompacted(PartitionModel model) {
        return model.name.topic().startsWith("__");
    }

    /** The watermark is not above what any eligible member really has. */
    private void checkHeldBack(SimulatedNode node, PartitionModel model, HostedPartition replica) {
        PartitionRegistration now = model.decided;
        if (now == null || now.leaderEpoch() != replica.leaderEpoch() || models.isDeleted(model.topicId)) {
            return;
        }
        List<Integer> eligible = new ArrayList<>(now.isr());
        eligible.addAll(now.elr());
        for (int member : eligible) {
            HostedPartition theirs = models.replica(member, model);
            if (theirs != null
                    && !model.tainted.containsKey(member)
                    && theirs.logEndOffset() < replica.highWatermark()) {
                throw new Violation("[INV-4] The high watermark of " + model + " on its leader " + node.id() + " is "
                        + replica.highWatermark() + ", and broker " + member + ", which may be elected, ends at "
                        + theirs.logEndOffset() + "; decided is " + now);
            }
        }
    }
}

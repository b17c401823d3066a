package io.tidemark.broker.simulation;

import io.tidemark.broker.quorum.QuorumInsight;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Knows what must hold of who votes (KIP-853): for each node the last set in its own log counts, committed or not; one
 * voter at a time comes or goes, and the next only when that is committed; whoever leads was voted for by a majority of
 * the set in its log, which it is one of; and a leader without a vote leads no more once that is committed.
 */
final class VoterOracle {
    private final WireTap tap;
    private final SortedSet<Integer> configured;
    private final NavigableMap<Long, SortedSet<Integer>> committed = new TreeMap<>();
    private final Map<Integer, Known> knownOf = new HashMap<>();

    /** The sets that are in a node's log, by offset, and up to where they were looked for. */
    private static final class Known {
        final NavigableMap<Long, SortedSet<Integer>> sets = new TreeMap<>();
        int life;
        long endOffset;
    }

    /** @param configured who votes until a set is in the log */
    VoterOracle(WireTap tap, SortedSet<Integer> configured) {
        this.tap = tap;
        this.configured = configured;
    }

    /** How often the voters were changed. */
    int changeCount() {
        return Math.max(0, committed.size() - 1);
    }

    /** Looks for sets in what has come into a node's log. */
    void read(SimulatedNode node, QuorumInsight replica) throws IOException {
        Known known = knownOf.computeIfAbsent(node.id(), id -> new Known());
        if (known.life != node.life()) {
            known.life = node.life();
            known.endOffset = 0;
            known.sets.clear();
        }
        known.sets.tailMap(replica.endOffset(), true).clear();
        known.endOffset = Math.min(known.endOffset, replica.endOffset());
        // A snapshot stands for what was committed below, whatever this node's own log had there.
        known.sets.headMap(replica.startOffset(), false).clear();
        known.sets.putAll(committed.headMap(replica.startOffset(), false));
        replica.forEachBatch(Math.max(known.endOffset, replica.startOffset()), replica.endOffset(), batch -> {
            SortedSet<Integer> voters = QuorumInsight.votersIn(batch);
            if (voters != null) {
                known.sets.put(batch.baseOffset(), voters);
            }
        });
        known.endOffset = replica.endOffset();
    }

    /** Who votes by what is in the node's log below an offset. */
    SortedSet<Integer> votersBelow(SimulatedNode node, long endOffset) {
        Known known = knownOf.get(node.id());
        var last = known == null ? null : known.sets.lowerEntry(endOffset);
        return last != null ? last.getValue() : node.isSpare() ? new TreeSet<>() : configured;
    }

    /** Who votes by what is in the node's log. */
    SortedSet<Integer> voters(SimulatedNode node) {
        return votersBelow(node, Long.MAX_VALUE);
    }

    /** Looks at a controller whose log was read. */
    void look(SimulatedNode node, QuorumInsight replica, long committedEnd) {
        SortedSet<Integer> voters = voters(node);
        if (!replica.voterIds().equals(voters)) {
            throw new Violation("[INV-67] Controller " + node.id() + " has " + replica.voterIds()
                    + " for the voters, and by its log they are " + voters);
        }
        if (!replica.isLeader()) {
            return;
        }
        Known known = knownOf.get(node.id());
        if (known != null && known.sets.tailMap(committedEnd, true).size() > 1) {
            throw new Violation("[INV-67] Controller " + node.id() + " has changed the voters again before that was"
                    + " committed, which ends at " + committedEnd + ": " + known.sets);
        }
        SortedSet<Integer> decided = votersBelow(node, Math.max(0, replica.highWatermark()));
        if (replica.highWatermark() > 0 && !decided.contains(node.id())) {
            throw new Violation("[INV-67] Controller " + node.id() + " leads the quorum, of which it is out since "
                    + decided + " was committed");
        }
    }

    /** A controller is seen to lead. */
    void onLeading(SimulatedNode node, QuorumInsight leader) {
        SortedSet<Integer> voters = votersBelow(node, leader.ledFromOffset());
        SortedSet<Integer> granting = tap.votersFor(node.id(), leader.leaderEpoch());
        granting.add(node.id());
        granting.retainAll(voters);
        if (2 * granting.size() <= voters.size()) {
            throw new Violation("[INV-67] Controller " + node.id() + " leads the quorum in epoch "
                    + leader.leaderEpoch() + " by the votes of " + granting + " out of " + voters);
        }
    }

    void onCommitted(RecordBatch batch) {
        SortedSet<Integer> voters = QuorumInsight.votersIn(batch);
        if (voters == null) {
            return;
        }
        SortedSet<Integer> before =
                committed.isEmpty() ? configured : committed.lastEntry().getValue();
        SortedSet<Integer> changed = new TreeSet<>(voters);
        changed.addAll(before);
        changed.removeIf(id -> before.contains(id) && voters.contains(id));
        if (changed.size() > 1) {
            throw new Violation("[INV-67] The voters change at once from " + before + " to " + voters);
        }
        committed.put(batch.baseOffset(), voters);
    }

    /** A change was answered as committed. */
    void onAnswered(int voter, boolean isAddition) {
        boolean isThere = committed.values().stream().anyMatch(voters -> voters.contains(voter) == isAddition);
        if (!isThere) {
            throw new Violation("[INV-67] That " + voter + (isAddition ? " is a voter" : " is no voter")
                    + " is answered as committed, and committed were " + committed);
        }
    }

    /** The last that were committed, null where none are in the log. */
    @Nullable
    SortedSet<Integer> committedVoters() {
        return committed.isEmpty() ? null : committed.lastEntry().getValue();
    }
}

package io.tidemark.broker.raft;

import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who votes. Immutable.
 *
 * @param byId the voters by node id
 */
public record VoterSet(SortedMap<Integer, Voter> byId) {
    public static final VoterSet EMPTY = new VoterSet(new TreeMap<>());

    public VoterSet {
        byId = Collections.unmodifiableSortedMap(new TreeMap<>(byId));
    }

    public static VoterSet of(Collection<Voter> voters) {
        SortedMap<Integer, Voter> byId = new TreeMap<>();
        voters.forEach(voter -> byId.put(voter.nodeId(), voter));
        return new VoterSet(byId);
    }

    /** Voters of which only the ids are known. */
    public static VoterSet ofIds(Collection<Integer> ids) {
        List<Voter> voters = new ArrayList<>();
        ids.forEach(id -> voters.add(new Voter(id, Uuid.ZERO, List.of(), (short) 0, (short) 1)));
        return of(voters);
    }

    public boolean isVoter(ReplicaKey replica) {
        Voter voter = byId.get(replica.nodeId());
        return voter != null && voter.is(replica);
    }

    public boolean isOnlyVoter(ReplicaKey replica) {
        return byId.size() == 1 && isVoter(replica);
    }

    public @Nullable Voter voter(int nodeId) {
        return byId.get(nodeId);
    }

    public int size() {
        return byId.size();
    }

    /** How many votes carry a decision. */
    public int majority() {
        return byId.size() / 2 + 1;
    }

    /** The voters in the order of their ids. */
    public Collection<Voter> voters() {
        return byId.values();
    }

    VoterSet with(Voter voter) {
        SortedMap<Integer, Voter> after = new TreeMap<>(byId);
        after.put(voter.nodeId(), voter);
        return new VoterSet(after);
    }

    VoterSet without(int nodeId) {
        SortedMap<Integer, Voter> after = new TreeMap<>(byId);
        after.remove(nodeId);
        return new VoterSet(after);
    }
}

package io.tidemark.broker.raft;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The votes for one who stands, and whom it has yet to ask again. */
final class Ballot {
    private final VoterSet voters;
    private final SortedSet<Integer> granted = new TreeSet<>();
    private final SortedSet<Integer> refused = new TreeSet<>();
    private final SortedMap<Integer, Long> askAgainMs = new TreeMap<>();

    Ballot(VoterSet voters, ReplicaKey self) {
        this.voters = voters;
        if (voters.isVoter(self)) {
            granted.add(self.nodeId());
        }
    }

    void count(int voterId, boolean isGranted) {
        if (voters.voter(voterId) == null) {
            return;
        }
        askAgainMs.remove(voterId);
        (isGranted ? granted : refused).add(voterId);
    }

    boolean isWon() {
        return granted.size() >= voters.majority();
    }

    boolean isLost() {
        return voters.size() - refused.size() < voters.majority();
    }

    boolean isOpen(int voterId) {
        return !granted.contains(voterId) && !refused.contains(voterId);
    }

    void askAgain(int voterId, long atMs) {
        if (isOpen(voterId)) {
            askAgainMs.put(voterId, atMs);
        }
    }

    long nextAskMs() {
        return askAgainMs.values().stream().mapToLong(Long::longValue).min().orElse(Role.NEVER);
    }

    /** Whom to ask now; they are not told again. */
    SortedSet<Integer> due(long nowMs) {
        SortedSet<Integer> due = new TreeSet<>();
        askAgainMs.forEach((voter, atMs) -> {
            if (atMs <= nowMs) {
                due.add(voter);
            }
        });
        due.forEach(askAgainMs::remove);
        return due;
    }

    SortedSet<Integer> granting() {
        return granted;
    }
}

package io.tidemark.broker.raft;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Leads its epoch. Counts what is durable where, and from that moves the high watermark: to the greatest offset that a
 * majority of the voters has, once that lies above the start of the leader's own epoch (records of earlier epochs may
 * be on a majority and still be lost; one of the leader's own above them may not).
 */
public final class Leader implements Role {
    /** An observer that has not fetched for so long is forgotten. */
    private static final long OBSERVER_TIMEOUT_MS = 300_000;

    private final RaftSettings settings;
    private final int leaderEpoch;
    private final long epochStartOffset;
    private final SortedSet<Integer> granting;
    private final SortedMap<ReplicaKey, ReplicaProgress> fetchers =
            new TreeMap<>(Comparator.comparing(ReplicaKey::nodeId).thenComparing(ReplicaKey::directoryId));
    private final SortedSet<Integer> heardOf = new TreeSet<>();
    private final SortedMap<Integer, Long> lastHeardMs = new TreeMap<>();
    private VoterSet voters;
    private long durableEnd = -1;
    private boolean electionDurable;
    private long highWatermark = -1;
    private long checkQuorumMs;
    private long beginEpochMs;

    /**
     * @param granting who voted for it
     * @param epochStartOffset the end of the log when the epoch began
     */
    Leader(
            RaftSettings settings,
            VoterSet voters,
            SortedSet<Integer> granting,
            int leaderEpoch,
            long epochStartOffset,
            long nowMs) {
        this.settings = settings;
        this.voters = voters;
        this.granting = Collections.unmodifiableSortedSet(new TreeSet<>(granting));
        this.leaderEpoch = leaderEpoch;
        this.epochStartOffset = epochStartOffset;
        this.checkQuorumMs = nowMs + settings.checkQuorumTimeoutMs();
        this.beginEpochMs = nowMs;
    }

    @Override
    public int leaderEpoch() {
        return leaderEpoch;
    }

    public long epochStartOffset() {
        return epochStartOffset;
    }

    /** Who voted for it, itself among them. */
    public SortedSet<Integer> granting() {
        return granting;
    }

    public VoterSet voterSet() {
        return voters;
    }

    /** Exclusive; -1 while it is not known. It never goes back. */
    public long highWatermark() {
        return highWatermark;
    }

    public boolean isVoter(ReplicaKey replica) {
        return voters.isVoter(replica);
    }

    void onElectionDurable() {
        electionDurable = true;
        advance();
    }

    /** This node's own log is durable up to an end. */
    void onLogDurable(long endOffset) {
        durableEnd = endOffset;
        advance();
    }

    /** Another set of voters is in the log, and counts from now on. */
    void onVoters(VoterSet newVoters, long nowMs) {
        voters = newVoters;
        checkQuorumMs = nowMs + settings.checkQuorumTimeoutMs();
        heardOf.clear();
        advance();
    }

    /** A voter is alive and takes this node for the leader. */
    void onContact(ReplicaKey replica, long nowMs) {
        if (!voters.isVoter(replica)) {
            return;
        }
        lastHeardMs.put(replica.nodeId(), nowMs);
        heardOf.add(replica.nodeId());
        int counted = heardOf.size() + (voters.isVoter(settings.self()) ? 1 : 0);
        if (counted >= voters.majority()) {
            heardOf.clear();
            checkQuorumMs = nowMs + settings.checkQuorumTimeoutMs();
        }
    }

    /**
     * A replica asks for what follows an offset, so it has everything below; a voter has it durably.
     *
     * @param leaderEndOffset the end of the leader's log now
     */
    void onFetch(ReplicaKey replica, long fetchOffset, long leaderEndOffset, long wallTimeMs) {
        ReplicaProgress before = fetchers.get(replica);
        long caughtUpMs =
                fetchOffset >= leaderEndOffset ? wallTimeMs : before == null ? -1 : before.lastCaughtUpTimeMs();
        fetchers.put(
                replica,
                new ReplicaProgress(replica.nodeId(), replica.directoryId(), fetchOffset, wallTimeMs, caughtUpMs));
        advance();
    }

    private void advance() {
        if (!electionDurable || voters.size() == 0) {
            return;
        }
        List<Long> ends = new ArrayList<>();
        for (Voter voter : voters.voters()) {
            if (voter.is(settings.self())) {
                ends.add(durableEnd);
            } else {
                ReplicaProgress replica = progress(voter);
                ends.add(replica == null ? -1L : replica.logEndOffset());
            }
        }
        Collections.sort(ends);
        long onMajority = ends.get((ends.size() - 1) / 2);
        if (onMajority > epochStartOffset && onMajority > highWatermark) {
            highWatermark = onMajority;
        }
    }

    private @Nullable ReplicaProgress progress(Voter voter) {
        for (ReplicaProgress replica : fetchers.values()) {
            if (voter.is(replica.key())) {
                return replica;
            }
        }
        return null;
    }

    /** How far a replica is, null where it has not fetched. */
    @Nullable
    ReplicaProgress progress(ReplicaKey replica) {
        return fetchers.get(replica);
    }

    @Override
    public long deadlineMs() {
        return isAlone() ? NEVER : Math.min(checkQuorumMs, beginEpochMs);
    }

    private boolean isAlone() {
        return voters.isOnlyVoter(settings.self());
    }

    /** True where no majority has fetched for too long: others may have elected somebody else. */
    boolean hasLostQuorum(long nowMs) {
        return !isAlone() && nowMs >= checkQuorumMs;
    }

    void onStall(long stalledMs, long nowMs) {
        checkQuorumMs = Math.min(checkQuorumMs + stalledMs, nowMs + settings.checkQuorumTimeoutMs());
    }

    /** Which voters are to be told now that this node leads: those that do not fetch. */
    List<Voter> dueToHear(long nowMs) {
        List<Voter> due = new ArrayList<>();
        if (nowMs < beginEpochMs) {
            return due;
        }
        beginEpochMs = nowMs + settings.beginQuorumEpochIntervalMs();
        for (Voter voter : voters.voters()) {
            Long heardMs = lastHeardMs.get(voter.nodeId());
            boolean isSilent = heardMs == null || nowMs - heardMs >= settings.beginQuorumEpochIntervalMs();
            if (!voter.is(settings.self()) && isSilent) {
                due.add(voter);
            }
        }
        return due;
    }

    /** The other voters, those with the longest log first. */
    List<ReplicaKey> successors() {
        List<ReplicaProgress> others = new ArrayList<>();
        for (Voter voter : voters.voters()) {
            if (!voter.is(settings.self())) {
                others.add(progressOrNone(voter));
            }
        }
        others.sort(Comparator.comparing(ReplicaProgress::logEndOffset).reversed());
        return others.stream().map(ReplicaProgress::key).toList();
    }

    private ReplicaProgress progressOrNone(Voter voter) {
        ReplicaProgress replica = progress(voter);
        return replica != null ? replica : new ReplicaProgress(voter.nodeId(), voter.directoryId(), -1, -1, -1);
    }

    /** The voters, this node among them. */
    public List<ReplicaProgress> voters(long leaderEndOffset, long wallTimeMs) {
        List<ReplicaProgress> progress = new ArrayList<>();
        for (Voter voter : voters.voters()) {
            if (voter.is(settings.self())) {
                progress.add(new ReplicaProgress(
                        voter.nodeId(), settings.directoryId(), leaderEndOffset, wallTimeMs, wallTimeMs));
            } else {
                progress.add(progressOrNone(voter));
            }
        }
        return progress;
    }

    /** The replicas that fetch and have no vote. */
    public List<ReplicaProgress> observers(long leaderEndOffset, long wallTimeMs) {
        fetchers.values()
                .removeIf(replica ->
                        !isVoter(replica.key()) && wallTimeMs - replica.lastFetchTimeMs() > OBSERVER_TIMEOUT_MS);
        List<ReplicaProgress> progress = new ArrayList<>();
        if (!isVoter(settings.self())) {
            progress.add(new ReplicaProgress(
                    settings.nodeId(), settings.directoryId(), leaderEndOffset, wallTimeMs, wallTimeMs));
        }
        for (ReplicaProgress replica : fetchers.values()) {
            if (!isVoter(replica.key())) {
                progress.add(replica);
            }
        }
        return progress;
    }
}

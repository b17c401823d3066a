package io.tidemark.broker.raft;

import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Leads its epoch. Counts what is durable where, and from that moves the high watermark: to the greatest offset that a
 * majority of the voters has, once that lies above the start of the leader's own epoch (records of earlier epochs may
 * be on a majority and still be lost; one of the leader's own above them may not).
 */
public final class Leader implements Role {
    /** An observer that has not fetched for so long is forgotten. */
    private static final long OBSERVER_TIMEOUT_MS = 300_000;

    private final int nodeId;
    private final Uuid directoryId;
    private final int leaderEpoch;
    private final long epochStartOffset;
    private final SortedMap<Integer, Long> durableEnds = new TreeMap<>();
    private final SortedMap<Integer, ReplicaProgress> fetchers = new TreeMap<>();
    private boolean electionDurable;
    private long highWatermark = -1;

    /**
     * @param epochStartOffset the end of the log when the epoch began
     */
    Leader(int nodeId, Uuid directoryId, SortedSet<Integer> voters, int leaderEpoch, long epochStartOffset) {
        this.nodeId = nodeId;
        this.directoryId = directoryId;
        this.leaderEpoch = leaderEpoch;
        this.epochStartOffset = epochStartOffset;
        voters.forEach(voter -> durableEnds.put(voter, -1L));
    }

    @Override
    public int leaderEpoch() {
        return leaderEpoch;
    }

    public long epochStartOffset() {
        return epochStartOffset;
    }

    /** Exclusive; -1 while it is not known. It never goes back. */
    public long highWatermark() {
        return highWatermark;
    }

    public boolean isVoter(int replicaId) {
        return durableEnds.containsKey(replicaId);
    }

    void onElectionDurable() {
        electionDurable = true;
        advance();
    }

    /** This node's own log is durable up to an end. */
    void onLogDurable(long endOffset) {
        durableEnds.put(nodeId, endOffset);
        advance();
    }

    /**
     * A replica asks for what follows an offset, so it has everything below; a voter has it durably.
     *
     * @param leaderEndOffset the end of the leader's log now
     */
    public void onFetch(
            int replicaId, Uuid replicaDirectoryId, long fetchOffset, long leaderEndOffset, long wallTimeMs) {
        ReplicaProgress before = fetchers.get(replicaId);
        long caughtUpMs =
                fetchOffset >= leaderEndOffset ? wallTimeMs : before == null ? -1 : before.lastCaughtUpTimeMs();
        fetchers.put(
                replicaId, new ReplicaProgress(replicaId, replicaDirectoryId, fetchOffset, wallTimeMs, caughtUpMs));
        if (isVoter(replicaId)) {
            durableEnds.put(replicaId, fetchOffset);
            advance();
        }
    }

    private void advance() {
        if (!electionDurable) {
            return;
        }
        List<Long> ends = new ArrayList<>(durableEnds.values());
        Collections.sort(ends);
        long onMajority = ends.get((ends.size() - 1) / 2);
        if (onMajority > epochStartOffset && onMajority > highWatermark) {
            highWatermark = onMajority;
        }
    }

    /** The voters, this node among them. */
    public List<ReplicaProgress> voters(long leaderEndOffset, long wallTimeMs) {
        List<ReplicaProgress> progress = new ArrayList<>();
        for (int voter : durableEnds.keySet()) {
            if (voter == nodeId) {
                progress.add(new ReplicaProgress(voter, directoryId, leaderEndOffset, wallTimeMs, wallTimeMs));
            } else {
                progress.add(fetchers.getOrDefault(voter, new ReplicaProgress(voter, Uuid.ZERO, -1, -1, -1)));
            }
        }
        return progress;
    }

    /** The replicas that fetch and have no vote. */
    public List<ReplicaProgress> observers(long wallTimeMs) {
        fetchers.values()
                .removeIf(replica ->
                        !isVoter(replica.replicaId()) && wallTimeMs - replica.lastFetchTimeMs() > OBSERVER_TIMEOUT_MS);
        List<ReplicaProgress> progress = new ArrayList<>();
        for (ReplicaProgress replica : fetchers.values()) {
            if (!isVoter(replica.replicaId())) {
                progress.add(replica);
            }
        }
        return progress;
    }
}

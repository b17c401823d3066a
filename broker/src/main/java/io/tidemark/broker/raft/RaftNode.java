package io.tidemark.broker.raft;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One node of the metadata quorum: events in, effects out.
 *
 * <pre>
 *                start, the only voter
 *   Unattached ------------------------> Leader
 *       |  ^
 *       |  | a newer epoch, its leader not known
 *       v  |
 *    Follower   (hears of a leader; every broker is one, without a vote)
 * </pre>
 *
 * <p>With several voters, a candidate stands between Unattached and Leader, and a Leader that hears of a newer epoch
 * becomes Unattached; both come in here. A lone voter's vote for itself is a majority, so its candidacy, its vote and
 * its leadership are one step and one write of the election state.
 */
public final class RaftNode {
    private final int nodeId;
    private final Uuid directoryId;
    private final SortedSet<Integer> voters;
    private final LogView log;
    private ElectionState election;
    private Role role;

    /**
     * @param directoryId of the directory with this node's metadata log
     * @param voters the ids of the voters
     * @param persisted the election state as last written down
     */
    public RaftNode(int nodeId, Uuid directoryId, SortedSet<Integer> voters, ElectionState persisted, LogView log) {
        this.nodeId = nodeId;
        this.directoryId = directoryId;
        this.voters = new TreeSet<>(voters);
        this.log = log;
        this.election = persisted;
        this.role = new Unattached(persisted.leaderEpoch());
    }

    public Role role() {
        return role;
    }

    public ElectionState election() {
        return election;
    }

    public boolean isVoter() {
        return voters.contains(nodeId);
    }

    /** Starts to take part. */
    public List<RaftEffect> start() {
        if (!isVoter()) {
            return List.of();
        }
        if (voters.size() > 1) {
            throw new UnsupportedOperationException(
                    "Elections among several voters are not there yet; the voters are " + voters + ", expected one");
        }
        int epoch = Math.max(election.leaderEpoch(), log.lastEpoch()) + 1;
        election = new ElectionState(epoch, nodeId, nodeId, directoryId);
        Leader leader = new Leader(nodeId, directoryId, voters, epoch, log.endOffset());
        role = leader;
        return List.of(new RaftEffect.PersistElection(election), new RaftEffect.BeginEpoch(leader));
    }

    public List<RaftEffect> onElectionDurable(ElectionState state) {
        if (!(role instanceof Leader leader) || state.leaderEpoch() != leader.leaderEpoch()) {
            return List.of();
        }
        long before = leader.highWatermark();
        leader.onElectionDurable();
        return moved(before, leader);
    }

    /** The node's own log is durable up to an end. */
    public List<RaftEffect> onLogDurable(long endOffset) {
        if (!(role instanceof Leader leader)) {
            return List.of();
        }
        long before = leader.highWatermark();
        leader.onLogDurable(endOffset);
        return moved(before, leader);
    }

    private static List<RaftEffect> moved(long before, Leader leader) {
        return leader.highWatermark() > before
                ? List.of(new RaftEffect.HighWatermarkMoved(leader.highWatermark()))
                : List.of();
    }

    /**
     * A replica fetches from this node.
     *
     * @param currentLeaderEpoch the epoch that the replica believes in, 0 where it knows of none
     * @param lastFetchedEpoch the epoch of its last record, 0 where it has none
     */
    public FetchOutcome onFetch(int currentLeaderEpoch, long fetchOffset, int lastFetchedEpoch) {
        if (!(role instanceof Leader leader)) {
            return new FetchOutcome.Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        }
        if (currentLeaderEpoch < leader.leaderEpoch()) {
            return new FetchOutcome.Refused(ErrorCode.FENCED_LEADER_EPOCH);
        }
        if (currentLeaderEpoch > leader.leaderEpoch()) {
            return new FetchOutcome.Refused(ErrorCode.UNKNOWN_LEADER_EPOCH);
        }
        if (fetchOffset == 0 && lastFetchedEpoch <= 0 && log.startOffset() == 0) {
            return new FetchOutcome.Accepted();
        }
        int floor = log.epochFloor(lastFetchedEpoch);
        long end = floor < 0 ? log.startOffset() : log.endOffsetOf(floor);
        if (floor != lastFetchedEpoch || end < fetchOffset) {
            return new FetchOutcome.Diverging(Math.max(floor, 0), end);
        }
        return new FetchOutcome.Accepted();
    }

    /**
     * A response told of a leader, or of an epoch without one.
     *
     * @return true where that was news, so that the next fetch goes by it
     */
    public boolean onLeaderHeardOf(int leaderEpoch, int leaderId) {
        if (leaderEpoch < role.leaderEpoch() || role instanceof Leader) {
            return false;
        }
        boolean known = role instanceof Follower follower
                && follower.leaderEpoch() == leaderEpoch
                && follower.leaderId() == leaderId;
        if (known) {
            return false;
        }
        long highWatermark = role instanceof Follower follower ? follower.highWatermark() : -1;
        if (leaderId < 0) {
            boolean news = leaderEpoch > role.leaderEpoch();
            if (news) {
                role = new Unattached(leaderEpoch);
            }
            return news;
        }
        role = new Follower(leaderEpoch, leaderId, highWatermark);
        election = new ElectionState(leaderEpoch, leaderId, ElectionState.NOBODY, Uuid.ZERO);
        return true;
    }

    /** The leader says that this node's log is not a prefix of its own: cut it, and ask again. */
    public List<RaftEffect> onDiverging(int divergingEpoch, long divergingEndOffset) {
        int floor = log.epochFloor(divergingEpoch);
        long ownEnd = floor < 0 ? log.startOffset() : log.endOffsetOf(floor);
        long target = Math.min(Math.min(divergingEndOffset, ownEnd), log.endOffset());
        List<RaftEffect> effects = new ArrayList<>();
        effects.add(new RaftEffect.Truncate(target));
        return effects;
    }

    /** Records from the leader are in the log now, and the leader told its high watermark. */
    public List<RaftEffect> onFetched(long leaderHighWatermark) {
        if (!(role instanceof Follower follower)) {
            return List.of();
        }
        long highWatermark = Math.min(leaderHighWatermark, log.endOffset());
        if (highWatermark <= follower.highWatermark()) {
            return List.of();
        }
        role = new Follower(follower.leaderEpoch(), follower.leaderId(), highWatermark);
        return List.of(new RaftEffect.HighWatermarkMoved(highWatermark));
    }
}

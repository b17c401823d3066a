package io.tidemark.broker.raft;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * One node of the metadata quorum: events in, effects out. It is told the time, which is that of the monotonic clock,
 * and says when it wants to be called again if nothing happens before.
 *
 * <pre>
 *                 no leader for a while              most would vote for it
 *   Unattached -------------------------> Prospective ----------------------> Candidate (a new epoch)
 *     |  ^  ^                              ^  |    ^                            |       |
 *     |  |  +------- most would not -------|--+    +-- lost, or time is up -----+       | most voted for it
 *     |  |                                 |                                            v
 *     |  +-- a newer epoch (from any) --+  | the leader does not answer               Leader
 *     v                                 |  |                                            |  gives up, or no
 *   Follower  ---------------------------+-+                    Unattached <-- Resigned <- majority fetches
 *      hears of a leader (from any; every broker is one, without a vote)
 * </pre>
 *
 * <p>A lone voter's vote for itself is a majority, so its candidacy, its vote and its leadership are one step and one
 * write of the election state. A node that starts again never leads the epoch that it led before, since each candidacy
 * is a new epoch; so Kafka's wait as Resigned after such a start is not needed.
 */
public final class RaftNode {
    private static final int MOST_BACKOFF_DOUBLINGS = 10;
    private static final long BACKOFF_STEP_MS = 100;

    private final RaftSettings settings;
    private final ReplicaKey self;
    private final LogView log;
    private final RandomGenerator random;
    private final Outbox out = new Outbox();
    private VoterSet voters;
    private ElectionState election;
    private Role role;
    private long highWatermark = -1;
    private int lostElections;

    /**
     * @param voters who votes, this node among them or not
     * @param persisted the election state as last written down
     * @param random seeded, for the timeouts
     */
    public RaftNode(
            RaftSettings settings, VoterSet voters, ElectionState persisted, LogView log, RandomGenerator random) {
        this.settings = settings;
        this.self = settings.self();
        this.voters = voters;
        this.log = log;
        this.random = random;
        this.election = persisted;
        this.role = new Unattached(persisted.leaderEpoch(), Role.NEVER);
    }

    public Role role() {
        return role;
    }

    public ElectionState election() {
        return election;
    }

    public VoterSet voters() {
        return voters;
    }

    public boolean isVoter() {
        return voters.isVoter(self);
    }

    /** Records below are committed, as far as this node knows; -1 before it knows of any. It never goes back. */
    public long highWatermark() {
        return role instanceof Leader leader ? leader.highWatermark() : highWatermark;
    }

    /** The leader of the current epoch as far as this node knows, or {@link ElectionState#NOBODY}. */
    public int leaderId() {
        if (role instanceof Leader) {
            return self.nodeId();
        }
        if (role instanceof Follower follower) {
            return follower.leaderId();
        }
        // A leader that gave up, or lost its memory, leads no longer.
        return election.leaderId() == self.nodeId() ? ElectionState.NOBODY : election.leaderId();
    }

    /** True while a new epoch or vote is not durable: until then this node's fetches, too, have to wait. */
    public boolean isElectionPending() {
        return out.isHolding();
    }

    /** When to call {@link #onTime}, by the monotonic clock; {@link Role#NEVER} for not at all. */
    public long deadlineMs() {
        return role.deadlineMs();
    }

    /** Starts to take part. */
    public List<RaftEffect> start(long nowMs) {
        int known = Math.max(election.leaderEpoch(), log.lastEpoch());
        if (known > election.leaderEpoch()) {
            election = new ElectionState(known, ElectionState.NOBODY, ElectionState.NOBODY, Uuid.ZERO);
        }
        role = new Unattached(known, isVoter() ? nowMs + randomElectionTimeoutMs() : Role.NEVER);
        if (voters.isOnlyVoter(self)) {
            stand(nowMs);
        }
        return out.drain();
    }

    /** Time has passed. Harmless before the deadline. */
    public List<RaftEffect> onTime(long nowMs) {
        if (role instanceof Leader leader) {
            lead(leader, nowMs);
        } else if (nowMs >= role.deadlineMs()) {
            onDeadline(nowMs);
        }
        return out.drain();
    }

    private void lead(Leader leader, long nowMs) {
        if (leader.hasLostQuorum(nowMs)) {
            resign(leader, nowMs);
            return;
        }
        for (Voter voter : leader.dueToHear(nowMs)) {
            out.toOthers(
                    new RaftEffect.Send(voter, new RaftRequest.BeginQuorumEpoch(leader.leaderEpoch(), self.nodeId())));
        }
    }

    private void onDeadline(long nowMs) {
        if (role instanceof Unattached || role instanceof Follower) {
            ask(nowMs);
        } else if (role instanceof Resigned resigned) {
            if (isVoter()) {
                unattach(resigned.leaderEpoch() + 1, nowMs);
            } else {
                role = new Unattached(resigned.leaderEpoch(), Role.NEVER);
            }
        } else if (role instanceof Prospective prospective) {
            if (nowMs >= prospective.timeoutMs()) {
                giveUpAsking(nowMs);
            } else {
                askAgain(prospective.ballot(), true, nowMs);
            }
        } else if (role instanceof Candidate candidate) {
            if (nowMs >= candidate.timeoutMs()) {
                lostElections++;
                ask(nowMs);
            } else {
                askAgain(candidate.ballot(), false, nowMs);
            }
        }
    }

    /** Asks the others for a pre-vote. */
    private void ask(long nowMs) {
        if (!isVoter()) {
            role = new Unattached(role.leaderEpoch(), Role.NEVER);
            return;
        }
        boolean hadLeader = role instanceof Follower;
        Ballot ballot = new Ballot(voters, self);
        role = new Prospective(role.leaderEpoch(), ballot, nowMs + randomElectionTimeoutMs());
        if (hadLeader) {
            changeLeader(ElectionState.NOBODY);
        }
        if (ballot.isWon()) {
            stand(nowMs);
        } else {
            sendVotes(others(), true);
        }
    }

    private void giveUpAsking(long nowMs) {
        int leaderId = leaderId();
        if (leaderId != ElectionState.NOBODY) {
            follow(role.leaderEpoch(), leaderId, nowMs);
        } else {
            role = new Unattached(role.leaderEpoch(), nowMs + randomElectionTimeoutMs());
        }
    }

    /** Takes a new epoch, votes for itself, and asks the others to. */
    private void stand(long nowMs) {
        int leaderEpoch = role.leaderEpoch() + 1;
        Ballot ballot = new Ballot(voters, self);
        if (ballot.isWon()) {
            beginToLead(leaderEpoch, ballot, nowMs);
            return;
        }
        role = new Candidate(leaderEpoch, ballot, nowMs + randomElectionTimeoutMs());
        elect(new ElectionState(leaderEpoch, ElectionState.NOBODY, self.nodeId(), self.directoryId()));
        sendVotes(others(), false);
    }

    private void beginToLead(int leaderEpoch, Ballot ballot, long nowMs) {
        lostElections = 0;
        Leader leader = new Leader(settings, voters, ballot.granting(), leaderEpoch, log.endOffset(), nowMs);
        role = leader;
        elect(new ElectionState(leaderEpoch, self.nodeId(), self.nodeId(), self.directoryId()));
        out.toSelf(new RaftEffect.BeginEpoch(leader));
        lead(leader, nowMs);
    }

    private void elect(ElectionState next) {
        if (!next.equals(election)) {
            election = next;
            out.persist(next);
        }
    }

    private void sendVotes(SortedSet<Integer> to, boolean isPreVote) {
        for (int voterId : to) {
            Voter voter = voters.voter(voterId);
            if (voter != null) {
                out.toOthers(new RaftEffect.Send(
                        voter,
                        new RaftRequest.Vote(role.leaderEpoch(), self, log.lastEpoch(), log.endOffset(), isPreVote)));
            }
        }
    }

    private void askAgain(Ballot ballot, boolean isPreVote, long nowMs) {
        sendVotes(ballot.due(nowMs), isPreVote);
    }

    private SortedSet<Integer> others() {
        SortedSet<Integer> others = new TreeSet<>(voters.byId().keySet());
        others.remove(self.nodeId());
        return others;
    }

    /** A request of another voter. Its answer is an effect, now or when it may go. */
    public List<RaftEffect> onRequest(long requestId, RaftRequest request, long nowMs) {
        if (request.leaderEpoch() < role.leaderEpoch()) {
            answer(requestId, ErrorCode.FENCED_LEADER_EPOCH, false);
        } else if (request instanceof RaftRequest.Vote vote) {
            onVote(requestId, vote, nowMs);
        } else if (request instanceof RaftRequest.BeginQuorumEpoch begin) {
            boolean isTaken = begin.leaderId() >= 0 && hearOf(begin.leaderEpoch(), begin.leaderId(), true, nowMs);
            answer(requestId, isTaken ? ErrorCode.NONE : ErrorCode.INVALID_REQUEST, false);
        } else if (request instanceof RaftRequest.EndQuorumEpoch end) {
            onEndQuorumEpoch(end, nowMs);
            answer(requestId, ErrorCode.NONE, false);
        }
        return out.drain();
    }

    private void answer(long requestId, ErrorCode error, boolean isVoteGranted) {
        out.toOthers(
                new RaftEffect.Answer(requestId, new RaftReply(error, leaderId(), role.leaderEpoch(), isVoteGranted)));
    }

    private void onVote(long requestId, RaftRequest.Vote vote, long nowMs) {
        int mostLogEpoch = vote.isPreVote() ? vote.leaderEpoch() : vote.leaderEpoch() - 1;
        if (vote.candidate().nodeId() < 0
                || vote.lastEpoch() < 0
                || vote.logEndOffset() < 0
                || vote.lastEpoch() > mostLogEpoch) {
            answer(requestId, ErrorCode.INVALID_REQUEST, false);
            return;
        }
        if (vote.leaderEpoch() > role.leaderEpoch()) {
            unattach(vote.leaderEpoch(), nowMs);
        }
        boolean isGranted = VoteRules.isGranted(role, election, log, vote);
        if (isGranted && !vote.isPreVote()) {
            elect(new ElectionState(
                    vote.leaderEpoch(),
                    ElectionState.NOBODY,
                    vote.candidate().nodeId(),
                    vote.candidate().directoryId()));
            // Who gave its vote leaves the candidate time.
            role = new Unattached(vote.leaderEpoch(), isVoter() ? nowMs + randomElectionTimeoutMs() : Role.NEVER);
        }
        answer(requestId, ErrorCode.NONE, isGranted);
    }

    private void onEndQuorumEpoch(RaftRequest.EndQuorumEpoch end, long nowMs) {
        if (!hearOf(end.leaderEpoch(), end.leaderId(), false, nowMs) || !(role instanceof Follower) || !isVoter()) {
            return;
        }
        int place = end.successors().stream().map(ReplicaKey::nodeId).toList().indexOf(self.nodeId());
        long waitMs = place == 0 ? 0 : Math.min(backoffMs(Math.max(place, 1)), settings.electionTimeoutMs());
        // The leader itself says that it leads no longer, so nobody is to be refused for its sake.
        role = new Follower(end.leaderEpoch(), end.leaderId(), false, nowMs + waitMs);
        if (waitMs == 0) {
            ask(nowMs);
        }
    }

    /** A voter answered. */
    public List<RaftEffect> onReply(int voterId, RaftRequest request, RaftReply reply, long nowMs) {
        if (reply.leaderEpoch() > role.leaderEpoch()) {
            hearOf(reply.leaderEpoch(), reply.leaderId(), false, nowMs);
            return out.drain();
        }
        boolean isOfNow = request.leaderEpoch() == role.leaderEpoch();
        if (request instanceof RaftRequest.Vote vote && isOfNow) {
            boolean isGranted = reply.error() == ErrorCode.NONE && reply.isVoteGranted();
            if (vote.isPreVote() && role instanceof Prospective prospective) {
                prospective.ballot().count(voterId, isGranted);
                afterPreVote(prospective, nowMs);
            } else if (!vote.isPreVote() && role instanceof Candidate candidate) {
                candidate.ballot().count(voterId, isGranted);
                afterVote(candidate, nowMs);
            }
        }
        if (!(role instanceof Leader) && reply.leaderEpoch() == role.leaderEpoch()) {
            hearOf(reply.leaderEpoch(), reply.leaderId(), false, nowMs);
        }
        return out.drain();
    }

    private void afterPreVote(Prospective prospective, long nowMs) {
        if (prospective.ballot().isWon()) {
            stand(nowMs);
        } else if (prospective.ballot().isLost()) {
            giveUpAsking(nowMs);
        }
    }

    private void afterVote(Candidate candidate, long nowMs) {
        if (candidate.ballot().isWon()) {
            beginToLead(candidate.leaderEpoch(), candidate.ballot(), nowMs);
        } else if (candidate.ballot().isLost()) {
            lostElections++;
            long untilMs = Math.min(candidate.timeoutMs(), nowMs + backoffMs(lostElections));
            role = new Candidate(candidate.leaderEpoch(), candidate.ballot(), untilMs);
        }
    }

    /** A voter did not answer a request: not in time, or it could not be reached. */
    public List<RaftEffect> onNoReply(int voterId, RaftRequest request, long nowMs) {
        if (request instanceof RaftRequest.Vote vote && request.leaderEpoch() == role.leaderEpoch()) {
            long againMs = nowMs + settings.retryBackoffMs();
            if (vote.isPreVote() && role instanceof Prospective prospective) {
                prospective.ballot().askAgain(voterId, againMs);
            } else if (!vote.isPreVote() && role instanceof Candidate candidate) {
                candidate.ballot().askAgain(voterId, againMs);
            }
        }
        return out.drain();
    }

    /** The state is durable; called once for each {@link RaftEffect.PersistElection}, in their order. */
    public List<RaftEffect> onElectionDurable(ElectionState state) {
        out.persisted();
        if (role instanceof Leader leader && state.leaderEpoch() == leader.leaderEpoch()) {
            long before = leader.highWatermark();
            leader.onElectionDurable();
            moved(before, leader);
        }
        return out.drain();
    }

    /** The node's own log is durable up to an end. */
    public List<RaftEffect> onLogDurable(long endOffset) {
        if (role instanceof Leader leader) {
            long before = leader.highWatermark();
            leader.onLogDurable(endOffset);
            moved(before, leader);
        }
        return out.drain();
    }

    private void moved(long before, Leader leader) {
        if (leader.highWatermark() > before) {
            out.toSelf(new RaftEffect.HighWatermarkMoved(leader.highWatermark()));
        }
    }

    /**
     * A replica fetches from this node.
     *
     * @param currentLeaderEpoch the epoch that the replica believes in, 0 where it knows of none
     * @param lastFetchedEpoch the epoch of its last record, 0 where it has none
     */
    public FetchOutcome onFetch(
            ReplicaKey replica, int currentLeaderEpoch, long fetchOffset, int lastFetchedEpoch, long nowMs) {
        ErrorCode refusal = refusal(currentLeaderEpoch);
        if (refusal != ErrorCode.NONE || !(role instanceof Leader leader)) {
            return new FetchOutcome.Refused(refusal);
        }
        leader.onContact(replica, nowMs);
        return FetchRules.compare(log, fetchOffset, lastFetchedEpoch);
    }

    /** What a replica that believes in an epoch is told instead of records; NONE where it is served. */
    public ErrorCode refusal(int currentLeaderEpoch) {
        if (!(role instanceof Leader leader)) {
            return ErrorCode.NOT_LEADER_OR_FOLLOWER;
        }
        if (currentLeaderEpoch < leader.leaderEpoch()) {
            return ErrorCode.FENCED_LEADER_EPOCH;
        }
        return currentLeaderEpoch > leader.leaderEpoch() ? ErrorCode.UNKNOWN_LEADER_EPOCH : ErrorCode.NONE;
    }

    /** A replica fetches a snapshot from this node, so it is alive. */
    public void onSnapshotFetch(ReplicaKey replica, long nowMs) {
        if (role instanceof Leader leader) {
            leader.onContact(replica, nowMs);
        }
    }

    /** A fetch was accepted, so the replica has all below its offset; a voter has it durably. */
    public List<RaftEffect> onReplicaAt(ReplicaKey replica, long fetchOffset, long wallTimeMs) {
        if (role instanceof Leader leader) {
            long before = leader.highWatermark();
            leader.onFetch(replica, fetchOffset, log.endOffset(), wallTimeMs);
            moved(before, leader);
        }
        return out.drain();
    }

    /**
     * A response told of a leader, or of an epoch without one.
     *
     * @param leaderId the leader, or {@link ElectionState#NOBODY}
     * @param isFromLeader it is the leader itself that told it
     */
    public List<RaftEffect> onLeaderHeardOf(int leaderEpoch, int leaderId, boolean isFromLeader, long nowMs) {
        hearOf(leaderEpoch, leaderId, isFromLeader, nowMs);
        return out.drain();
    }

    /** False where it cannot be: the epoch is an old one, or has another leader. */
    private boolean hearOf(int leaderEpoch, int leaderId, boolean isFromLeader, long nowMs) {
        if (leaderEpoch < role.leaderEpoch()) {
            return false;
        }
        if (leaderId < 0 || leaderId == self.nodeId()) {
            if (leaderEpoch > role.leaderEpoch()) {
                unattach(leaderEpoch, nowMs);
            }
            return leaderId < 0;
        }
        if (leaderEpoch > role.leaderEpoch()) {
            follow(leaderEpoch, leaderId, nowMs);
            return true;
        }
        if (role instanceof Follower follower) {
            return follower.leaderId() == leaderId;
        }
        if (role instanceof Leader || role instanceof Resigned) {
            return false;
        }
        // One who doubts its leader asks others whether they would leave it; that they know its name is no news.
        boolean isDoubted = role instanceof Prospective && leaderId() == leaderId;
        if (!isDoubted || isFromLeader) {
            follow(leaderEpoch, leaderId, nowMs);
        }
        return true;
    }

    private void unattach(int leaderEpoch, long nowMs) {
        long deadlineMs = Role.NEVER;
        if (isVoter()) {
            boolean isWaiting = role instanceof Unattached || role instanceof Resigned || role instanceof Candidate;
            deadlineMs = isWaiting && role.deadlineMs() != Role.NEVER
                    ? Math.max(role.deadlineMs(), nowMs)
                    : nowMs + randomElectionTimeoutMs();
        }
        endLeadership();
        boolean hadLeader = role instanceof Follower;
        role = new Unattached(leaderEpoch, deadlineMs);
        elect(new ElectionState(leaderEpoch, ElectionState.NOBODY, ElectionState.NOBODY, Uuid.ZERO));
        if (hadLeader) {
            changeLeader(ElectionState.NOBODY);
        }
    }

    private void follow(int leaderEpoch, int leaderId, long nowMs) {
        endLeadership();
        lostElections = 0;
        role = new Follower(leaderEpoch, leaderId, false, isVoter() ? nowMs + settings.fetchTimeoutMs() : Role.NEVER);
        boolean isSameEpoch = leaderEpoch == election.leaderEpoch();
        elect(new ElectionState(
                leaderEpoch,
                leaderId,
                isSameEpoch ? election.votedId() : ElectionState.NOBODY,
                isSameEpoch ? election.votedDirectoryId() : Uuid.ZERO));
        changeLeader(leaderId);
    }

    private void changeLeader(int leaderId) {
        out.toOthers(new RaftEffect.LeaderChanged(role.leaderEpoch(), leaderId));
    }

    private void endLeadership() {
        if (role instanceof Leader leader) {
            highWatermark = Math.max(highWatermark, leader.highWatermark());
            out.toSelf(new RaftEffect.EndEpoch(leader.leaderEpoch()));
        }
    }

    /** Gives up leading, where it does, and asks the others to elect somebody. */
    public List<RaftEffect> resign(long nowMs) {
        if (role instanceof Leader leader) {
            resign(leader, nowMs);
        }
        return out.drain();
    }

    private void resign(Leader leader, long nowMs) {
        RaftRequest.EndQuorumEpoch end =
                new RaftRequest.EndQuorumEpoch(leader.leaderEpoch(), self.nodeId(), leader.successors());
        endLeadership();
        role = new Resigned(leader.leaderEpoch(), nowMs + randomElectionTimeoutMs());
        for (Voter voter : voters.voters()) {
            if (!voter.is(self)) {
                out.toOthers(new RaftEffect.Send(voter, end));
            }
        }
    }

    /** The leader says that this node's log is not a prefix of its own: cut it, and ask again. */
    public List<RaftEffect> onDiverging(int divergingEpoch, long divergingEndOffset, long nowMs) {
        if (role instanceof Follower) {
            heardFromLeader(nowMs);
            out.toSelf(new RaftEffect.Truncate(FetchRules.truncationTarget(log, divergingEpoch, divergingEndOffset)));
        }
        return out.drain();
    }

    /** Records from the leader are in the log now, and the leader told its high watermark. */
    public List<RaftEffect> onFetched(long leaderHighWatermark, long nowMs) {
        if (role instanceof Follower) {
            heardFromLeader(nowMs);
            commit(Math.min(leaderHighWatermark, log.endOffset()));
        }
        return out.drain();
    }

    /** A part of a snapshot came from the leader. */
    public List<RaftEffect> onSnapshotChunk(long nowMs) {
        heardFromLeader(nowMs);
        return out.drain();
    }

    /** The log now begins where a snapshot ends; what the snapshot stands for is committed. */
    public List<RaftEffect> onSnapshotLoaded(SnapshotId snapshot, long nowMs) {
        heardFromLeader(nowMs);
        if (!(role instanceof Leader)) {
            commit(snapshot.endOffset());
        }
        return out.drain();
    }

    private void heardFromLeader(long nowMs) {
        if (role instanceof Follower follower) {
            role = new Follower(
                    follower.leaderEpoch(),
                    follower.leaderId(),
                    true,
                    isVoter() ? nowMs + settings.fetchTimeoutMs() : Role.NEVER);
        }
    }

    private void commit(long committed) {
        if (committed > highWatermark) {
            highWatermark = committed;
            out.toSelf(new RaftEffect.HighWatermarkMoved(committed));
        }
    }

    /** Another set of voters is the last one in the log, committed or not (KIP-853); it counts from now on. */
    public List<RaftEffect> onVoters(VoterSet newVoters, long nowMs) {
        boolean wasVoter = isVoter();
        voters = newVoters;
        if (role instanceof Leader leader) {
            long before = leader.highWatermark();
            leader.onVoters(newVoters, nowMs);
            moved(before, leader);
        } else if (wasVoter != isVoter()) {
            if (role instanceof Follower follower) {
                role = new Follower(
                        follower.leaderEpoch(),
                        follower.leaderId(),
                        follower.hasFetched(),
                        isVoter() ? nowMs + settings.fetchTimeoutMs() : Role.NEVER);
            } else {
                role = new Unattached(role.leaderEpoch(), isVoter() ? nowMs + randomElectionTimeoutMs() : Role.NEVER);
            }
        }
        return out.drain();
    }

    /**
     * This node stood still for so long until now, and could hear of nobody: nobody shall be doubted for that. Nor is
     * anybody trusted for longer than if he had been heard of now.
     */
    public void onStall(long stalledMs, long nowMs) {
        if (role instanceof Leader leader) {
            leader.onStall(stalledMs, nowMs);
        } else if (role instanceof Follower follower && follower.deadlineMs() != Role.NEVER) {
            role = new Follower(
                    follower.leaderEpoch(),
                    follower.leaderId(),
                    follower.hasFetched(),
                    Math.min(follower.deadlineMs() + stalledMs, nowMs + settings.fetchTimeoutMs()));
        }
    }

    private long randomElectionTimeoutMs() {
        return settings.electionTimeoutMs() + random.nextLong(settings.electionTimeoutMs());
    }

    private long backoffMs(int times) {
        long steps = 1L << Math.min(times, MOST_BACKOFF_DOUBLINGS);
        return Math.min(settings.electionBackoffMaxMs(), BACKOFF_STEP_MS * (1 + random.nextLong(steps)));
    }
}

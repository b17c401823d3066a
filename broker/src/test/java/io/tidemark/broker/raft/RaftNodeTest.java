package io.tidemark.broker.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RaftNodeTest {
    private static final int VOTER = 1001;
    private static final int SECOND = 1002;
    private static final int THIRD = 1003;
    private static final int BROKER = 1;
    private static final long ELECTION_MS = 1_000;
    private static final long FETCH_MS = 2_000;
    private static final Uuid DIRECTORY = new Uuid(2, 2);
    private static final ReplicaKey SECOND_KEY = new ReplicaKey(SECOND, new Uuid(2, SECOND));
    private static final ReplicaKey THIRD_KEY = new ReplicaKey(THIRD, new Uuid(2, THIRD));
    private static final ReplicaKey BROKER_KEY = new ReplicaKey(BROKER, DIRECTORY);
    private static final VoterSet ALONE = VoterSet.ofIds(List.of(VOTER));
    private static final VoterSet THREE = VoterSet.ofIds(List.of(VOTER, SECOND, THIRD));

    private final EpochLog log = new EpochLog();

    private RaftNode node(int id, VoterSet voters, ElectionState persisted) {
        RaftSettings settings = new RaftSettings(id, DIRECTORY, ELECTION_MS, 1_000, FETCH_MS, 20);
        return new RaftNode(settings, voters, persisted, log, new SplittableRandom(7));
    }

    private RaftNode voter(ElectionState persisted) {
        return node(VOTER, ALONE, persisted);
    }

    private RaftNode observer() {
        return node(BROKER, ALONE, ElectionState.INITIAL);
    }

    private RaftNode oneOfThree(ElectionState persisted) {
        RaftNode node = node(VOTER, THREE, persisted);
        node.start(0);
        return node;
    }

    /** A leader whose log and election are durable, with one record of its own. */
    private RaftNode leader() {
        RaftNode node = voter(ElectionState.INITIAL);
        node.start(0);
        log.with(1, 1);
        node.onElectionDurable(node.election());
        node.onLogDurable(log.endOffset());
        return node;
    }

    /** Leads epoch 1 among three, with its LeaderChange in its own log. */
    private RaftNode leaderOfThree() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        elect(node, 5_000);
        log.with(1, 1);
        node.onLogDurable(1);
        return node;
    }

    private static void elect(RaftNode node, long nowMs) {
        RaftRequest preVote = sent(node.onTime(nowMs)).get(0);
        node.onReply(SECOND, preVote, granted(preVote.leaderEpoch()), nowMs);
        List<RaftEffect> afterDurable = node.onElectionDurable(node.election());
        RaftRequest vote = sent(afterDurable).get(0);
        node.onReply(SECOND, vote, granted(vote.leaderEpoch()), nowMs);
        node.onElectionDurable(node.election());
        assertThat(node.role()).isInstanceOf(Leader.class);
    }

    private static RaftReply granted(int leaderEpoch) {
        return new RaftReply(ErrorCode.NONE, ElectionState.NOBODY, leaderEpoch, true);
    }

    private static RaftReply refused(int leaderEpoch) {
        return new RaftReply(ErrorCode.NONE, ElectionState.NOBODY, leaderEpoch, false);
    }

    private static List<RaftRequest> sent(List<RaftEffect> effects) {
        List<RaftRequest> sent = new ArrayList<>();
        for (RaftEffect effect : effects) {
            if (effect instanceof RaftEffect.Send send) {
                sent.add(send.request());
            }
        }
        return sent;
    }

    private static RaftReply answer(List<RaftEffect> effects) {
        for (RaftEffect effect : effects) {
            if (effect instanceof RaftEffect.Answer answer) {
                return answer.reply();
            }
        }
        throw new AssertionError("No answer in " + effects);
    }

    private static RaftRequest.Vote vote(int epoch, ReplicaKey candidate, int lastEpoch, long end) {
        return new RaftRequest.Vote(epoch, candidate, lastEpoch, end, false);
    }

    private static RaftRequest.Vote preVote(int epoch, ReplicaKey candidate, int lastEpoch, long end) {
        return new RaftRequest.Vote(epoch, candidate, lastEpoch, end, true);
    }

    @Test
    void aLoneVoterLeadsANewEpochAtEachStart() {
        RaftNode node = voter(new ElectionState(4, VOTER, VOTER, DIRECTORY));

        List<RaftEffect> effects = node.start(0);

        ElectionState election = new ElectionState(5, VOTER, VOTER, DIRECTORY);
        assertThat(node.role()).isInstanceOf(Leader.class);
        assertThat(effects).containsExactly(new RaftEffect.PersistElection(election), new RaftEffect.BeginEpoch((Leader)
                node.role()));
        assertThat(node.election()).isEqualTo(election);
        assertThat(node.deadlineMs()).isEqualTo(Role.NEVER);
    }

    @Test
    void anEpochThatIsOnlyInTheLogIsNotUsedAgain() {
        log.with(7, 3);

        RaftNode node = voter(ElectionState.INITIAL);
        node.start(0);

        assertThat(node.role().leaderEpoch()).isEqualTo(8);
    }

    @Test
    void theHighWatermarkWaitsForTheElectionToBeDurable() {
        RaftNode node = voter(ElectionState.INITIAL);
        node.start(0);
        log.with(1, 1);

        assertThat(node.onLogDurable(1)).isEmpty();
        assertThat(node.onElectionDurable(node.election())).containsExactly(new RaftEffect.HighWatermarkMoved(1));
    }

    @Test
    void theHighWatermarkWaitsForARecordOfTheLeadersOwnEpoch() {
        log.with(1, 10);
        RaftNode node = voter(new ElectionState(1, VOTER, VOTER, DIRECTORY));
        node.start(0);
        node.onElectionDurable(node.election());

        assertThat(node.onLogDurable(10)).isEmpty();
        log.with(2, 1);
        assertThat(node.onLogDurable(11)).containsExactly(new RaftEffect.HighWatermarkMoved(11));
    }

    @Test
    void theHighWatermarkNeverGoesBack() {
        RaftNode node = leader();
        log.with(1, 5);
        node.onLogDurable(6);

        assertThat(node.onLogDurable(3)).isEmpty();
        assertThat(node.highWatermark()).isEqualTo(6);
    }

    @Test
    void theHighWatermarkWaitsForAMajority() {
        RaftNode node = leaderOfThree();

        assertThat(node.highWatermark()).isEqualTo(-1);
        assertThat(node.onReplicaAt(BROKER_KEY, 1, 0)).as("has no vote").isEmpty();
        assertThat(node.onReplicaAt(THIRD_KEY, 1, 0)).containsExactly(new RaftEffect.HighWatermarkMoved(1));
    }

    @Test
    void recordsOfAnEarlierEpochOnAMajorityAreNotYetCommitted() {
        log.with(1, 10);
        RaftNode node = oneOfThree(new ElectionState(1, SECOND, ElectionState.NOBODY, Uuid.ZERO));
        elect(node, 5_000);
        log.with(2, 1);
        node.onLogDurable(11);

        assertThat(node.onReplicaAt(THIRD_KEY, 10, 0)).isEmpty();
        assertThat(node.onReplicaAt(THIRD_KEY, 11, 0)).containsExactly(new RaftEffect.HighWatermarkMoved(11));
    }

    @Test
    void aVoterAsksBeforeItTakesANewEpoch() {
        RaftNode node = oneOfThree(new ElectionState(3, ElectionState.NOBODY, ElectionState.NOBODY, Uuid.ZERO));

        assertThat(node.deadlineMs()).isBetween(ELECTION_MS, 2 * ELECTION_MS);
        List<RaftEffect> effects = node.onTime(node.deadlineMs());

        assertThat(sent(effects))
                .containsOnly(preVote(3, new ReplicaKey(VOTER, DIRECTORY), 0, 0))
                .hasSize(2);
        assertThat(node.role().leaderEpoch()).isEqualTo(3);
        assertThat(effects).noneMatch(effect -> effect instanceof RaftEffect.PersistElection);
    }

    @Test
    void aCandidateAsksForVotesOnlyWhenItsOwnIsDurable() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        RaftRequest preVote = sent(node.onTime(5_000)).get(0);

        List<RaftEffect> won = node.onReply(THIRD, preVote, granted(0), 5_000);

        ElectionState stands = new ElectionState(1, ElectionState.NOBODY, VOTER, DIRECTORY);
        assertThat(won).containsExactly(new RaftEffect.PersistElection(stands));
        assertThat(sent(node.onElectionDurable(stands)))
                .containsOnly(vote(1, new ReplicaKey(VOTER, DIRECTORY), 0, 0))
                .hasSize(2);
    }

    @Test
    void aVoteIsToldOnlyWhenItIsDurable() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);

        List<RaftEffect> effects = node.onRequest(1, vote(4, SECOND_KEY, 0, 0), 10);

        assertThat(effects).allMatch(effect -> effect instanceof RaftEffect.PersistElection);
        node.onElectionDurable(node.election());
        assertThat(answer(node.onElectionDurable(node.election())).isVoteGranted())
                .isTrue();
        assertThat(node.election()).isEqualTo(new ElectionState(4, -1, SECOND, SECOND_KEY.directoryId()));
    }

    @Test
    void nobodyGetsASecondVoteInAnEpoch() {
        RaftNode node = oneOfThree(new ElectionState(4, ElectionState.NOBODY, SECOND, SECOND_KEY.directoryId()));

        assertThat(answer(node.onRequest(1, vote(4, THIRD_KEY, 0, 0), 10)).isVoteGranted())
                .isFalse();
        assertThat(answer(node.onRequest(2, vote(4, SECOND_KEY, 0, 0), 10)).isVoteGranted())
                .as("the same again")
                .isTrue();
        assertThat(answer(node.onRequest(3, vote(4, new ReplicaKey(SECOND, DIRECTORY), 0, 0), 10))
                        .isVoteGranted())
                .as("the same node with another disk")
                .isFalse();
    }

    @Test
    void aCandidateWithLessOfTheLogGetsNoVote() {
        log.with(1, 5).with(3, 5);
        RaftNode node = oneOfThree(new ElectionState(3, ElectionState.NOBODY, ElectionState.NOBODY, Uuid.ZERO));

        assertThat(answer(node.onRequest(1, preVote(3, SECOND_KEY, 3, 9), 10)).isVoteGranted())
                .isFalse();
        assertThat(answer(node.onRequest(2, preVote(3, SECOND_KEY, 1, 50), 10)).isVoteGranted())
                .isFalse();
        assertThat(answer(node.onRequest(3, preVote(3, SECOND_KEY, 3, 10), 10)).isVoteGranted())
                .isTrue();
    }

    @Test
    void aPreVoteChangesNothing() {
        RaftNode node = oneOfThree(new ElectionState(3, ElectionState.NOBODY, ElectionState.NOBODY, Uuid.ZERO));
        ElectionState before = node.election();
        long deadlineMs = node.deadlineMs();

        assertThat(answer(node.onRequest(1, preVote(3, SECOND_KEY, 0, 0), 10)).isVoteGranted())
                .isTrue();

        assertThat(node.election()).isEqualTo(before);
        assertThat(node.deadlineMs()).isEqualTo(deadlineMs);
    }

    @Test
    void aFollowerThatHearsItsLeaderRefusesPreVotes() {
        RaftNode node = oneOfThree(new ElectionState(3, ElectionState.NOBODY, ElectionState.NOBODY, Uuid.ZERO));
        node.onLeaderHeardOf(3, SECOND, false, 0);
        node.onElectionDurable(node.election());

        assertThat(answer(node.onRequest(1, preVote(3, THIRD_KEY, 0, 0), 10)).isVoteGranted())
                .as("has not heard from it yet")
                .isTrue();
        node.onFetched(0, 20);
        assertThat(answer(node.onRequest(2, preVote(3, THIRD_KEY, 0, 0), 30)).isVoteGranted())
                .isFalse();
    }

    @Test
    void aFollowerDoubtsALeaderThatDoesNotAnswer() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        node.onLeaderHeardOf(3, SECOND, false, 0);
        node.onElectionDurable(node.election());
        node.onFetched(0, 500);

        assertThat(node.deadlineMs()).isEqualTo(500 + FETCH_MS);
        assertThat(sent(node.onTime(500 + FETCH_MS))).hasSize(2);
        assertThat(node.leaderId()).as("as far as it knows").isEqualTo(SECOND);
    }

    @Test
    void whoIsTheOnlyOneToDoubtGoesBackToItsLeader() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        node.onLeaderHeardOf(3, SECOND, false, 0);
        node.onElectionDurable(node.election());
        RaftRequest preVote = sent(node.onTime(FETCH_MS)).get(0);

        node.onReply(SECOND, preVote, refused(3), FETCH_MS);
        node.onReply(THIRD, preVote, refused(3), FETCH_MS);

        assertThat(node.role()).isInstanceOf(Follower.class);
        assertThat(node.leaderId()).isEqualTo(SECOND);
    }

    @Test
    void aRequestThatWasNotAnsweredIsSentAgain() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        RaftRequest preVote = sent(node.onTime(5_000)).get(0);

        node.onNoReply(SECOND, preVote, 5_100);

        assertThat(node.deadlineMs()).isEqualTo(5_120);
        assertThat(node.onTime(5_119)).isEmpty();
        assertThat(sent(node.onTime(5_120))).containsExactly(preVote);
    }

    @Test
    void aCandidateThatLostWaitsABitAndAsksAgain() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        RaftRequest preVote = sent(node.onTime(5_000)).get(0);
        node.onReply(SECOND, preVote, granted(0), 5_000);
        RaftRequest vote = sent(node.onElectionDurable(node.election())).get(0);

        node.onReply(SECOND, vote, refused(1), 5_000);
        node.onReply(THIRD, vote, refused(1), 5_000);

        assertThat(node.deadlineMs()).isBetween(5_100L, 5_200L);
        List<RaftRequest> again = sent(node.onTime(node.deadlineMs()));
        assertThat(again).hasSize(2).allMatch(request -> request instanceof RaftRequest.Vote asks && asks.isPreVote());
    }

    @Test
    void aLeaderThatHearsOfANewerEpochLeadsNoMore() {
        RaftNode node = leaderOfThree();

        List<RaftEffect> effects = node.onRequest(1, vote(5, SECOND_KEY, 1, 9), 6_000);

        assertThat(effects).contains(new RaftEffect.EndEpoch(1));
        assertThat(node.role()).isInstanceOf(Unattached.class);
        assertThat(node.election().votedId()).isEqualTo(SECOND);
    }

    @Test
    void aLeaderThatNoMajorityFetchesFromGivesUp() {
        RaftNode node = leaderOfThree();
        node.onFetch(SECOND_KEY, 1, 0, 0, 7_000);
        long quorumMs = 7_000 + FETCH_MS * 3 / 2;

        assertThat(node.onTime(quorumMs - 1)).noneMatch(effect -> effect instanceof RaftEffect.EndEpoch);
        List<RaftEffect> effects = node.onTime(quorumMs);

        assertThat(effects).contains(new RaftEffect.EndEpoch(1));
        assertThat(sent(effects)).hasSize(2).allMatch(request -> request instanceof RaftRequest.EndQuorumEpoch);
        assertThat(node.role()).isInstanceOf(Resigned.class);
        assertThat(node.leaderId()).isEqualTo(ElectionState.NOBODY);
    }

    @Test
    void aStandstillOfTheLeaderIsNoSilenceOfTheOthers() {
        RaftNode node = leaderOfThree();
        node.onFetch(SECOND_KEY, 1, 0, 0, 7_000);

        node.onStall(60_000, 67_000);

        assertThat(node.onTime(67_000)).noneMatch(effect -> effect instanceof RaftEffect.EndEpoch);
    }

    @Test
    void whoIsHeardOfAfterAStandstillOfTheLeaderIsNotTrustedForLongerThanThat() {
        RaftNode node = leaderOfThree();
        node.onFetch(SECOND_KEY, 1, 0, 0, 67_000);

        node.onStall(60_000, 67_000);

        assertThat(node.onTime(67_000 + FETCH_MS * 3 / 2)).contains(new RaftEffect.EndEpoch(1));
    }

    @Test
    void aLeaderTellsThoseThatDoNotFetch() {
        RaftNode node = leaderOfThree();
        node.onFetch(SECOND_KEY, 1, 0, 0, 5_900);

        List<RaftEffect> effects = node.onTime(node.deadlineMs());

        assertThat(effects)
                .containsExactly(
                        new RaftEffect.Send(THREE.byId().get(THIRD), new RaftRequest.BeginQuorumEpoch(1, VOTER)));
    }

    @Test
    void whoResignsNamesTheMostCompleteOthersFirst() {
        RaftNode node = leaderOfThree();
        node.onReplicaAt(THIRD_KEY, 1, 0);
        node.onReplicaAt(SECOND_KEY, 0, 0);

        assertThat(sent(node.resign(6_000)))
                .containsOnly(new RaftRequest.EndQuorumEpoch(1, VOTER, List.of(THIRD_KEY, SECOND_KEY)));
    }

    @Test
    void theFirstOfTheSuccessorsStandsAtOnce() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        node.onLeaderHeardOf(3, SECOND, true, 0);
        node.onElectionDurable(node.election());
        node.onFetched(0, 500);

        List<RaftEffect> effects = node.onRequest(
                9,
                new RaftRequest.EndQuorumEpoch(3, SECOND, List.of(new ReplicaKey(VOTER, DIRECTORY), THIRD_KEY)),
                600);

        assertThat(sent(effects))
                .hasSize(2)
                .allMatch(request -> request instanceof RaftRequest.Vote asks && asks.isPreVote());
    }

    @Test
    void aSecondLeaderOfOneEpochIsNotBelieved() {
        RaftNode node = oneOfThree(ElectionState.INITIAL);
        node.onLeaderHeardOf(3, SECOND, true, 0);
        node.onElectionDurable(node.election());

        RaftReply reply = answer(node.onRequest(1, new RaftRequest.BeginQuorumEpoch(3, THIRD), 10));

        assertThat(reply.error()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(node.leaderId()).isEqualTo(SECOND);
    }

    @Test
    void anOldEpochIsFenced() {
        RaftNode node = oneOfThree(new ElectionState(3, ElectionState.NOBODY, ElectionState.NOBODY, Uuid.ZERO));

        RaftReply reply = answer(node.onRequest(1, vote(2, SECOND_KEY, 0, 0), 10));

        assertThat(reply).isEqualTo(new RaftReply(ErrorCode.FENCED_LEADER_EPOCH, ElectionState.NOBODY, 3, false));
    }

    @Test
    void aFetchOfTheCurrentEpochIsAccepted() {
        RaftNode node = leader();

        assertThat(node.onFetch(BROKER_KEY, 1, 0, 0, 0)).isInstanceOf(FetchOutcome.Accepted.class);
        assertThat(node.onFetch(BROKER_KEY, 1, 1, 1, 0)).isInstanceOf(FetchOutcome.Accepted.class);
    }

    @Test
    void aFetchOfAnotherEpochIsRefused() {
        RaftNode node = leader();

        assertThat(node.onFetch(BROKER_KEY, 0, 0, 0, 0))
                .isEqualTo(new FetchOutcome.Refused(ErrorCode.FENCED_LEADER_EPOCH));
        assertThat(node.onFetch(BROKER_KEY, 2, 0, 0, 0))
                .isEqualTo(new FetchOutcome.Refused(ErrorCode.UNKNOWN_LEADER_EPOCH));
        assertThat(observer().onFetch(BROKER_KEY, 1, 0, 0, 0))
                .isEqualTo(new FetchOutcome.Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void aReplicaWithMoreOfAnEpochIsToldWhereItEnds() {
        log.with(1, 5);
        RaftNode node = voter(new ElectionState(1, VOTER, VOTER, DIRECTORY));
        node.start(0);
        log.with(2, 1);

        assertThat(node.onFetch(BROKER_KEY, 2, 8, 1, 0)).isEqualTo(new FetchOutcome.Diverging(1, 5));
    }

    @Test
    void aReplicaWithAnEpochThatTheLeaderNeverHadIsToldTheOneBelow() {
        log.with(1, 5);
        log.with(4, 2);
        RaftNode node = voter(new ElectionState(4, VOTER, VOTER, DIRECTORY));
        node.start(0);

        assertThat(node.onFetch(BROKER_KEY, 5, 6, 3, 0)).isEqualTo(new FetchOutcome.Diverging(1, 5));
    }

    @Test
    void aReplicaBelowTheLogsStartIsSentToTheSnapshot() {
        SnapshotId snapshot = new SnapshotId(8, 2);
        log.with(1, 5).with(2, 10).startingAt(snapshot);
        RaftNode node = voter(new ElectionState(2, VOTER, VOTER, DIRECTORY));
        node.start(0);
        log.with(3, 1);

        assertThat(node.onFetch(BROKER_KEY, 3, 0, 0, 0)).isEqualTo(new FetchOutcome.SnapshotNeeded(snapshot));
        assertThat(node.onFetch(BROKER_KEY, 3, 5, 1, 0)).isEqualTo(new FetchOutcome.SnapshotNeeded(snapshot));
        assertThat(node.onFetch(BROKER_KEY, 3, 8, 1, 0)).isEqualTo(new FetchOutcome.SnapshotNeeded(snapshot));
        assertThat(node.onFetch(BROKER_KEY, 3, 8, 2, 0)).isInstanceOf(FetchOutcome.Accepted.class);
        assertThat(node.onFetch(BROKER_KEY, 3, 15, 2, 0)).isInstanceOf(FetchOutcome.Accepted.class);
    }

    @Test
    void whatASnapshotStandsForIsCommitted() {
        RaftNode node = observer();
        node.onLeaderHeardOf(3, VOTER, true, 0);

        assertThat(node.onSnapshotLoaded(new SnapshotId(8, 2), 10)).contains(new RaftEffect.HighWatermarkMoved(8));
    }

    @Test
    void anObserverFollowsTheNewestLeaderItHearsOf() {
        RaftNode node = observer();

        List<RaftEffect> first = node.onLeaderHeardOf(3, VOTER, true, 0);
        assertThat(node.onElectionDurable(node.election())).contains(new RaftEffect.LeaderChanged(3, VOTER));
        assertThat(first).contains(new RaftEffect.PersistElection(node.election()));
        assertThat(node.onLeaderHeardOf(3, VOTER, true, 0)).isEmpty();
        assertThat(node.onLeaderHeardOf(2, VOTER, true, 0)).isEmpty();

        assertThat(node.role()).isEqualTo(new Follower(3, VOTER, false, Role.NEVER));
        assertThat(node.election().leaderEpoch()).isEqualTo(3);
    }

    @Test
    void aFollowersHighWatermarkIsNeverAboveItsOwnLog() {
        RaftNode node = observer();
        node.onLeaderHeardOf(1, VOTER, true, 0);
        node.onElectionDurable(node.election());
        log.with(1, 4);

        assertThat(node.onFetched(10, 0)).containsExactly(new RaftEffect.HighWatermarkMoved(4));
        assertThat(node.onFetched(10, 0)).isEmpty();
        log.with(1, 6);
        assertThat(node.onFetched(10, 0)).containsExactly(new RaftEffect.HighWatermarkMoved(10));
    }

    @Test
    void anObserverCutsItsLogToWhatItHasInCommonWithTheLeader() {
        RaftNode node = observer();
        node.onLeaderHeardOf(4, VOTER, true, 0);
        log.with(1, 5);
        log.with(3, 5);

        assertThat(node.onDiverging(3, 7, 0)).contains(new RaftEffect.Truncate(7));
        assertThat(node.onDiverging(2, 8, 0)).containsExactly(new RaftEffect.Truncate(5));
        assertThat(node.onDiverging(1, 3, 0)).containsExactly(new RaftEffect.Truncate(3));
    }

    @Test
    void theLeaderKnowsHowFarEachReplicaIs() {
        RaftNode node = leader();
        Leader leader = (Leader) node.role();

        node.onReplicaAt(BROKER_KEY, 0, 500);
        node.onReplicaAt(new ReplicaKey(2, DIRECTORY), 1, 600);

        assertThat(leader.voters(1, 700)).containsExactly(new ReplicaProgress(VOTER, DIRECTORY, 1, 700, 700));
        assertThat(leader.observers(1, 700))
                .containsExactly(
                        new ReplicaProgress(BROKER, DIRECTORY, 0, 500, -1),
                        new ReplicaProgress(2, DIRECTORY, 1, 600, 600));
    }

    @Test
    void aVoterThatIsAddedCountsFromThenOn() {
        RaftNode node = leaderOfThree();
        node.onReplicaAt(SECOND_KEY, 1, 0);
        List<Integer> ids = new ArrayList<>(new TreeSet<>(THREE.byId().keySet()));
        ids.add(1004);

        node.onVoters(VoterSet.ofIds(ids), 6_000);
        log.with(1, 1);
        node.onLogDurable(2);

        assertThat(node.onReplicaAt(SECOND_KEY, 2, 0)).as("two of four").isEmpty();
        assertThat(node.onReplicaAt(THIRD_KEY, 2, 0)).containsExactly(new RaftEffect.HighWatermarkMoved(2));
    }
}

package io.tidemark.broker.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RaftNodeTest {
    private static final int VOTER = 1001;
    private static final int BROKER = 1;
    private static final Uuid DIRECTORY = new Uuid(2, 2);

    private final ListLog log = new ListLog();

    /** A log that is only its epochs. */
    private static final class ListLog implements LogView {
        private final TreeMap<Integer, Long> starts = new TreeMap<>();
        private long end;

        ListLog with(int epoch, long count) {
            starts.putIfAbsent(epoch, end);
            end += count;
            return this;
        }

        @Override
        public long startOffset() {
            return 0;
        }

        @Override
        public long endOffset() {
            return end;
        }

        @Override
        public int lastEpoch() {
            return starts.isEmpty() ? 0 : starts.lastKey();
        }

        @Override
        public int epochFloor(int leaderEpoch) {
            Integer floor = starts.floorKey(leaderEpoch);
            return floor == null ? -1 : floor;
        }

        @Override
        public long endOffsetOf(int leaderEpoch) {
            Integer next = starts.higherKey(leaderEpoch);
            return next == null ? end : starts.get(next);
        }
    }

    private RaftNode voter(ElectionState persisted) {
        return new RaftNode(VOTER, DIRECTORY, new TreeSet<>(List.of(VOTER)), persisted, log);
    }

    private RaftNode observer() {
        return new RaftNode(BROKER, DIRECTORY, new TreeSet<>(List.of(VOTER)), ElectionState.INITIAL, log);
    }

    /** A leader whose log and election are durable, with one record of its own. */
    private RaftNode leader() {
        RaftNode node = voter(ElectionState.INITIAL);
        node.start();
        log.with(1, 1);
        node.onElectionDurable(node.election());
        node.onLogDurable(log.end);
        return node;
    }

    @Test
    void aLoneVoterLeadsANewEpochAtEachStart() {
        RaftNode node = voter(new ElectionState(4, VOTER, VOTER, DIRECTORY));

        List<RaftEffect> effects = node.start();

        ElectionState election = new ElectionState(5, VOTER, VOTER, DIRECTORY);
        assertThat(node.role()).isInstanceOf(Leader.class);
        assertThat(effects).containsExactly(new RaftEffect.PersistElection(election), new RaftEffect.BeginEpoch((Leader)
                node.role()));
        assertThat(node.election()).isEqualTo(election);
    }

    @Test
    void anEpochThatIsOnlyInTheLogIsNotUsedAgain() {
        log.with(7, 3);

        RaftNode node = voter(ElectionState.INITIAL);
        node.start();

        assertThat(node.role().leaderEpoch()).isEqualTo(8);
    }

    @Test
    void severalVotersAreRefusedAsLongAsTheyCannotElect() {
        RaftNode node = new RaftNode(VOTER, DIRECTORY, new TreeSet<>(List.of(VOTER, 1002)), ElectionState.INITIAL, log);

        assertThatThrownBy(node::start).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theHighWatermarkWaitsForTheElectionToBeDurable() {
        RaftNode node = voter(ElectionState.INITIAL);
        node.start();
        log.with(1, 1);

        assertThat(node.onLogDurable(1)).isEmpty();
        assertThat(node.onElectionDurable(node.election())).containsExactly(new RaftEffect.HighWatermarkMoved(1));
    }

    @Test
    void theHighWatermarkWaitsForARecordOfTheLeadersOwnEpoch() {
        log.with(1, 10);
        RaftNode node = voter(new ElectionState(1, VOTER, VOTER, DIRECTORY));
        node.start();
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
        assertThat(((Leader) node.role()).highWatermark()).isEqualTo(6);
    }

    @Test
    void aFetchOfTheCurrentEpochIsAccepted() {
        RaftNode node = leader();

        assertThat(node.onFetch(1, 0, 0)).isInstanceOf(FetchOutcome.Accepted.class);
        assertThat(node.onFetch(1, 1, 1)).isInstanceOf(FetchOutcome.Accepted.class);
    }

    @Test
    void aFetchOfAnotherEpochIsRefused() {
        RaftNode node = leader();

        assertThat(node.onFetch(0, 0, 0)).isEqualTo(new FetchOutcome.Refused(ErrorCode.FENCED_LEADER_EPOCH));
        assertThat(node.onFetch(2, 0, 0)).isEqualTo(new FetchOutcome.Refused(ErrorCode.UNKNOWN_LEADER_EPOCH));
        assertThat(observer().onFetch(1, 0, 0)).isEqualTo(new FetchOutcome.Refused(ErrorCode.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void aReplicaWithMoreOfAnEpochIsToldWhereItEnds() {
        log.with(1, 5);
        RaftNode node = voter(new ElectionState(1, VOTER, VOTER, DIRECTORY));
        node.start();
        log.with(2, 1);

        assertThat(node.onFetch(2, 8, 1)).isEqualTo(new FetchOutcome.Diverging(1, 5));
    }

    @Test
    void aReplicaWithAnEpochThatTheLeaderNeverHadIsToldTheOneBelow() {
        log.with(1, 5);
        log.with(4, 2);
        RaftNode node = voter(new ElectionState(4, VOTER, VOTER, DIRECTORY));
        node.start();

        assertThat(node.onFetch(5, 6, 3)).isEqualTo(new FetchOutcome.Diverging(1, 5));
    }

    @Test
    void anObserverFollowsTheNewestLeaderItHearsOf() {
        RaftNode node = observer();

        assertThat(node.onLeaderHeardOf(3, VOTER)).isTrue();
        assertThat(node.onLeaderHeardOf(3, VOTER)).isFalse();
        assertThat(node.onLeaderHeardOf(2, VOTER)).isFalse();

        assertThat(node.role()).isEqualTo(new Follower(3, VOTER, -1));
        assertThat(node.election().leaderEpoch()).isEqualTo(3);
    }

    @Test
    void anObserversHighWatermarkIsNeverAboveItsOwnLog() {
        RaftNode node = observer();
        node.onLeaderHeardOf(1, VOTER);
        log.with(1, 4);

        assertThat(node.onFetched(10)).containsExactly(new RaftEffect.HighWatermarkMoved(4));
        assertThat(node.onFetched(10)).isEmpty();
        log.with(1, 6);
        assertThat(node.onFetched(10)).containsExactly(new RaftEffect.HighWatermarkMoved(10));
    }

    @Test
    void anObserverCutsItsLogToWhatItHasInCommonWithTheLeader() {
        RaftNode node = observer();
        node.onLeaderHeardOf(4, VOTER);
        log.with(1, 5);
        log.with(3, 5);

        assertThat(node.onDiverging(3, 7)).containsExactly(new RaftEffect.Truncate(7));
        assertThat(node.onDiverging(2, 8)).containsExactly(new RaftEffect.Truncate(5));
        assertThat(node.onDiverging(1, 3)).containsExactly(new RaftEffect.Truncate(3));
    }

    @Test
    void theLeaderKnowsHowFarEachReplicaIs() {
        RaftNode node = leader();
        Leader leader = (Leader) node.role();

        leader.onFetch(BROKER, DIRECTORY, 0, 1, 500);
        leader.onFetch(2, DIRECTORY, 1, 1, 600);

        assertThat(leader.voters(1, 700)).containsExactly(new ReplicaProgress(VOTER, DIRECTORY, 1, 700, 700));
        assertThat(leader.observers(700))
                .containsExactly(
                        new ReplicaProgress(BROKER, DIRECTORY, 0, 500, -1),
                        new ReplicaProgress(2, DIRECTORY, 1, 600, 600));
    }
}

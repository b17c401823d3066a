package io.tidemark.broker.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VoterChangeTest {
    private static final int FIRST = 1001;
    private static final int SECOND = 1002;
    private static final long NOW_MS = 10_000_000;

    private final EpochLog log = new EpochLog();
    private final VoterHistory history = new VoterHistory(VoterSet.of(List.of(voter(FIRST))));
    private RaftNode node = newNode();

    private static Voter voter(int id) {
        Endpoint endpoint = new Endpoint("CONTROLLER", "localhost", 9000 + id, (short) 0);
        return new Voter(id, new Uuid(5, id), List.of(endpoint), (short) 0, (short) 1);
    }

    private RaftNode newNode() {
        RaftSettings settings = new RaftSettings(FIRST, new Uuid(5, FIRST), 1_000, 1_000, 2_000, 20);
        return new RaftNode(settings, history.voters(), ElectionState.INITIAL, log, new SplittableRandom(1));
    }

    @BeforeEach
    void lead() {
        node.start(0);
        log.with(1, 1);
        node.onElectionDurable(node.election());
        history.addKraftVersion(0, (short) 1);
        history.addVoters(0, VoterSet.of(List.of(voter(FIRST))));
    }

    private Leader leader() {
        return (Leader) node.role();
    }

    private void commit() {
        node.onLogDurable(log.endOffset());
    }

    private void catchUp(int id) {
        node.onReplicaAt(voter(id).key(), log.endOffset(), NOW_MS - 1_000);
    }

    private static ErrorCode error(VoterChange change) {
        return change instanceof VoterChange.Refused refused ? refused.error() : ErrorCode.NONE;
    }

    @Test
    void anObserverThatHasCaughtUpGetsAVote() {
        commit();
        catchUp(SECOND);

        VoterChange change = VoterChange.add(leader(), history, voter(SECOND), NOW_MS);

        assertThat(change).isEqualTo(new VoterChange.Accepted(VoterSet.of(List.of(voter(FIRST), voter(SECOND)))));
    }

    @Test
    void whoHasNotCaughtUpGetsNone() {
        commit();

        assertThat(error(VoterChange.add(leader(), history, voter(SECOND), NOW_MS)))
                .isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    @Test
    void oneChangeAtATime() {
        commit();
        catchUp(SECOND);
        history.addVoters(5, VoterSet.of(List.of(voter(FIRST), voter(1003))));

        assertThat(error(VoterChange.add(leader(), history, voter(SECOND), NOW_MS)))
                .isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    @Test
    void nothingChangesBeforeTheLeaderKnowsWhatIsCommitted() {
        catchUp(SECOND);

        assertThat(error(VoterChange.add(leader(), history, voter(SECOND), NOW_MS)))
                .isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    @Test
    void votersOfTheConfigurationStay() {
        commit();
        VoterHistory configured = new VoterHistory(history.voters());

        assertThat(error(VoterChange.add(leader(), configured, voter(SECOND), NOW_MS)))
                .isEqualTo(ErrorCode.UNSUPPORTED_VERSION);
    }

    @Test
    void aVoterIsKnownByItsDirectory() {
        commit();

        assertThat(error(VoterChange.add(leader(), history, voter(FIRST), NOW_MS)))
                .isEqualTo(ErrorCode.DUPLICATE_VOTER);
        assertThat(error(VoterChange.remove(leader(), history, new ReplicaKey(FIRST, new Uuid(7, 7)))))
                .isEqualTo(ErrorCode.VOTER_NOT_FOUND);
        assertThat(error(VoterChange.update(leader(), history, voter(SECOND)))).isEqualTo(ErrorCode.VOTER_NOT_FOUND);
    }

    @Test
    void theLastVoterStays() {
        commit();

        assertThat(error(VoterChange.remove(leader(), history, voter(FIRST).key())))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void aCutOfTheLogBringsTheVotersBefore() {
        VoterSet before = history.voters();
        history.addVoters(5, VoterSet.of(List.of(voter(FIRST), voter(SECOND))));
        assertThat(history.voters().size()).isEqualTo(2);
        assertThat(history.votersBelow(5)).isEqualTo(before);

        history.truncateTo(5);

        assertThat(history.voters()).isEqualTo(before);
        assertThat(history.kraftVersion()).isEqualTo((short) 1);
    }
}

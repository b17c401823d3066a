package io.tidemark.assertions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.NodeState;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaState;
import io.tidemark.ReplicaState.ReplicaLog;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ExpectationTest {
    private static final PartitionState STATE = state(false);

    @Test
    void whatIsSoIsMet() {
        assertThat(judge(Expectation.leader(2))).isEqualTo(new Met());
        assertThat(judge(Expectation.leaderEpoch(1))).isEqualTo(new Met());
        assertThat(judge(Expectation.isr(3, 2))).isEqualTo(new Met());
        assertThat(judge(Expectation.elr(1))).isEqualTo(new Met());
        assertThat(judge(Expectation.highWatermark(4))).isEqualTo(new Met());
        assertThat(judge(Expectation.logStartOffset(1))).isEqualTo(new Met());
        assertThat(judge(Expectation.logEndOffset(3, 6))).isEqualTo(new Met());
    }

    @Test
    void whatMayStillComeIsNotYet() {
        assertThat(judge(Expectation.leader(3))).isEqualTo(new NotYet("2"));
        assertThat(judge(Expectation.leaderEpoch(2))).isEqualTo(new NotYet("1"));
        assertThat(judge(Expectation.isr(1, 2, 3))).isEqualTo(new NotYet("[2, 3]"));
        assertThat(judge(Expectation.elr())).isEqualTo(new NotYet("[1]"));
        assertThat(judge(Expectation.fullIsr())).isEqualTo(new NotYet("[2, 3] of [1, 2, 3]"));
        assertThat(judge(Expectation.highWatermark(5))).isEqualTo(new NotYet("4"));
        assertThat(judge(Expectation.logStartOffset(2))).isEqualTo(new NotYet("1"));
        assertThat(judge(Expectation.logEndOffset(3, 7))).isEqualTo(new NotYet("6"));
    }

    @Test
    void aLeaderEpochThatIsPastNeverComesBack() {
        assertThat(judge(Expectation.leaderEpoch(0))).isEqualTo(new Never("1", "a leader epoch never goes back"));
    }

    @Test
    void aHighWatermarkThatIsPastNeverComesBack() {
        assertThat(judge(Expectation.highWatermark(3))).isEqualTo(new Never("4", "a high watermark never goes back"));
    }

    @Test
    void aHighWatermarkMayGoBackWhereElectionsMayBeUnclean() {
        assertThat(Expectation.highWatermark(3).judge().apply(state(true))).isEqualTo(new NotYet("4"));
    }

    @Test
    void aLogStartOffsetThatIsPastNeverComesBack() {
        assertThat(judge(Expectation.logStartOffset(0)))
                .isEqualTo(new Never("1", "a log start offset never goes back"));
    }

    @Test
    void aFollowerMayStillTruncate() {
        assertThat(judge(Expectation.logEndOffset(3, 4))).isEqualTo(new NotYet("6"));
    }

    @Test
    void aBrokerWithoutAReplicaNeverLeads() {
        assertThat(judge(Expectation.leader(7)))
                .isEqualTo(new Never("2", "broker 7 holds no replica of orders-0, the brokers [1, 2, 3] do"));
    }

    @Test
    void brokersWithoutAReplicaAreNeverInSync() {
        assertThat(judge(Expectation.isr(2, 7, 8)))
                .isEqualTo(new Never("[2, 3]", "brokers [7, 8] hold no replica of orders-0, the brokers [1, 2, 3] do"));
    }

    @Test
    void aBrokerThatIsDownMayComeBack() {
        assertThat(judge(Expectation.logEndOffset(1, 4))).isEqualTo(new NotYet("unknown: broker 1  killed"));
    }

    @Test
    void theMessageShowsTheNeighbourhood() {
        UnmetExpectation unmet =
                new UnmetExpectation("orders-0", Expectation.isr(1, 2, 3), "[2, 3]", "after 20000 ms.", STATE);

        assertThat(unmet.message()).isEqualTo("""

                Expecting ISR of orders-0 eventually to be:
                  [1, 2, 3]
                but it was:
                  [2, 3]
                after 20000 ms.

                orders-0: leader 2, leader epoch 1, ISR [2, 3], ELR [1], replicas [1, 2, 3], partition epoch 6
                  broker 1  killed
                  broker 2  leader    epoch 1  log 1..6  high watermark 4
                  broker 3  follower  epoch 1  log 1..6  high watermark 4
                seed 99
                """);
    }

    @Test
    void theMessageOfASingleLookDoesNotSpeakOfWaiting() {
        UnmetExpectation unmet = new UnmetExpectation(
                "orders-0", Expectation.leader(7), "unknown, as there is no such partition", null, null);

        assertThat(unmet.message()).isEqualTo("""

                Expecting leader of orders-0 to be:
                  7
                but it was:
                  unknown, as there is no such partition
                """);
    }

    private static Verdict judge(Expectation<PartitionState> expectation) {
        return expectation.judge().apply(STATE);
    }

    private static PartitionState state(boolean uncleanElection) {
        return new PartitionState(
                "orders",
                0,
                "id",
                OptionalInt.of(2),
                1,
                6,
                List.of(2, 3),
                List.of(1),
                List.of(
                        new ReplicaState(1, NodeState.KILLED, null),
                        new ReplicaState(2, NodeState.RUNNING, new ReplicaLog(true, 1, 1, 6, 4, 4)),
                        new ReplicaState(3, NodeState.RUNNING, new ReplicaLog(false, 1, 1, 6, 4, 4))),
                uncleanElection,
                40,
                99);
    }
}

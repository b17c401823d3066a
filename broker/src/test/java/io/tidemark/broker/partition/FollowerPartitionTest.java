package io.tidemark.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowerPartitionTest {
    private final FollowerPartition follower = new FollowerPartition(2, 5, 8);

    @Test
    void cutsToTheLeadersEndOfACommonEpoch() {
        FollowerEffect effect = follower.onDivergingEpoch(end(3, 12), epoch -> end(3, 15), 20);

        assertThat(effect).isEqualTo(new FollowerEffect.Truncate(12));
        assertThat(follower.highWatermark()).isEqualTo(8);
    }

    @Test
    void cutsToItsOwnEndOfACommonEpochWhereThatIsLower() {
        FollowerEffect effect = follower.onDivergingEpoch(end(3, 18), epoch -> end(3, 15), 20);

        assertThat(effect).isEqualTo(new FollowerEffect.Truncate(15));
    }

    @Test
    void stepsBackToItsOwnOlderEpochWhereItDoesNotKnowTheLeaders() {
        FollowerEffect effect = follower.onDivergingEpoch(end(3, 18), epoch -> end(2, 10), 20);

        assertThat(effect).isEqualTo(new FollowerEffect.Truncate(10));
    }

    @Test
    void cutsToTheWatermarkWhereNothingInCommonIsKnown() {
        FollowerEffect effect =
                follower.onDivergingEpoch(LeaderEpochEnd.UNDEFINED, epoch -> LeaderEpochEnd.UNDEFINED, 20);

        assertThat(effect).isEqualTo(new FollowerEffect.Truncate(8));
    }

    @Test
    void watermarkNeverStaysAboveACut() {
        follower.onDivergingEpoch(end(3, 6), epoch -> end(3, 15), 20);

        assertThat(follower.highWatermark()).isEqualTo(6);
    }

    @Test
    void divergenceRaisesNoWatermark() {
        follower.onDivergingEpoch(end(3, 12), epoch -> end(3, 15), 20);

        assertThat(follower.highWatermark()).isEqualTo(8);
    }

    @Test
    void cutsNoFurtherThanItsEndWhereOnlyAnEmptyEpochDiverges() {
        FollowerEffect effect = follower.onDivergingEpoch(end(3, 40), epoch -> end(3, 20), 20);

        assertThat(effect).isEqualTo(new FollowerEffect.Truncate(20));
    }

    @Test
    void watermarkFollowsTheLeadersUpToItsOwnEnd() {
        assertThat(follower.onFetched(30, 0, 20)).isTrue();
        assertThat(follower.highWatermark()).isEqualTo(20);
    }

    @Test
    void watermarkDoesNotGoBackWhereANewLeadersIsLower() {
        assertThat(follower.onFetched(3, 0, 20)).isFalse();
        assertThat(follower.highWatermark()).isEqualTo(8);
    }

    @Test
    void cutsToALeadersEndThatIsLower() {
        assertThat(follower.onOffsetOutOfRange(0, 5, 20)).isEqualTo(new FollowerEffect.Truncate(5));
        assertThat(follower.highWatermark()).isEqualTo(5);
    }

    @Test
    void startsAnewWithItsWatermarkAtTheLeadersStart() {
        assertThat(follower.onOffsetOutOfRange(100, 120, 20)).isEqualTo(new FollowerEffect.StartAnew(100));
        assertThat(follower.highWatermark()).isEqualTo(100);
    }

    @Test
    void fetchesOnWhereItsEndLiesWithinTheLeadersLog() {
        assertThat(follower.onOffsetOutOfRange(10, 30, 20)).isEqualTo(new FollowerEffect.FetchOn());
        assertThat(follower.highWatermark()).isEqualTo(8);
    }

    private static LeaderEpochEnd end(int leaderEpoch, long endOffset) {
        return new LeaderEpochEnd(leaderEpoch, endOffset);
    }
}

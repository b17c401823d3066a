package io.tidemark.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Uuid;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaderPartitionTest {
    private static final int LEADER = 1;
    private static final int LEADER_EPOCH = 4;
    private static final int PARTITION_EPOCH = 7;
    private static final long LAG_MS = 1_000;

    private final FakeBrokers brokers = new FakeBrokers();
    private long nowMs = 5_000;

    @Test
    void highWatermarkIsTheLeastEndOverTheInSyncReplicas() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2, 3), List.of(1, 2, 3));

        leader.onAppend(10, nowMs);
        assertThat(leader.highWatermark()).isZero();
        leader.onFollowerFetch(fetch(2, 10), nowMs);
        assertThat(leader.highWatermark()).isZero();

        assertThat(leader.onFollowerFetch(fetch(3, 6), nowMs))
                .containsExactly(new LeaderEffect.HighWatermarkAdvanced(6));
        assertThat(leader.onFollowerFetch(fetch(3, 10), nowMs))
                .containsExactly(new LeaderEffect.HighWatermarkAdvanced(10));
    }

    @Test
    void soleReplicaCommitsAtOnce() {
        LeaderPartition leader = leader(3, 1, 1, List.of(1), List.of(1));

        assertThat(leader.onStart(nowMs)).containsExactly(new LeaderEffect.HighWatermarkAdvanced(3));
        assertThat(leader.onAppend(4, nowMs)).containsExactly(new LeaderEffect.HighWatermarkAdvanced(4));
    }

    @Test
    void highWatermarkStandsWhileInSyncReplicasAreTooFewWhateverTheAcks() {
        LeaderPartition leader = leader(0, 0, 2, List.of(1, 2), List.of(1));

        assertThat(leader.onAppend(5, nowMs)).isEmpty();
        assertThat(leader.highWatermark()).isZero();
        assertThat(leader.checkAcksAll()).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
    }

    @Test
    void minInsyncReplicasAboveTheReplicaCountCountsAsTheReplicaCount() {
        LeaderPartition leader = leader(0, 0, 3, List.of(1, 2), List.of(1, 2));

        leader.onAppend(5, nowMs);

        assertThat(leader.onFollowerFetch(fetch(2, 5), nowMs))
                .containsExactly(new LeaderEffect.HighWatermarkAdvanced(5));
        assertThat(leader.checkAcksAll()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void highWatermarkMovesOnceTheMissingReplicaIsCommittedToTheInSyncSet() {
        LeaderPartition leader = leader(0, 0, 2, List.of(1, 2), List.of(1));
        leader.onAppend(5, nowMs);

        List<LeaderEffect> caughtUp = leader.onFollowerFetch(fetch(2, 5), nowMs);
        assertThat(caughtUp).containsExactly(propose(PARTITION_EPOCH, member(1, 11), member(2, 12)));
        assertThat(leader.highWatermark()).as("before the controller's word").isZero();

        assertThat(leader.onIsrAccepted(List.of(1, 2), PARTITION_EPOCH + 1, nowMs))
                .containsExactly(new LeaderEffect.HighWatermarkAdvanced(5));
    }

    @Test
    void highWatermarkNeverGoesBack() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1, 2));

        assertThat(leader.onFollowerFetch(fetch(2, 3), nowMs)).isEmpty();

        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void memberThatHasNotFetchedYetHoldsTheHighWatermarkBack() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2), List.of(1, 2));

        assertThat(leader.onAppend(1, nowMs)).isEmpty();
    }

    @Test
    void replicaOnItsWayInHoldsTheHighWatermarkBack() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));
        leader.onFollowerFetch(fetch(2, 10), nowMs);
        assertThat(leader.isr()).isInstanceOf(IsrState.PendingExpansion.class);

        assertThat(leader.onAppend(12, nowMs)).isEmpty();

        assertThat(leader.highWatermark()).isEqualTo(10);
        assertThat(leader.isr().committed()).containsExactly(1);
        assertThat(leader.isr().maximal()).containsExactly(1, 2);
    }

    @Test
    void replicaOnItsWayOutHoldsTheHighWatermarkBackUntilTheControllerHasCommitted() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2), List.of(1, 2));
        leader.onAppend(5, nowMs);
        nowMs += LAG_MS + 1;

        assertThat(leader.onLagCheck(nowMs)).containsExactly(propose(PARTITION_EPOCH, member(1, 11)));
        assertThat(leader.onAppend(6, nowMs)).isEmpty();

        assertThat(leader.onIsrAccepted(List.of(1), PARTITION_EPOCH + 1, nowMs)).isEmpty();
        assertThat(leader.onRegistration(registration(List.of(1, 2), List.of(1), PARTITION_EPOCH + 1), nowMs))
                .containsExactly(new LeaderEffect.HighWatermarkAdvanced(6));
    }

    @Test
    void replicaOnItsWayOutHoldsTheHighWatermarkBackWhereMoreInSyncReplicasWereWantedBefore() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2), List.of(1, 2));
        leader.onAppend(5, nowMs);
        nowMs += LAG_MS + 1;
        leader.onLagCheck(nowMs);

        leader.onIsrAccepted(List.of(1), PARTITION_EPOCH + 1, nowMs);
        leader.onSettings(new LeaderSettings(2, LAG_MS));
        leader.onRegistration(registration(List.of(1, 2), List.of(1), PARTITION_EPOCH + 1), nowMs);

        assertThat(leader.highWatermark()).as("2 is an eligible leader").isZero();
    }

    @Test
    void memberIsKeptUntilItsLagIsTooLong() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2), List.of(1, 2));
        leader.onAppend(5, nowMs);

        nowMs += LAG_MS;

        assertThat(leader.onLagCheck(nowMs)).isEmpty();
    }

    @Test
    void timeInWhichAMemberStoodStillIsNoLag() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2, 3), List.of(1, 2, 3));
        leader.onAppend(5, nowMs);
        nowMs += LAG_MS;
        leader.onStalls(id -> id == 2 ? LAG_MS / 2 : 0, nowMs);

        nowMs += LAG_MS / 2;
        assertThat(leader.onLagCheck(nowMs)).containsExactly(propose(PARTITION_EPOCH, member(1, 11), member(2, -1)));
    }

    @Test
    void aMemberIsForgivenNoMoreThanItsSilence() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2), List.of(1, 2));
        leader.onAppend(5, nowMs);
        leader.onStalls(id -> 100 * LAG_MS, nowMs);

        nowMs += LAG_MS + 1;
        assertThat(leader.onLagCheck(nowMs)).containsExactly(propose(PARTITION_EPOCH, member(1, 11)));
    }

    @Test
    void memberAtTheLogEndIsKeptHoweverLongItIsSilent() {
        LeaderPartition leader = leader(5, 5, 1, List.of(1, 2), List.of(1, 2));
        leader.onFollowerFetch(fetch(2, 5), nowMs);

        nowMs += 100 * LAG_MS;

        assertThat(leader.onLagCheck(nowMs)).isEmpty();
    }

    @Test
    void memberThatReachesTheEndOfItsPreviousFetchIsCaughtUpThoughTheEndRunsAhead() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2), List.of(1, 2));
        for (int round = 1; round <= 10; round++) {
            leader.onAppend(round * 10L, nowMs);
            leader.onFollowerFetch(fetch(2, (round - 1) * 10L), nowMs);
            nowMs += LAG_MS / 2;
            assertThat(leader.onLagCheck(nowMs)).isEmpty();
        }
    }

    @Test
    void onlyOneProposalIsUnderWay() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2, 3), List.of(1, 2));
        leader.onFollowerFetch(fetch(3, 0), nowMs);
        nowMs += LAG_MS + 1;
        leader.onAppend(5, nowMs);

        assertThat(leader.onLagCheck(nowMs)).isEmpty();
        assertThat(leader.isr()).isInstanceOf(IsrState.PendingExpansion.class);
    }

    @Test
    void replicaBelowTheHighWatermarkDoesNotJoin() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));

        assertThat(leader.onFollowerFetch(fetch(2, 9), nowMs)).isEmpty();
    }

    @Test
    void replicaBelowTheEpochsStartDoesNotJoin() {
        LeaderPartition leader = leader(10, 4, 2, List.of(1, 2), List.of(1));

        assertThat(leader.onFollowerFetch(fetch(2, 6), nowMs)).isEmpty();
        assertThat(leader.onFollowerFetch(fetch(2, 10), nowMs)).hasSize(1);
    }

    @Test
    void fencedReplicaDoesNotJoinUntilItIsUnfenced() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));
        brokers.inactive.add(2);
        assertThat(leader.onFollowerFetch(fetch(2, 10), nowMs)).isEmpty();

        brokers.inactive.remove(2);

        assertThat(leader.reconsider(nowMs)).containsExactly(propose(PARTITION_EPOCH, member(1, 11), member(2, 12)));
    }

    @Test
    void replicaOfAnotherBrokerEpochDoesNotJoin() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));

        assertThat(leader.onFollowerFetch(new FollowerProgress(2, 13, 10, 0), nowMs))
                .isEmpty();
    }

    @Test
    void fetchOfAnOlderBrokerEpochIsRefused() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));

        assertThat(leader.checkFollower(new FollowerProgress(2, 11, 10, 0)))
                .isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(leader.checkFollower(fetch(2, 10))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void fetchOfABrokerWithoutAReplicaIsRefused() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));

        assertThat(leader.checkFollower(fetch(9, 10))).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
    }

    @Test
    void refusedReplicaIsProposedAgainAtItsNextFetch() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));
        leader.onFollowerFetch(fetch(2, 10), nowMs);

        leader.onIsrRefused(ErrorCode.INELIGIBLE_REPLICA, nowMs);

        assertThat(leader.isr()).isEqualTo(new IsrState.Committed(List.of(1), PARTITION_EPOCH));
        assertThat(leader.onFollowerFetch(fetch(2, 10), nowMs)).hasSize(1);
    }

    @Test
    void proposalStaysPendingWhereTheControllerKnowsBetterUntilItsMetadataComes() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));
        leader.onFollowerFetch(fetch(2, 10), nowMs);

        leader.onIsrRefused(ErrorCode.INVALID_UPDATE_VERSION, nowMs);
        assertThat(leader.isr().maximal()).containsExactly(1, 2);

        leader.onRegistration(registration(List.of(1, 2), List.of(1, 2), PARTITION_EPOCH + 2), nowMs);
        assertThat(leader.isr()).isEqualTo(new IsrState.Committed(List.of(1, 2), PARTITION_EPOCH + 2));
    }

    @Test
    void olderAnswerDoesNotReplaceNewerMetadata() {
        LeaderPartition leader = leader(10, 10, 1, List.of(1, 2), List.of(1));
        leader.onFollowerFetch(fetch(2, 10), nowMs);
        leader.onRegistration(registration(List.of(1, 2), List.of(1, 2), PARTITION_EPOCH + 2), nowMs);

        leader.onIsrAccepted(List.of(1), PARTITION_EPOCH + 1, nowMs);

        assertThat(leader.isr().committed()).containsExactly(1, 2);
    }

    @Test
    void severalReplicasJoinInOneProposal() {
        LeaderPartition leader = leader(0, 0, 1, List.of(1, 2, 3, 4), List.of(1));
        leader.onFollowerFetch(fetch(2, 0), nowMs);
        leader.onFollowerFetch(fetch(3, 0), nowMs);
        leader.onFollowerFetch(fetch(4, 0), nowMs);

        List<LeaderEffect> next = leader.onIsrAccepted(List.of(1, 2), PARTITION_EPOCH + 1, nowMs);

        assertThat(next)
                .containsExactly(
                        propose(PARTITION_EPOCH + 1, member(1, 11), member(2, 12), member(3, 13), member(4, 14)));
    }

    @Test
    void writeWithTooFewInSyncReplicasAfterItsAppendIsToldSo() {
        LeaderPartition leader = leader(0, 0, 2, List.of(1, 2), List.of(1, 2));
        leader.onAppend(5, nowMs);
        assertThat(leader.acksAllOutcome(5)).isNull();
        leader.onFollowerFetch(fetch(2, 5), nowMs);
        assertThat(leader.acksAllOutcome(5)).isEqualTo(ErrorCode.NONE);

        brokers.inactive.add(2);
        leader.onRegistration(registration(List.of(1, 2), List.of(1), PARTITION_EPOCH + 1), nowMs);

        assertThat(leader.acksAllOutcome(5)).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND);
    }

    /** The check at the append and the one at the commit look at different moments; between them lies no promise. */
    @Test
    void aWriteThatWasTakenIsNeitherCommittedNorRefusedWhileTheSetHasShrunkBelowTheMinimum() {
        LeaderPartition leader = leader(0, 0, 2, List.of(1, 2), List.of(1, 2));
        assertThat(leader.checkAcksAll()).isEqualTo(ErrorCode.NONE);
        leader.onAppend(5, nowMs);

        leader.onRegistration(registration(List.of(1, 2), List.of(1), PARTITION_EPOCH + 1), nowMs);
        leader.onFollowerFetch(fetch(2, 5), nowMs);

        assertThat(leader.isr().maximal()).as("it is on its way back").containsExactly(1, 2);
        assertThat(leader.checkAcksAll()).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
        assertThat(leader.highWatermark()).isZero();
        assertThat(leader.acksAllOutcome(5)).isNull();

        leader.onIsrAccepted(List.of(1, 2), PARTITION_EPOCH + 2, nowMs);
        assertThat(leader.checkAcksAll()).isEqualTo(ErrorCode.NONE);
        assertThat(leader.acksAllOutcome(5)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void whileALaggardIsOnlyProposedToLeaveBothChecksCountIt() {
        LeaderPartition leader = leader(0, 0, 2, List.of(1, 2), List.of(1, 2));
        leader.onAppend(5, nowMs);
        leader.onFollowerFetch(fetch(2, 5), nowMs);
        leader.onAppend(6, nowMs);
        nowMs += LAG_MS + 1;
        assertThat(leader.onLagCheck(nowMs)).containsExactly(propose(PARTITION_EPOCH, member(1, 11)));

        assertThat(leader.checkAcksAll()).isEqualTo(ErrorCode.NONE);
        assertThat(leader.acksAllOutcome(5)).isEqualTo(ErrorCode.NONE);
        assertThat(leader.acksAllOutcome(6)).isNull();

        leader.onIsrAccepted(List.of(1), PARTITION_EPOCH + 1, nowMs);
        assertThat(leader.checkAcksAll()).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
        assertThat(leader.acksAllOutcome(5)).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND);
        assertThat(leader.acksAllOutcome(6)).as("it is not committed").isNull();
    }

    @Test
    void latestOffsetIsNotToldBeforeTheWatermarkHasPassedTheEpochsStart() {
        LeaderPartition leader = leader(10, 4, 1, List.of(1, 2), List.of(1, 2));
        assertThat(leader.isLatestOffsetAvailable()).isFalse();

        leader.onFollowerFetch(fetch(2, 10), nowMs);

        assertThat(leader.isLatestOffsetAvailable()).isTrue();
    }

    @Test
    void raisedMinInsyncReplicasStopTheWatermarkAndLoweredOnesFreeIt() {
        LeaderPartition leader = leader(0, 0, 2, List.of(1, 2), List.of(1));
        leader.onAppend(5, nowMs);

        leader.onSettings(new LeaderSettings(1, LAG_MS));
        assertThat(leader.highWatermark())
                .as("until it is known that it leads on")
                .isZero();
        assertThat(leader.reconsider(nowMs)).containsExactly(new LeaderEffect.HighWatermarkAdvanced(5));
        leader.onSettings(new LeaderSettings(2, LAG_MS));
        assertThat(leader.onAppend(6, nowMs)).isEmpty();
    }

    private LeaderPartition leader(
            long logEndOffset, long highWatermark, int minIsr, List<Integer> replicas, List<Integer> isr) {
        return new LeaderPartition(
                LEADER,
                registration(replicas, isr, PARTITION_EPOCH),
                logEndOffset,
                highWatermark,
                new LeaderSettings(minIsr, LAG_MS),
                brokers,
                nowMs);
    }

    private static PartitionRegistration registration(List<Integer> replicas, List<Integer> isr, int partitionEpoch) {
        return new PartitionRegistration(
                replicas,
                Collections.nCopies(replicas.size(), Uuid.ZERO),
                isr,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                LEADER,
                (byte) 0,
                LEADER_EPOCH,
                partitionEpoch);
    }

    private static FollowerProgress fetch(int brokerId, long offset) {
        return new FollowerProgress(brokerId, 10 + brokerId, offset, 0);
    }

    private static IsrMember member(int brokerId, long brokerEpoch) {
        return new IsrMember(brokerId, brokerEpoch);
    }

    private static LeaderEffect propose(int partitionEpoch, IsrMember... members) {
        return new LeaderEffect.ProposeIsr(new IsrProposal(List.of(members), LEADER_EPOCH, partitionEpoch, (byte) 0));
    }

    /** Broker n has epoch 10 + n. */
    private static final class FakeBrokers implements ReplicaBrokers {
        private final Set<Integer> inactive = new HashSet<>();
        private final Map<Integer, Long> epochs = new HashMap<>();

        @Override
        public boolean mayJoinIsr(int brokerId) {
            return !inactive.contains(brokerId);
        }

        @Override
        public long brokerEpoch(int brokerId) {
            return epochs.getOrDefault(brokerId, 10L + brokerId);
        }
    }
}

package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.PartitionRegistration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who leads when brokers come and go. min.insync.replicas is 2 of 3 replicas unless a test says otherwise. */
class ElectionsTest {
    private final ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    private void createOrders(String... configs) {
        fixture.create(assigned("orders", List.of(1, 2, 3), configs));
    }

    private PartitionRegistration orders() {
        return fixture.partition("orders");
    }

    @Test
    void theFirstLiveIsrMemberInReplicaOrderLeads() {
        createOrders("min.insync.replicas", "2");

        fixture.loseAllBut(2, 3);

        assertThat(orders().leader()).isEqualTo(2);
        assertThat(orders().isr()).containsExactly(2, 3);
        assertThat(orders().elr()).isEmpty();
        assertThat(orders().leaderEpoch()).isEqualTo(1);
        assertThat(orders().partitionEpoch()).isEqualTo(1);
    }

    @Test
    void aLostFollowerLeavesTheIsrAndTheLeaderEpochStays() {
        createOrders("min.insync.replicas", "2");

        fixture.loseAllBut(1, 2);

        assertThat(orders().leader()).isEqualTo(1);
        assertThat(orders().isr()).containsExactly(1, 2);
        assertThat(orders().leaderEpoch()).isZero();
    }

    @Test
    void thePreferredLeaderIsLeftAloneWhenItComesBack() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);

        fixture.startBroker(1, -1);

        assertThat(orders().leader()).isEqualTo(2);
    }

    @Test
    void whoLeavesAnIsrThatIsTooSmallStaysEligible() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);

        fixture.loseAllBut(3);

        assertThat(orders().leader()).isEqualTo(3);
        assertThat(orders().isr()).containsExactly(3);
        assertThat(orders().elr()).containsExactly(2);
    }

    @Test
    void theLastOfTheIsrMayGoAndNobodyLeads() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut(3);

        fixture.loseAllBut();

        assertThat(orders().hasLeader()).isFalse();
        assertThat(orders().isr()).isEmpty();
        assertThat(orders().elr()).containsExactlyInAnyOrder(2, 3);
        assertThat(orders().lastKnownElr()).containsExactly(3);
    }

    @Test
    void anEligibleReplicaLeadsCleanlyWhenItIsHeardOfAgain() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut(3);
        fixture.loseAllBut();

        fixture.heartbeat(2);

        assertThat(orders().leader()).isEqualTo(2);
        assertThat(orders().isr()).containsExactly(2);
        assertThat(orders().elr()).containsExactly(3);
        assertThat(orders().leaderRecoveryState()).isEqualTo(PartitionRegistration.RECOVERED);
    }

    @Test
    void whoWasNeitherInIsrNorElrIsNotElected() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut();

        fixture.startBroker(1, -1);

        assertThat(orders().hasLeader()).isFalse();
    }

    @Test
    void uncleanElectionTakesAnyLiveReplicaAndSaysSo() {
        createOrders("min.insync.replicas", "2", "unclean.leader.election.enable", "true");
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut();

        fixture.startBroker(1, -1);

        assertThat(orders().leader()).isEqualTo(1);
        assertThat(orders().isr()).containsExactly(1);
        assertThat(orders().elr()).isEmpty();
        assertThat(orders().leaderRecoveryState()).isEqualTo(PartitionRegistration.RECOVERING);
    }

    @Test
    void anIsrThatIsLargeEnoughEmptiesTheElr() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut(3);
        fixture.startBroker(1, -1);

        fixture.proposeIsr("orders", 3, List.of(3, 1));

        assertThat(orders().isr()).containsExactly(3, 1);
        assertThat(orders().elr()).isEmpty();
    }

    @Test
    void aReturnAfterAnUncleanStopLeavesIsrAndElrAndRaisesTheLeaderEpoch() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut(3);
        int leaderEpoch = orders().leaderEpoch();

        fixture.startBroker(2, -1);

        assertThat(orders().elr()).isEmpty();
        assertThat(orders().leader()).isEqualTo(3);
        assertThat(orders().leaderEpoch()).isEqualTo(leaderEpoch + 1);
    }

    @Test
    void aReturnAfterACleanStopStaysEligible() {
        createOrders("min.insync.replicas", "2");
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut(3);
        long epoch = fixture.image().cluster().brokerEpoch(2);

        fixture.startBroker(2, epoch);

        assertThat(orders().elr()).containsExactly(2);
    }

    @Test
    void theLeaderThatComesBackFromAnUncleanStopBeforeItIsMissedLosesItsPlace() {
        createOrders("min.insync.replicas", "2");
        fixture.nowMs += ControllerFixture.SESSION_MS;
        fixture.heartbeat(2);
        fixture.heartbeat(3);

        fixture.register(1, -1);

        assertThat(orders().leader()).isEqualTo(2);
        assertThat(orders().isr()).containsExactly(2, 3);
        assertThat(orders().leaderEpoch()).isEqualTo(1);
    }

    @Test
    void theLastLeaderReturnsUncleanlyWhereNobodyBetterCanCome() {
        fixture.create(assigned("single", List.of(1)));
        fixture.loseAllBut(2, 3);
        assertThat(fixture.partition("single").hasLeader()).isFalse();

        fixture.startBroker(1, -1);

        assertThat(fixture.partition("single").leader()).isEqualTo(1);
        assertThat(fixture.partition("single").isr()).containsExactly(1);
        assertThat(fixture.partition("single").lastKnownElr()).isEmpty();
        assertThat(fixture.partition("single").leaderRecoveryState()).isEqualTo(PartitionRegistration.RECOVERING);
    }

    @Test
    void aSingleReplicaReturnsCleanlyAfterACleanStop() {
        fixture.create(assigned("single", List.of(1)));
        long epoch = fixture.image().cluster().brokerEpoch(1);
        fixture.loseAllBut(2, 3);

        fixture.startBroker(1, epoch);

        assertThat(fixture.partition("single").leader()).isEqualTo(1);
        assertThat(fixture.partition("single").leaderRecoveryState()).isEqualTo(PartitionRegistration.RECOVERED);
    }

    @Test
    void minInsyncReplicasCountsAtMostAsManyAsThereAreReplicas() {
        ControllerFixture strict = new ControllerFixture(Map.of("min.insync.replicas", "3")).withBrokers(3);
        strict.create(assigned("single", List.of(1)), assigned("pair", List.of(1, 2)));

        strict.loseAllBut(2, 3);

        assertThat(strict.partition("single").elr()).containsExactly(1);
        assertThat(strict.partition("pair").isr()).containsExactly(2);
        assertThat(strict.partition("pair").elr()).containsExactly(1);
    }
}

package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import io.tidemark.broker.protocol.message.BrokerRegistrationRequest;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.junit.jupiter.api.Test;

class BrokerControlTest {
    private static final Uuid INCARNATION = new Uuid(5, 5);

    private final ControllerFixture fixture = new ControllerFixture();

    private BrokerRegistration broker(int id) {
        return fixture.image().cluster().broker(id);
    }

    @Test
    void aBrokersEpochIsTheOffsetOfItsRegistration() {
        long epoch = fixture.register(1, -1).brokerEpoch();

        assertThat(fixture.log.get((int) epoch)).isInstanceOf(RegisterBrokerRecord.class);
        assertThat(broker(1).epoch()).isEqualTo(epoch);
        assertThat(broker(1).fenced()).isTrue();
    }

    @Test
    void aBrokerIsUnfencedOnceItHasSeenItsOwnRegistration() {
        long epoch = fixture.register(1, -1).brokerEpoch();

        BrokerHeartbeatResponse early = fixture.heartbeat(1, epoch - 1, false);
        assertThat(early.isFenced()).isTrue();
        assertThat(early.isCaughtUp()).isFalse();
        BrokerHeartbeatResponse caughtUp = fixture.heartbeat(1, epoch, false);

        assertThat(caughtUp.isFenced()).isFalse();
        assertThat(caughtUp.isCaughtUp()).isTrue();
        assertThat(broker(1).fenced()).isFalse();
    }

    @Test
    void aBrokerThatIsNotHeardOfIsFenced() {
        fixture.withBrokers(2);
        fixture.nowMs += ControllerFixture.SESSION_MS - 1;
        assertThat(fixture.controller.fenceOneExpired(fixture.nowMs)).isEmpty();

        fixture.nowMs++;
        fixture.append(fixture.controller.fenceOneExpired(fixture.nowMs));

        assertThat(broker(1).fenced()).isTrue();
        assertThat(broker(2).fenced()).isFalse();
    }

    @Test
    void aFencedBrokerIsUnfencedByItsNextHeartbeat() {
        fixture.withBrokers(2);
        fixture.loseAllBut(2);
        assertThat(broker(1).fenced()).isTrue();

        fixture.heartbeat(1);

        assertThat(broker(1).fenced()).isFalse();
    }

    @Test
    void aStallOfTheControllerEndsNoSession() {
        fixture.withBrokers(2);
        fixture.nowMs += 60_000;

        fixture.controller.onStalls(60_000, id -> 0, fixture.nowMs);

        assertThat(fixture.controller.fenceOneExpired(fixture.nowMs)).isEmpty();
    }

    @Test
    void whoIsHeardOfAfterAStallHasNoLongerSessionThanOthers() {
        fixture.withBrokers(2);
        fixture.nowMs += 60_000;
        fixture.heartbeat(1);

        fixture.controller.onStalls(60_000, id -> 0, fixture.nowMs);

        fixture.nowMs += ControllerFixture.SESSION_MS;
        fixture.append(fixture.controller.fenceOneExpired(fixture.nowMs));
        assertThat(broker(1).fenced()).isTrue();
    }

    @Test
    void aStallOfABrokerDoesNotEndItsSessionAndProlongsNoOther() {
        fixture.withBrokers(2);
        long[] stalledMs = {0, 70_000, 70_000};
        fixture.controller.onStalls(0, id -> stalledMs[id], fixture.nowMs);
        fixture.nowMs += ControllerFixture.SESSION_MS;
        stalledMs[1] += ControllerFixture.SESSION_MS / 2;
        fixture.controller.onStalls(ControllerFixture.SESSION_MS / 4, id -> stalledMs[id], fixture.nowMs);

        fixture.nowMs += ControllerFixture.SESSION_MS / 2 - 1;
        fixture.controller.onStalls(0, id -> stalledMs[id], fixture.nowMs);
        fixture.append(fixture.controller.fenceOneExpired(fixture.nowMs));
        assertThat(broker(1).fenced()).as("half of its silence is forgiven").isFalse();
        assertThat(broker(2).fenced()).as("a quarter is").isTrue();
        fixture.nowMs++;
        fixture.append(fixture.controller.fenceOneExpired(fixture.nowMs));
        assertThat(broker(1).fenced()).as("and no more than half").isTrue();
    }

    @Test
    void theStallsOfABrokersFormerLifeAreNoneOfItsNextOne() {
        fixture.withBrokers(1);
        fixture.controller.onStalls(0, id -> 70_000, fixture.nowMs);
        fixture.nowMs += ControllerFixture.SESSION_MS;
        fixture.controller.onStalls(0, id -> 10, fixture.nowMs);

        assertThat(fixture.controller.fenceOneExpired(fixture.nowMs)).isNotEmpty();
    }

    @Test
    void aNewLeaderGivesEveryBrokerAWholeSession() {
        fixture.withBrokers(1);
        fixture.nowMs += 60_000;

        fixture.controller.onLeader(fixture.image().cluster().controllers().get(1001), fixture.nowMs);

        assertThat(fixture.controller.fenceOneExpired(fixture.nowMs)).isEmpty();
        fixture.nowMs += ControllerFixture.SESSION_MS;
        assertThat(fixture.controller.fenceOneExpired(fixture.nowMs)).isNotEmpty();
    }

    @Test
    void refusesASecondProcessWhileTheFirstIsAlive() {
        fixture.withBrokers(1);

        assertThat(fixture.register(1, -1).errorCode()).isEqualTo(ErrorCode.DUPLICATE_BROKER_REGISTRATION.code());
    }

    @Test
    void takesASecondProcessWhenTheFirstWasNotHeardOfInTime() {
        fixture.withBrokers(1);
        fixture.nowMs += ControllerFixture.SESSION_MS;

        assertThat(fixture.register(1, -1).errorCode()).isZero();
        assertThat(broker(1).fenced()).isTrue();
    }

    @Test
    void aRepeatedRegistrationOfTheSameProcessKeepsItsEpoch() {
        long first = fixture.register(1, -1, INCARNATION).brokerEpoch();
        fixture.heartbeat(1);

        long second = fixture.register(1, -1, INCARNATION).brokerEpoch();

        assertThat(second).isEqualTo(first);
        assertThat(broker(1).fenced()).isFalse();
    }

    @Test
    void refusesABrokerOfAnotherCluster() {
        BrokerRegistrationRequest request =
                new BrokerRegistrationRequest().setBrokerId(1).setClusterId("other");

        assertThat(fixture.commit(fixture.controller.registerBroker(request, fixture.nowMs))
                        .errorCode())
                .isEqualTo(ErrorCode.INCONSISTENT_CLUSTER_ID.code());
    }

    @Test
    void refusesAHeartbeatOfAnEarlierLife() {
        fixture.withBrokers(1);

        BrokerHeartbeatResponse response = fixture.commit(fixture.controller.heartbeat(
                new BrokerHeartbeatRequest()
                        .setBrokerId(1)
                        .setBrokerEpoch(broker(1).epoch() - 1),
                fixture.nowMs));

        assertThat(response.errorCode()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH.code());
    }

    @Test
    void aBrokerThatLeadsGivesItsLeadershipsAwayBeforeItMayGo() {
        fixture.withBrokers(3);
        fixture.create(assigned("orders", List.of(1, 2, 3)));

        BrokerHeartbeatResponse first = fixture.heartbeat(1, fixture.image().lastOffset(), true);

        assertThat(first.shouldShutDown()).isFalse();
        assertThat(broker(1).inControlledShutdown()).isTrue();
        assertThat(broker(1).fenced()).isFalse();
        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
        assertThat(fixture.partition("orders").isr()).containsExactly(2, 3);
    }

    @Test
    void aBrokerMayGoOnlyWhenTheOthersKnowTheNewLeaders() {
        fixture.withBrokers(3);
        fixture.create(assigned("orders", List.of(1, 2, 3)));
        fixture.heartbeat(1, fixture.image().lastOffset(), true);

        assertThat(fixture.heartbeat(1, fixture.image().lastOffset(), true).shouldShutDown())
                .isFalse();
        fixture.heartbeat(2);
        fixture.controller.onMetadataApplied(3, fixture.image().lastOffset());
        BrokerHeartbeatResponse leave = fixture.heartbeat(1, fixture.image().lastOffset(), true);

        assertThat(leave.shouldShutDown()).isTrue();
        assertThat(broker(1).fenced()).isTrue();
    }

    @Test
    void aBrokerThatLeadsNothingMayGoAtOnce() {
        fixture.withBrokers(3);
        fixture.create(assigned("orders", List.of(1, 2, 3)));

        assertThat(fixture.heartbeat(3, fixture.image().lastOffset(), true).shouldShutDown())
                .isTrue();
        assertThat(fixture.partition("orders").isr()).containsExactly(1, 2);
    }

    @Test
    void aBrokerOnItsWayDownIsReplacedByANewProcessAtOnce() {
        fixture.withBrokers(3);
        fixture.create(assigned("orders", List.of(1, 2, 3)));
        fixture.heartbeat(1, fixture.image().lastOffset(), true);

        assertThat(fixture.register(1, broker(1).epoch()).errorCode()).isZero();
    }

    @Test
    void aBrokerOnItsWayDownJoinsNoNewIsr() {
        fixture.withBrokers(3);
        fixture.create(assigned("orders", List.of(1, 2, 3)));
        fixture.heartbeat(1, fixture.image().lastOffset(), true);

        assertThat(fixture.proposeIsr("orders", 2, List.of(2, 3, 1)).errorCode())
                .isEqualTo(ErrorCode.INELIGIBLE_REPLICA.code());
    }
}

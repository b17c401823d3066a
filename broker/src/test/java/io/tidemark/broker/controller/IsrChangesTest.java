package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IsrChangesTest {
    private final ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    @BeforeEach
    void createOrders() {
        fixture.create(assigned("orders", List.of(1, 2, 3), "min.insync.replicas", "2"));
    }

    private PartitionRegistration orders() {
        return fixture.partition("orders");
    }

    private ErrorCode error(AlterPartitionResponse.PartitionData answer) {
        return ErrorCode.forCode(answer.errorCode());
    }

    @Test
    void takesTheLeadersProposalAndAnswersWhatHoldsNow() {
        AlterPartitionResponse.PartitionData answer = fixture.proposeIsr("orders", 1, List.of(1, 2));

        assertThat(error(answer)).isEqualTo(ErrorCode.NONE);
        assertThat(answer.isr()).containsExactly(1, 2);
        assertThat(answer.leaderId()).isEqualTo(1);
        assertThat(answer.leaderEpoch()).isZero();
        assertThat(answer.partitionEpoch()).isEqualTo(1);
        assertThat(orders().isr()).containsExactly(1, 2);
        assertThat(orders().partitionEpoch()).isEqualTo(1);
    }

    @Test
    void takesTheSameProposalAgainWithoutAChange() {
        fixture.proposeIsr("orders", 1, List.of(1, 2));
        int before = fixture.log.size();

        AlterPartitionResponse.PartitionData answer = fixture.proposeIsr("orders", 1, List.of(1, 2));

        assertThat(error(answer)).isEqualTo(ErrorCode.NONE);
        assertThat(answer.partitionEpoch()).isEqualTo(1);
        assertThat(fixture.log).hasSize(before);
    }

    @Test
    void isACompareAndSetOnThePartitionEpoch() {
        fixture.proposeIsr("orders", 1, List.of(1, 2));

        assertThat(error(fixture.proposeIsr("orders", 1, List.of(1), 0, 0)))
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
    }

    @Test
    void refusesALeaderOfAnEarlierEpoch() {
        fixture.loseAllBut(2, 3);
        fixture.startBroker(1, -1);

        assertThat(error(fixture.proposeIsr("orders", 1, List.of(1), 0, 1))).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
    }

    @Test
    void sendsALeaderThatKnowsMoreToAnotherController() {
        assertThat(error(fixture.proposeIsr("orders", 1, List.of(1), 1, 0))).isEqualTo(ErrorCode.NOT_CONTROLLER);
        assertThat(error(fixture.proposeIsr("orders", 1, List.of(1), 0, 1))).isEqualTo(ErrorCode.NOT_CONTROLLER);
    }

    @Test
    void refusesABrokerThatIsNotTheLeader() {
        assertThat(error(fixture.proposeIsr("orders", 2, List.of(2)))).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void refusesAnIsrWithoutItsLeaderOrWithAStranger() {
        assertThat(error(fixture.proposeIsr("orders", 1, List.of(2, 3)))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(fixture.proposeIsr("orders", 1, List.of(1, 7)))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error(fixture.proposeIsr("orders", 1, List.of(1, 1)))).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void refusesAFencedReplica() {
        fixture.loseAllBut(1, 2);

        assertThat(error(fixture.proposeIsr("orders", 1, List.of(1, 2, 3)))).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
    }

    @Test
    void refusesAReplicaThatHasComeAnewSinceTheLeaderSawIt() {
        fixture.loseAllBut(1, 2);
        AlterPartitionRequest request =
                fixture.proposal("orders", 1, List.of(1, 2, 3), orders().leaderEpoch(), orders().partitionEpoch());
        fixture.startBroker(3, -1);

        AlterPartitionResponse response = fixture.commit(fixture.controller.alterPartition(request));

        assertThat(error(response.topics().get(0).partitions().get(0))).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
    }

    @Test
    void refusesTheWholeRequestOfAnEarlierLifeOfTheBroker() {
        AlterPartitionRequest request = fixture.proposal("orders", 1, List.of(1), 0, 0)
                .setBrokerEpoch(fixture.image().cluster().brokerEpoch(1) - 1);

        AlterPartitionResponse response = fixture.commit(fixture.controller.alterPartition(request));

        assertThat(response.errorCode()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH.code());
    }

    @Test
    void tellsUnknownTopicsAndPartitionsApart() {
        AlterPartitionRequest strangeTopic = fixture.proposal("orders", 1, List.of(1), 0, 0);
        strangeTopic.topics().get(0).setTopicId(new Uuid(7, 7));
        AlterPartitionRequest strangePartition = fixture.proposal("orders", 1, List.of(1), 0, 0);
        strangePartition.topics().get(0).partitions().get(0).setPartitionIndex(5);

        assertThat(error(fixture.commit(fixture.controller.alterPartition(strangeTopic))
                        .topics()
                        .get(0)
                        .partitions()
                        .get(0)))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
        assertThat(error(fixture.commit(fixture.controller.alterPartition(strangePartition))
                        .topics()
                        .get(0)
                        .partitions()
                        .get(0)))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void aShrinkBelowTheLeastIsrKeepsTheLeaversEligible() {
        fixture.proposeIsr("orders", 1, List.of(1));

        assertThat(orders().isr()).containsExactly(1);
        assertThat(orders().elr()).containsExactly(2, 3);
        assertThat(orders().leaderEpoch()).isZero();
    }

    @Test
    void anUncleanLeaderSaysWhenItHasRecovered() {
        fixture.create(assigned("single", List.of(1)));
        fixture.loseAllBut(2, 3);
        fixture.startBroker(1, -1);
        assertThat(fixture.partition("single").leaderRecoveryState()).isEqualTo(PartitionRegistration.RECOVERING);

        fixture.proposeIsr("single", 1, List.of(1));

        assertThat(fixture.partition("single").leaderRecoveryState()).isEqualTo(PartitionRegistration.RECOVERED);
    }
}

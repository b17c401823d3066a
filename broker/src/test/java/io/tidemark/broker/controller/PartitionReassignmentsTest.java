package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From brokers 1, 2, 3 to others. */
class PartitionReassignmentsTest {
    private final ControllerFixture fixture = new ControllerFixture().withBrokers(5);

    @BeforeEach
    void createOrders() {
        fixture.create(assigned("orders", List.of(1, 2, 3)));
    }

    private PartitionRegistration orders() {
        return fixture.partition("orders");
    }

    private static AlterPartitionReassignmentsRequest request(
            String topic, int partition, @Nullable List<Integer> target) {
        ReassignableTopic asked = new ReassignableTopic().setName(topic);
        asked.partitions()
                .add(new ReassignablePartition().setPartitionIndex(partition).setReplicas(target));
        AlterPartitionReassignmentsRequest request = new AlterPartitionReassignmentsRequest();
        request.topics().add(asked);
        return request;
    }

    private ErrorCode reassign(@Nullable List<Integer> target) {
        return ask(request("orders", 0, target));
    }

    private ErrorCode ask(AlterPartitionReassignmentsRequest request) {
        AlterPartitionReassignmentsResponse response = fixture.commit(fixture.controller.reassignPartitions(request));
        assertThat(response.errorCode()).isZero();
        return ErrorCode.forCode(response.responses().get(0).partitions().get(0).errorCode());
    }

    @Test
    void thePartitionHasOldAndNewReplicasUntilTheNewOnesAreInSync() {
        assertThat(reassign(List.of(4, 5, 1))).isEqualTo(ErrorCode.NONE);

        assertThat(orders().replicas()).containsExactly(4, 5, 1, 2, 3);
        assertThat(orders().addingReplicas()).containsExactly(4, 5);
        assertThat(orders().removingReplicas()).containsExactly(2, 3);
        assertThat(orders().isr()).containsExactly(1, 2, 3);
        assertThat(orders().leader()).isEqualTo(1);
        assertThat(orders().leaderEpoch()).isZero();
    }

    @Test
    void aNewReplicaIsInTheOnlyDirectoryOfItsBroker() {
        reassign(List.of(4, 1, 2));

        assertThat(orders().directory(4)).isEqualTo(new Uuid(99, 4));
        assertThat(orders().directory(1)).isEqualTo(new Uuid(99, 1));
        assertThat(orders().directories()).hasSameSizeAs(orders().replicas());
    }

    @Test
    void isOverWithTheIsrThatHasAllOfTheTarget() {
        reassign(List.of(1, 4, 5));

        AlterPartitionResponse.PartitionData first = fixture.proposeIsr("orders", 1, List.of(1, 2, 3, 4));
        assertThat(first.errorCode()).isZero();
        assertThat(orders().removingReplicas()).containsExactly(2, 3);
        AlterPartitionResponse.PartitionData second = fixture.proposeIsr("orders", 1, List.of(1, 2, 3, 4, 5));

        assertThat(orders().replicas()).containsExactly(1, 4, 5);
        assertThat(orders().isr()).containsExactly(1, 4, 5);
        assertThat(orders().addingReplicas()).isEmpty();
        assertThat(orders().removingReplicas()).isEmpty();
        assertThat(second.isr()).containsExactly(1, 4, 5);
    }

    @Test
    void replicasThatGoMakeANewLeaderEpochSoThatTheirFetchesEnd() {
        reassign(List.of(1, 4, 5));

        AlterPartitionResponse.PartitionData answer = fixture.proposeIsr("orders", 1, List.of(1, 2, 3, 4, 5));

        assertThat(orders().leader()).isEqualTo(1);
        assertThat(orders().leaderEpoch()).isEqualTo(1);
        assertThat(answer.leaderEpoch()).isEqualTo(1);
    }

    @Test
    void aLeaderThatGoesHandsOverAndIsToldSo() {
        reassign(List.of(4, 5, 2));
        AlterPartitionResponse.PartitionData answer = fixture.proposeIsr("orders", 1, List.of(1, 2, 3, 4, 5));

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.NEW_LEADER_ELECTED.code());
        assertThat(orders().leader()).isEqualTo(4);
        assertThat(orders().replicas()).containsExactly(4, 5, 2);
        assertThat(orders().isr()).containsExactlyInAnyOrder(4, 5, 2);
    }

    @Test
    void anotherOrderOfTheSameReplicasIsOverAtOnce() {
        assertThat(reassign(List.of(3, 2, 1))).isEqualTo(ErrorCode.NONE);

        assertThat(orders().replicas()).containsExactly(3, 2, 1);
        assertThat(orders().addingReplicas()).isEmpty();
        assertThat(orders().removingReplicas()).isEmpty();
        assertThat(orders().leader()).isEqualTo(1);
    }

    @Test
    void fewerReplicasAreOverAtOnceWhereTheRestIsInSync() {
        AlterPartitionReassignmentsRequest request = request("orders", 0, List.of(2, 3));

        assertThat(ask(request.setAllowReplicationFactorChange(true))).isEqualTo(ErrorCode.NONE);

        assertThat(orders().replicas()).containsExactly(2, 3);
        assertThat(orders().leader()).isEqualTo(2);
        assertThat(orders().leaderEpoch()).isEqualTo(1);
    }

    @Test
    void refusesAnotherReplicationFactorWhereTheRequestDoesNotAllowIt() {
        AlterPartitionReassignmentsRequest request = request("orders", 0, List.of(1, 2));

        assertThat(ask(request.setAllowReplicationFactorChange(false))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);

        assertThat(orders().replicas()).containsExactly(1, 2, 3);
    }

    @Test
    void aCancellationTakesTheNewReplicasOutAgain() {
        reassign(List.of(4, 5, 1));
        fixture.proposeIsr("orders", 1, List.of(1, 2, 3, 4));

        assertThat(reassign(null)).isEqualTo(ErrorCode.NONE);

        assertThat(orders().replicas()).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(orders().isr()).containsExactly(1, 2, 3);
        assertThat(orders().addingReplicas()).isEmpty();
        assertThat(orders().removingReplicas()).isEmpty();
        assertThat(orders().leaderEpoch()).isEqualTo(1);
    }

    @Test
    void refusesToCancelWhereOnlyNewReplicasAreInSync() {
        reassign(List.of(4, 5, 1));
        fixture.proposeIsr("orders", 1, List.of(1, 4));
        fixture.loseAllBut(2, 3, 4, 5);

        assertThat(reassign(null)).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThat(ask(request("nothing", 0, List.of(1)))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(ask(request("orders", 7, List.of(1)))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(reassign(null)).isEqualTo(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS);
        assertThat(reassign(List.of())).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(reassign(List.of(1, 1, 2))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(reassign(List.of(1, 2, 9))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(reassign(List.of(1, 2, -1))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }

    @Test
    void listsWhatIsUnderWay() {
        fixture.create(assigned("calm", List.of(1, 2)));
        reassign(List.of(4, 1, 2));

        ListPartitionReassignmentsResponse all = list(null);
        assertThat(all.topics()).hasSize(1);
        ListPartitionReassignmentsResponse.OngoingPartitionReassignment one =
                all.topics().get(0).partitions().get(0);
        assertThat(all.topics().get(0).name()).isEqualTo("orders");
        assertThat(one.replicas()).containsExactly(4, 1, 2, 3);
        assertThat(one.addingReplicas()).containsExactly(4);
        assertThat(one.removingReplicas()).containsExactly(3);
        assertThat(list("calm").topics()).isEmpty();
        assertThat(list("nothing").topics()).isEmpty();
        assertThat(list("orders").topics()).hasSize(1);
    }

    private ListPartitionReassignmentsResponse list(@Nullable String topic) {
        ListPartitionReassignmentsRequest request = new ListPartitionReassignmentsRequest();
        request.setTopics(
                topic == null
                        ? null
                        : List.of(new ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics()
                                .setName(topic)
                                .setPartitionIndexes(List.of(0))));
        return fixture.commit(fixture.controller.listReassignments(request));
    }
}

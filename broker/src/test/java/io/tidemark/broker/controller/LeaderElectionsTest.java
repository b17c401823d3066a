package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ElectLeadersRequest;
import io.tidemark.broker.protocol.message.ElectLeadersResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaderElectionsTest {
    private static final byte PREFERRED = 0;
    private static final byte UNCLEAN = 1;

    private final ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    @BeforeEach
    void createOrders() {
        fixture.create(assigned("orders", List.of(1, 2, 3), "min.insync.replicas", "2"));
    }

    private ElectLeadersResponse elect(byte type, List<ElectLeadersRequest.TopicPartitions> partitions) {
        return fixture.commit(fixture.controller.electLeaders(
                new ElectLeadersRequest().setElectionType(type).setTopicPartitions(partitions)));
    }

    private ErrorCode elect(byte type, String topic) {
        ElectLeadersResponse response = elect(
                type,
                List.of(new ElectLeadersRequest.TopicPartitions()
                        .setTopic(topic)
                        .setPartitions(List.of(0))));
        return ErrorCode.forCode(response.replicaElectionResults()
                .get(0)
                .partitionResult()
                .get(0)
                .errorCode());
    }

    @Test
    void givesThePartitionBackToItsPreferredLeader() {
        fixture.loseAllBut(2, 3);
        fixture.startBroker(1, -1);
        fixture.proposeIsr("orders", 2, List.of(2, 3, 1));

        assertThat(elect(PREFERRED, "orders")).isEqualTo(ErrorCode.NONE);

        assertThat(fixture.partition("orders").leader()).isEqualTo(1);
        assertThat(fixture.partition("orders").leaderEpoch()).isEqualTo(2);
    }

    @Test
    void refusesAPreferredLeaderThatIsNotInSync() {
        fixture.loseAllBut(2, 3);
        fixture.startBroker(1, -1);

        assertThat(elect(PREFERRED, "orders")).isEqualTo(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE);
        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
    }

    @Test
    void electsUncleanlyWhereNobodyLeads() {
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut();
        fixture.startBroker(1, -1);
        assertThat(fixture.partition("orders").hasLeader()).isFalse();

        assertThat(elect(UNCLEAN, "orders")).isEqualTo(ErrorCode.NONE);

        assertThat(fixture.partition("orders").leader()).isEqualTo(1);
        assertThat(fixture.partition("orders").leaderRecoveryState()).isEqualTo(PartitionRegistration.RECOVERING);
    }

    @Test
    void refusesAnElectionThatHasNoUse() {
        assertThat(elect(PREFERRED, "orders")).isEqualTo(ErrorCode.ELECTION_NOT_NEEDED);
        assertThat(elect(UNCLEAN, "orders")).isEqualTo(ErrorCode.ELECTION_NOT_NEEDED);
        assertThat(elect(PREFERRED, "nope")).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        fixture.loseAllBut();
        assertThat(elect(UNCLEAN, "orders")).isEqualTo(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE);
    }

    @Test
    void ofAllPartitionsTellsOnlyThoseThatNeededAnElection() {
        fixture.create(assigned("fine", List.of(2, 3)));
        fixture.loseAllBut(2, 3);
        fixture.startBroker(1, -1);
        fixture.proposeIsr("orders", 2, List.of(2, 3, 1));

        ElectLeadersResponse response = elect(PREFERRED, (List<ElectLeadersRequest.TopicPartitions>) null);

        assertThat(response.replicaElectionResults())
                .extracting(ElectLeadersResponse.ReplicaElectionResult::topic)
                .containsExactly("orders");
    }
}

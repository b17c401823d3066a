package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsRequest;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsResponse;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerRegistrationRequest;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryChangesTest {
    private static final Uuid FIRST = new Uuid(50, 1);
    private static final Uuid SECOND = new Uuid(50, 2);

    private final ControllerFixture fixture = new ControllerFixture();

    @BeforeEach
    void startThreeBrokersOfWhichTheFirstHasTwoDirectories() {
        register(FIRST, SECOND);
        fixture.heartbeat(1);
        fixture.startBroker(2, -1);
        fixture.startBroker(3, -1);
        fixture.create(assigned("orders", List.of(1, 2, 3)), assigned("payments", List.of(1, 2, 3)));
    }

    private void register(Uuid... directories) {
        BrokerRegistrationRequest request = new BrokerRegistrationRequest()
                .setBrokerId(1)
                .setClusterId(ControllerFixture.CLUSTER_ID)
                .setIncarnationId(new Uuid(1, 1))
                .setLogDirs(List.of(directories))
                .setPreviousBrokerEpoch(-1);
        ControllerFeatures.supported().forEach((name, range) -> request.features()
                .add(new BrokerRegistrationRequest.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        assertThat(fixture.commit(fixture.controller.registerBroker(request, fixture.nowMs))
                        .errorCode())
                .isZero();
    }

    private BrokerRegistration broker() {
        BrokerRegistration broker = fixture.image().cluster().broker(1);
        if (broker == null) {
            throw new AssertionError("Broker 1 is not registered");
        }
        return broker;
    }

    private void loseDirectory(Uuid directory) {
        fixture.commit(fixture.controller.heartbeat(
                new BrokerHeartbeatRequest()
                        .setBrokerId(1)
                        .setBrokerEpoch(broker().epoch())
                        .setCurrentMetadataOffset(fixture.image().lastOffset())
                        .setOfflineLogDirs(List.of(directory)),
                fixture.nowMs));
    }

    private AssignReplicasToDirsResponse assign(String topic, Uuid directory) {
        Uuid topicId = fixture.image().topics().topic(topic).id();
        return fixture.commit(fixture.controller.assignReplicas(request(topicId, 0, directory)));
    }

    private AssignReplicasToDirsRequest request(Uuid topicId, int partition, Uuid directory) {
        return new AssignReplicasToDirsRequest()
                .setBrokerId(1)
                .setBrokerEpoch(broker().epoch())
                .setDirectories(List.of(new AssignReplicasToDirsRequest.DirectoryData()
                        .setId(directory)
                        .setTopics(List.of(new AssignReplicasToDirsRequest.TopicData()
                                .setTopicId(topicId)
                                .setPartitions(List.of(new AssignReplicasToDirsRequest.PartitionData()
                                        .setPartitionIndex(partition)))))));
    }

    private static int error(AssignReplicasToDirsResponse response) {
        return response.directories().get(0).topics().get(0).partitions().get(0).errorCode();
    }

    @Test
    void aReplicaHasNoDirectoryUntilItsBrokerHasChosenOne() {
        assertThat(fixture.partition("orders").directory(1)).isEqualTo(PartitionRegistration.UNASSIGNED_DIRECTORY);

        assertThat(error(assign("orders", SECOND))).isZero();

        PartitionRegistration orders = fixture.partition("orders");
        assertThat(orders.directory(1)).isEqualTo(SECOND);
        assertThat(orders.directory(2)).isEqualTo(new Uuid(99, 2));
        assertThat(orders.leader()).isEqualTo(1);
        assertThat(orders.leaderEpoch()).isZero();
    }

    @Test
    void replicasInADirectoryThatIsOfflineLeadNothingAndAreInNoIsr() {
        assign("orders", FIRST);
        assign("payments", SECOND);

        loseDirectory(SECOND);

        assertThat(fixture.partition("payments").leader()).isEqualTo(2);
        assertThat(fixture.partition("payments").isr()).containsExactly(2, 3);
        assertThat(fixture.partition("orders").leader()).isEqualTo(1);
        assertThat(fixture.partition("orders").isr()).containsExactly(1, 2, 3);
        assertThat(broker().logDirectories()).containsExactly(FIRST);
        assertThat(broker().fenced()).isFalse();
    }

    @Test
    void aReplicaInADirectoryThatIsOfflineDoesNotJoinTheIsrAgain() {
        assign("payments", SECOND);
        loseDirectory(SECOND);

        assertThat(fixture.proposeIsr("payments", 2, List.of(2, 3, 1)).errorCode())
                .isEqualTo(ErrorCode.INELIGIBLE_REPLICA.code());
    }

    @Test
    void aRepeatedReportChangesNothing() {
        assign("payments", SECOND);
        loseDirectory(SECOND);
        int before = fixture.log.size();

        loseDirectory(SECOND);

        assertThat(fixture.log).hasSize(before);
    }

    @Test
    void aReplicaInADirectoryThatIsOfflineIsNotElected() {
        assign("payments", SECOND);
        loseDirectory(SECOND);

        fixture.loseAllBut(1);

        assertThat(fixture.partition("payments").leader()).isEqualTo(PartitionRegistration.NO_LEADER);
        assertThat(fixture.partition("orders").leader()).isEqualTo(1);
    }

    @Test
    void aReplicaThatTurnsOutToLieInADirectoryThatIsOfflineGoesToo() {
        loseDirectory(SECOND);

        assertThat(error(assign("payments", SECOND))).isZero();

        assertThat(fixture.partition("payments").leader()).isEqualTo(2);
        assertThat(fixture.partition("payments").isr()).containsExactly(2, 3);
    }

    @Test
    void aReplicaThatTurnsOutToBeOnlineMayLeadAtOnce() {
        fixture.create(assigned("lone", List.of(1)));
        assign("lone", SECOND);
        loseDirectory(SECOND);
        assertThat(fixture.partition("lone").leader()).isEqualTo(PartitionRegistration.NO_LEADER);

        assertThat(error(assign("lone", FIRST))).isZero();

        assertThat(fixture.partition("lone").leader()).isEqualTo(1);
    }

    @Test
    void refusesReplicasThatAreNotTheBrokersAndBrokersOfAnotherLife() {
        fixture.create(assigned("others", List.of(2, 3)));
        Uuid orders = fixture.image().topics().topic("orders").id();

        assertThat(error(assign("others", FIRST))).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
        assertThat(error(fixture.commit(fixture.controller.assignReplicas(request(new Uuid(4, 4), 0, FIRST)))))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
        assertThat(error(fixture.commit(fixture.controller.assignReplicas(request(orders, 7, FIRST)))))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        AssignReplicasToDirsRequest stale = request(orders, 0, FIRST);
        stale.setBrokerEpoch(broker().epoch() - 1);
        assertThat(fixture.commit(fixture.controller.assignReplicas(stale)).errorCode())
                .isEqualTo(ErrorCode.STALE_BROKER_EPOCH.code());
    }
}

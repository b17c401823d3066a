package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static io.tidemark.broker.controller.ControllerFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableReplicaAssignment;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TopicCreationTest {
    private final ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    @Test
    void spreadsLeadersAndReplicasOverTheBrokers() {
        fixture.create(topic("orders", 3, 2));

        List<Integer> leaders = new ArrayList<>();
        for (PartitionRegistration partition :
                fixture.image().topics().topic("orders").partitions().values()) {
            assertThat(partition.replicas()).hasSize(2).doesNotHaveDuplicates();
            assertThat(partition.isr()).isEqualTo(partition.replicas());
            assertThat(partition.leader()).isEqualTo(partition.replicas().get(0));
            assertThat(partition.leaderEpoch()).isZero();
            leaders.add(partition.leader());
        }
        assertThat(leaders).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void startsPlacementsAtDifferentBrokers() {
        TreeSet<Integer> firstLeaders = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            fixture.create(topic("t" + i, 1, 1));
            firstLeaders.add(fixture.partition("t" + i).leader());
        }

        assertThat(firstLeaders).containsExactly(1, 2, 3);
    }

    @Test
    void putsReplicasIntoTheOnlyDirectoryOfTheirBrokers() {
        fixture.create(assigned("orders", List.of(2, 3)));

        assertThat(fixture.partition("orders").directories())
                .isEqualTo(List.of(
                        fixture.image().cluster().broker(2).logDirectories().get(0),
                        fixture.image().cluster().broker(3).logDirectories().get(0)));
    }

    @Test
    void takesTheClustersDefaultsForMinusOne() {
        ControllerFixture defaults =
                new ControllerFixture(Map.of("num.partitions", "4", "default.replication.factor", "2")).withBrokers(3);

        CreatableTopicResult result =
                defaults.create(topic("orders", -1, -1)).topics().get(0);

        assertThat(result.errorCode()).isZero();
        assertThat(result.numPartitions()).isEqualTo(4);
        assertThat(result.replicationFactor()).isEqualTo((short) 2);
        assertThat(defaults.image().topics().topic("orders").partitions()).hasSize(4);
    }

    @Test
    void takesAnExplicitAssignmentAsItIs() {
        fixture.create(assigned("orders", List.of(3, 1)));

        assertThat(fixture.partition("orders").replicas()).containsExactly(3, 1);
        assertThat(fixture.partition("orders").leader()).isEqualTo(3);
    }

    @Test
    void leavesAFencedReplicaOutOfTheIsr() {
        fixture.loseAllBut(2, 3);

        fixture.create(assigned("orders", List.of(1, 2)));

        assertThat(fixture.partition("orders").isr()).containsExactly(2);
        assertThat(fixture.partition("orders").leader()).isEqualTo(2);
    }

    @Test
    void fillsUpWithFencedBrokersWhereTheLiveOnesAreTooFew() {
        fixture.loseAllBut(2);

        fixture.create(topic("orders", 1, 3));

        assertThat(fixture.partition("orders").replicas()).startsWith(2).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(fixture.partition("orders").isr()).containsExactly(2);
    }

    @Test
    void keepsTheTopicsConfigs() {
        fixture.create(assigned("orders", List.of(1), "retention.ms", "1000", "min.insync.replicas", "1"));

        assertThat(fixture.image().configsOf(ConfigResource.topic("orders")))
                .containsEntry("retention.ms", "1000")
                .containsEntry("min.insync.replicas", "1");
    }

    @Test
    void describesTheConfigsThatHold() {
        CreatableTopicResult result = fixture.create(assigned("orders", List.of(1), "retention.ms", "1000"))
                .topics()
                .get(0);

        assertThat(result.configs()).anySatisfy(config -> {
            assertThat(config.name()).isEqualTo("retention.ms");
            assertThat(config.value()).isEqualTo("1000");
            assertThat(config.configSource()).isEqualTo(ConfigEntry.Source.TOPIC.id());
        });
        assertThat(result.configs()).anySatisfy(config -> {
            assertThat(config.name()).isEqualTo("segment.bytes");
            assertThat(config.configSource()).isEqualTo(ConfigEntry.Source.DEFAULT.id());
        });
    }

    @Test
    void changesNothingWhereItOnlyValidates() {
        CreateTopicsRequest request = new CreateTopicsRequest()
                .setTopics(List.of(topic("orders", 1, 1)))
                .setValidateOnly(true);

        ControllerResult<CreateTopicsResponse> result = fixture.controller.createTopics(request);

        assertThat(result.records()).isEmpty();
        assertThat(result.reply().topics().get(0).errorCode()).isZero();
    }

    @Test
    void createsTheGoodTopicsOfARequestWithABadOne() {
        CreateTopicsResponse response = fixture.create(topic("bad", 1, 7), topic("good", 1, 1));

        assertThat(response.topics().get(0).errorCode()).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR.code());
        assertThat(response.topics().get(1).errorCode()).isZero();
        assertThat(fixture.image().topics().byName()).containsOnlyKeys("good");
    }

    @Test
    void refusesATopicThatExists() {
        fixture.create(topic("orders", 1, 1));

        assertThat(errorOf(topic("orders", 1, 1))).isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS);
    }

    @Test
    void refusesBadCounts() {
        assertThat(errorOf(topic("a", 0, 1))).isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(errorOf(topic("a", -2, 1))).isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(errorOf(topic("a", 1, 0))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(errorOf(topic("a", 1, 4))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(errorOf(topic("a", 10_001, 1))).isEqualTo(ErrorCode.POLICY_VIOLATION);
    }

    @Test
    void refusesBadNames() {
        assertThat(errorOf(topic("", 1, 1))).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        assertThat(errorOf(topic("..", 1, 1))).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        assertThat(errorOf(topic("a b", 1, 1))).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        assertThat(errorOf(topic("x".repeat(250), 1, 1))).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
        assertThat(errorOf(topic("__cluster_metadata", 1, 1))).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void refusesANameThatDiffersFromAnotherInDotsAndUnderscoresOnly() {
        fixture.create(topic("a.b", 1, 1));

        assertThat(errorOf(topic("a_b", 1, 1))).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION);
    }

    @Test
    void refusesANameThatIsTwiceInTheRequestOnce() {
        CreateTopicsResponse response = fixture.create(topic("orders", 1, 1), topic("orders", 1, 1));

        assertThat(response.topics()).hasSize(1);
        assertThat(response.topics().get(0).errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
    }

    @Test
    void refusesBadAssignments() {
        assertThat(errorOf(assigned("a", List.of()))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(errorOf(assigned("a", List.of(1, 1)))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(errorOf(assigned("a", List.of(1, 9)))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(errorOf(assigned("a", List.of(1)).setNumPartitions(1))).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(errorOf(assigned("a", List.of(1)).setReplicationFactor((short) 1)))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        CreatableTopic uneven = assigned("a", List.of(1));
        uneven.assignments()
                .add(new CreatableReplicaAssignment().setPartitionIndex(1).setBrokerIds(List.of(1, 2)));
        assertThat(errorOf(uneven)).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        CreatableTopic withHole = assigned("a", List.of(1));
        withHole.assignments()
                .add(new CreatableReplicaAssignment().setPartitionIndex(2).setBrokerIds(List.of(2)));
        assertThat(errorOf(withHole)).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }

    @Test
    void refusesBadConfigs() {
        assertThat(errorOf(assigned("a", List.of(1), "no.such.config", "1"))).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(errorOf(assigned("a", List.of(1), "retention.ms", "long"))).isEqualTo(ErrorCode.INVALID_CONFIG);
        CreatableTopic withNull = assigned("a", List.of(1));
        withNull.configs()
                .add(new CreatableTopicConfig().setName("retention.ms").setValue(null));
        assertThat(errorOf(withNull)).isEqualTo(ErrorCode.INVALID_CONFIG);
    }

    @Test
    void refusesAllTopicsWhileNoBrokerIsAlive() {
        fixture.loseAllBut();

        assertThat(errorOf(topic("a", 1, 1))).isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(errorOf(assigned("a", List.of(1)))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }

    private ErrorCode errorOf(CreatableTopic topic) {
        CreatableTopicResult result = fixture.create(topic).topics().get(0);
        assertThat(result.errorMessage()).isNotBlank();
        return ErrorCode.forCode(result.errorCode());
    }
}

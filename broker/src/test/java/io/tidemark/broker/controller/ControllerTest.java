package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AllocateProducerIdsRequest;
import io.tidemark.broker.protocol.message.AllocateProducerIdsResponse;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest.CreatePartitionsAssignment;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse;
import io.tidemark.broker.protocol.metadata.AbortTransactionRecord;
import io.tidemark.broker.protocol.metadata.BeginTransactionRecord;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControllerTest {
    private final ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    @Test
    void aNewClusterStartsWithTheLevelsOfItsVersion() {
        assertThat(fixture.log.get(0))
                .isEqualTo(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 33));
        assertThat(fixture.image().features())
                .containsEntry("transaction.version", (short) 2)
                .containsEntry("group.version", (short) 1)
                .containsEntry("eligible.leader.replicas.version", (short) 1)
                .containsEntry("share.version", (short) 2)
                .containsEntry("streams.version", (short) 1)
                .doesNotContainKey("kraft.version");
        assertThat(fixture.image().configsOf(ConfigResource.brokerDefault())).containsEntry("min.insync.replicas", "1");
    }

    @Test
    void aLaterLeaderWritesOnlyWhatIsNew() {
        assertThat(fixture.controller.onLeader(
                        fixture.image().cluster().controllers().get(1001), fixture.nowMs))
                .isEmpty();
    }

    @Test
    void producerIdBlocksFollowOneAnother() {
        AllocateProducerIdsRequest request = new AllocateProducerIdsRequest()
                .setBrokerId(1)
                .setBrokerEpoch(fixture.image().cluster().brokerEpoch(1));

        AllocateProducerIdsResponse first = fixture.commit(fixture.controller.allocateProducerIds(request));
        AllocateProducerIdsResponse second = fixture.commit(fixture.controller.allocateProducerIds(request));

        assertThat(first.producerIdStart()).isZero();
        assertThat(first.producerIdLen()).isEqualTo(1000);
        assertThat(second.producerIdStart()).isEqualTo(1000);
    }

    @Test
    void producerIdsAreNotGivenToAnEarlierLife() {
        AllocateProducerIdsRequest request =
                new AllocateProducerIdsRequest().setBrokerId(1).setBrokerEpoch(0);

        assertThat(fixture.commit(fixture.controller.allocateProducerIds(request))
                        .errorCode())
                .isEqualTo(ErrorCode.STALE_BROKER_EPOCH.code());
    }

    @Test
    void deletesByNameAndById() {
        fixture.create(topic("a", 1, 1), topic("b", 1, 1), topic("c", 1, 1));

        DeleteTopicsResponse response = fixture.commit(fixture.controller.deleteTopics(new DeleteTopicsRequest()
                .setTopics(List.of(
                        new DeleteTopicState().setName("a"),
                        new DeleteTopicState().setTopicId(fixture.topicId("b"))))));

        assertThat(response.responses())
                .allSatisfy(result -> assertThat(result.errorCode()).isZero());
        assertThat(response.responses().get(1).name()).isEqualTo("b");
        assertThat(fixture.image().topics().byName()).containsOnlyKeys("c");
    }

    @Test
    void refusesToDeleteWhatIsNotThere() {
        DeleteTopicsResponse response = fixture.commit(fixture.controller.deleteTopics(new DeleteTopicsRequest()
                .setTopics(List.of(
                        new DeleteTopicState().setName("a"),
                        new DeleteTopicState().setTopicId(new Uuid(3, 3)),
                        new DeleteTopicState()))));

        assertThat(response.responses())
                .extracting(result -> ErrorCode.forCode(result.errorCode()))
                .containsExactly(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.INVALID_REQUEST);
    }

    @Test
    void refusesToDeleteWhereDeletionIsOff() {
        ControllerFixture locked = new ControllerFixture(Map.of("delete.topic.enable", "false")).withBrokers(1);
        locked.create(topic("a", 1, 1));

        DeleteTopicsResponse response =
                locked.commit(locked.controller.deleteTopics(new DeleteTopicsRequest().setTopicNames(List.of("a"))));

        assertThat(response.responses().get(0).errorCode()).isEqualTo(ErrorCode.TOPIC_DELETION_DISABLED.code());
        assertThat(locked.image().topics().byName()).containsOnlyKeys("a");
    }

    @Test
    void aTopicOfTheSameNameGetsANewId() {
        fixture.create(topic("a", 1, 1));
        Uuid first = fixture.topicId("a");
        fixture.commit(fixture.controller.deleteTopics(new DeleteTopicsRequest().setTopicNames(List.of("a"))));

        fixture.create(topic("a", 1, 1));

        assertThat(fixture.topicId("a")).isNotEqualTo(first);
    }

    @Test
    void aTopicGrows() {
        fixture.create(topic("a", 1, 2));

        assertThat(grow("a", 3, null)).isEqualTo(ErrorCode.NONE);

        assertThat(fixture.image().topics().topic("a").partitions()).hasSize(3);
        assertThat(fixture.image().topics().topic("a").partition(2).replicas()).hasSize(2);
    }

    @Test
    void aTopicGrowsAsAssigned() {
        fixture.create(topic("a", 1, 2));

        assertThat(grow("a", 2, List.of(List.of(3, 1)))).isEqualTo(ErrorCode.NONE);

        assertThat(fixture.image().topics().topic("a").partition(1).replicas()).containsExactly(3, 1);
    }

    @Test
    void refusesToGrowATopicWrongly() {
        fixture.create(topic("a", 2, 2));

        assertThat(grow("nope", 3, null)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(grow("a", 2, null)).isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(grow("a", 1, null)).isEqualTo(ErrorCode.INVALID_PARTITIONS);
        assertThat(grow("a", 3, List.of())).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(grow("a", 3, List.of(List.of(1)))).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }

    private ErrorCode grow(String name, int count, List<List<Integer>> assignments) {
        CreatePartitionsTopic topic =
                new CreatePartitionsTopic().setName(name).setCount(count).setAssignments(null);
        if (assignments != null) {
            topic.setAssignments(assignments.stream()
                    .map(replicas -> new CreatePartitionsAssignment().setBrokerIds(replicas))
                    .toList());
        }
        CreatePartitionsRequest request = new CreatePartitionsRequest().setTopics(List.of(topic));
        return ErrorCode.forCode(fixture.commit(fixture.controller.createPartitions(request))
                .results()
                .get(0)
                .errorCode());
    }

    @Test
    void aNewLeaderAbortsTheTransactionThatItFinds() {
        fixture.append(List.of(
                new BeginTransactionRecord(),
                new FeatureLevelRecord().setName("group.version").setFeatureLevel((short) 0)));

        List<ApiMessage> records = fixture.controller.onLeader(
                fixture.image().cluster().controllers().get(1001), fixture.nowMs);
        fixture.append(records);

        assertThat(records).hasSize(1).first().isInstanceOf(AbortTransactionRecord.class);
        assertThat(fixture.image().openTransaction()).isNull();
        assertThat(fixture.image().featureLevel("group.version")).isEqualTo((short) 1);
    }
}

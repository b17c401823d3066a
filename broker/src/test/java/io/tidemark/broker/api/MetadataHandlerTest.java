package io.tidemark.broker.api;

import static io.tidemark.broker.api.RecordedRequest.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.MetadataRequest;
import io.tidemark.broker.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.tidemark.broker.protocol.message.MetadataResponse;
import io.tidemark.broker.protocol.message.MetadataResponse.MetadataResponsePartition;
import io.tidemark.broker.protocol.message.MetadataResponse.MetadataResponseTopic;
import io.tidemark.broker.quorum.ControllerChannel;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MetadataHandlerTest {
    private static final int NEWEST = 13;

    private final List<ApiMessage> toController = new ArrayList<>();
    private final MetadataHandler handler = handler(Map.of());

    private MetadataHandler handler(Map<String, String> configs) {
        ControllerChannel channel = new ControllerChannel() {
            @Override
            public void send(ApiMessage request, long timeoutMs, Peer.Reply reply) {
                toController.add(request);
            }

            @Override
            public void send(ApiMessage request, short version, long timeoutMs, Peer.Reply reply) {
                toController.add(request);
            }
        };
        return new MetadataHandler(
                "c1uster",
                new TestMetadata(),
                new TopicAutoCreation(BrokerConfigs.DEFINITION.parse(configs), channel),
                new SplittableRandom(1));
    }

    private static MetadataRequest topics(String... names) {
        MetadataRequest request = new MetadataRequest().setTopics(new ArrayList<>());
        for (String name : names) {
            request.topics().add(new MetadataRequestTopic().setName(name));
        }
        return request;
    }

    @Test
    void tellsOfLiveBrokersByTheListenerThatTheClientCameInOn() {
        MetadataResponse inside = ask(handler, NEWEST, "INTERNAL", topics());
        MetadataResponse outside = ask(handler, NEWEST, "EXTERNAL", topics());

        assertThat(inside.brokers()).extracting(broker -> broker.nodeId()).containsExactly(1, 2);
        assertThat(inside.brokers().get(0).host()).isEqualTo("internal");
        assertThat(outside.brokers()).extracting(broker -> broker.nodeId()).containsExactly(1);
        assertThat(outside.brokers().get(0).host()).isEqualTo("external");
        assertThat(outside.controllerId()).isEqualTo(1);
        assertThat(outside.clusterId()).isEqualTo("c1uster");
    }

    @Test
    void tellsOfAPartition() {
        MetadataResponsePartition partition = partition("INTERNAL", NEWEST, 0);

        assertThat(partition.errorCode()).isZero();
        assertThat(partition.leaderId()).isEqualTo(1);
        assertThat(partition.leaderEpoch()).isEqualTo(4);
        assertThat(partition.replicaNodes()).containsExactly(1, 2, 3);
        assertThat(partition.isrNodes()).containsExactly(1, 2);
        assertThat(partition.offlineReplicas()).containsExactly(3);
    }

    @Test
    void aPartitionWithoutALeaderHasAnErrorOfItsOwn() {
        MetadataResponsePartition partition = partition("INTERNAL", NEWEST, 2);

        assertThat(partition.errorCode()).isEqualTo(ErrorCode.LEADER_NOT_AVAILABLE.code());
        assertThat(partition.leaderId()).isEqualTo(-1);
        assertThat(partition.leaderEpoch()).isEqualTo(4);
    }

    @Test
    void aLeaderWithoutTheClientsListenerIsNotToldOf() {
        assertThat(partition("EXTERNAL", NEWEST, 1).errorCode()).isEqualTo(ErrorCode.LISTENER_NOT_FOUND.code());
        assertThat(partition("EXTERNAL", NEWEST, 1).leaderId()).isEqualTo(-1);
        assertThat(partition("EXTERNAL", 5, 1).errorCode()).isEqualTo(ErrorCode.LEADER_NOT_AVAILABLE.code());
    }

    private MetadataResponsePartition partition(String listener, int version, int number) {
        MetadataResponse response = ask(handler, version, listener, topics("orders"));
        return response.topics().get(0).partitions().get(number);
    }

    @Test
    void nullMeansAllTopicsAndAnEmptyListNone() {
        MetadataResponse all = ask(handler, NEWEST, "INTERNAL", new MetadataRequest().setTopics(null));
        MetadataResponse none = ask(handler, NEWEST, "INTERNAL", topics());
        MetadataResponse oldest = ask(handler, 0, "INTERNAL", topics());

        assertThat(all.topics()).extracting(MetadataResponseTopic::name).containsExactly("orders");
        assertThat(none.topics()).isEmpty();
        assertThat(oldest.topics()).hasSize(1);
    }

    @Test
    void findsTopicsById() {
        MetadataRequest request = new MetadataRequest()
                .setTopics(List.of(
                        new MetadataRequestTopic().setName(null).setTopicId(TestMetadata.ORDERS),
                        new MetadataRequestTopic().setName(null).setTopicId(new Uuid(6, 6))));

        MetadataResponse response = ask(handler, NEWEST, "INTERNAL", request);

        assertThat(response.topics().get(0).name()).isEqualTo("orders");
        assertThat(response.topics().get(1).name()).isNull();
        assertThat(response.topics().get(1).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    }

    @Test
    void aMissingTopicIsAskedForOnceAndIsUnknownMeanwhile() {
        MetadataResponse first = ask(handler, NEWEST, "INTERNAL", topics("new"));
        MetadataResponse second = ask(handler, NEWEST, "INTERNAL", topics("new"));

        assertThat(first.topics().get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(second.topics().get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(toController).hasSize(1);
        CreateTopicsRequest request = (CreateTopicsRequest) toController.get(0);
        assertThat(request.topics().get(0).numPartitions()).isEqualTo(-1);
    }

    @Test
    void nothingIsCreatedWhereTheClientOrTheBrokerForbidsIt() {
        ask(handler, NEWEST, "INTERNAL", topics("new").setAllowAutoTopicCreation(false));
        ask(handler(Map.of("auto.create.topics.enable", "false")), NEWEST, "INTERNAL", topics("new"));
        MetadataResponse bad = ask(handler, NEWEST, "INTERNAL", topics("no good"));

        assertThat(toController).isEmpty();
        assertThat(bad.topics().get(0).errorCode()).isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION.code());
    }

    @Test
    void operationsAreToldOnRequestOnly() {
        MetadataResponse silent = ask(handler, 8, "INTERNAL", topics("orders"));
        MetadataResponse told = ask(
                handler,
                8,
                "INTERNAL",
                topics("orders").setIncludeTopicAuthorizedOperations(true).setIncludeClusterAuthorizedOperations(true));

        assertThat(silent.clusterAuthorizedOperations()).isEqualTo(Integer.MIN_VALUE);
        assertThat(silent.topics().get(0).topicAuthorizedOperations()).isEqualTo(Integer.MIN_VALUE);
        assertThat(told.topics().get(0).topicAuthorizedOperations()).isEqualTo(AuthorizedOperations.TOPIC);
        assertThat(told.clusterAuthorizedOperations()).isEqualTo(AuthorizedOperations.CLUSTER);
    }
}

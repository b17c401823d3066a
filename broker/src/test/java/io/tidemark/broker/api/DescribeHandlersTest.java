package io.tidemark.broker.api;

import static io.tidemark.broker.api.RecordedRequest.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.controller.EffectiveConfigs;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeClusterRequest;
import io.tidemark.broker.protocol.message.DescribeClusterResponse;
import io.tidemark.broker.protocol.message.DescribeConfigsRequest;
import io.tidemark.broker.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.tidemark.broker.protocol.message.DescribeConfigsResponse;
import io.tidemark.broker.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import io.tidemark.broker.protocol.message.DescribeConfigsResponse.DescribeConfigsResult;
import io.tidemark.broker.protocol.message.DescribeTopicPartitionsRequest;
import io.tidemark.broker.protocol.message.DescribeTopicPartitionsResponse;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DescribeHandlersTest {
    private final TestMetadata metadata = new TestMetadata();
    private final ConfigValues values = BrokerConfigs.DEFINITION.parse(
            Map.of("log.retention.hours", "2", "min.insync.replicas", "2", "ssl.keystore.password", "secret"));
    private final DescribeConfigsHandler configs =
            new DescribeConfigsHandler(1, new EffectiveConfigs(1, values), metadata::image);

    private DescribeConfigsResult describe(byte type, String name, String... keys) {
        DescribeConfigsRequest request = new DescribeConfigsRequest()
                .setIncludeSynonyms(true)
                .setIncludeDocumentation(true)
                .setResources(List.of(new DescribeConfigsResource()
                        .setResourceType(type)
                        .setResourceName(name)
                        .setConfigurationKeys(keys.length == 0 ? null : List.of(keys))));
        DescribeConfigsResponse response = ask(configs, 4, "INTERNAL", request);
        return response.results().get(0);
    }

    @Test
    void aTopicsOwnConfigStandsAboveTheNodesFileAndTheDefault() {
        DescribeConfigsResourceResult config = describe(ConfigResource.TOPIC, "orders", "retention.ms")
                .configs()
                .get(0);

        assertThat(config.value()).isEqualTo("1000");
        assertThat(config.configSource()).isEqualTo((byte) 1);
        assertThat(config.readOnly()).isFalse();
        assertThat(config.documentation()).isNotBlank();
        assertThat(config.synonyms())
                .extracting(synonym -> synonym.name() + "=" + synonym.value() + " from " + synonym.source())
                .containsExactly(
                        "retention.ms=1000 from 1", "log.retention.hours=2 from 4", "log.retention.hours=168 from 5");
    }

    @Test
    void aTopicGoesByTheNodesFileWhereItHasNoConfigOfItsOwn() {
        DescribeConfigsResourceResult config = describe(ConfigResource.TOPIC, "orders", "min.insync.replicas")
                .configs()
                .get(0);

        assertThat(config.value()).isEqualTo("2");
        assertThat(config.configSource()).isEqualTo((byte) 4);
    }

    @Test
    void aNodeHidesItsSecretsAndSaysWhatARestartIsNeededFor() {
        DescribeConfigsResult result =
                describe(ConfigResource.BROKER, "1", "ssl.keystore.password", "min.insync.replicas", "log.dirs");

        assertThat(result.configs()).hasSize(3).allSatisfy(config -> {
            switch (config.name()) {
                case "ssl.keystore.password" -> {
                    assertThat(config.isSensitive()).isTrue();
                    assertThat(config.value()).isNull();
                }
                case "min.insync.replicas" -> {
                    assertThat(config.value()).isEqualTo("2");
                    assertThat(config.readOnly()).isFalse();
                }
                default -> assertThat(config.readOnly()).isTrue();
            }
        });
    }

    @Test
    void refusesWhatItCannotDescribe() {
        assertThat(describe(ConfigResource.TOPIC, "nope").errorCode())
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(describe(ConfigResource.TOPIC, "no good").errorCode())
                .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION.code());
        assertThat(describe(ConfigResource.BROKER, "2").errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        assertThat(describe((byte) 77, "x").errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
    }

    @Test
    void describesBrokersToClientsAndControllersToTheirOwn() {
        DescribeClusterHandler ofBrokers =
                DescribeClusterHandler.ofBrokers("c1uster", metadata::image, new SplittableRandom(1));
        DescribeClusterHandler ofControllers =
                DescribeClusterHandler.ofControllers("c1uster", metadata::image, () -> 1001, new SplittableRandom(1));

        DescribeClusterResponse brokers = ask(ofBrokers, 2, "EXTERNAL", new DescribeClusterRequest());
        DescribeClusterResponse withFenced =
                ask(ofBrokers, 2, "EXTERNAL", new DescribeClusterRequest().setIncludeFencedBrokers(true));
        DescribeClusterResponse controllers =
                ask(ofControllers, 2, "CONTROLLER", new DescribeClusterRequest().setEndpointType((byte) 2));
        DescribeClusterResponse mismatch =
                ask(ofControllers, 2, "CONTROLLER", new DescribeClusterRequest().setEndpointType((byte) 1));

        assertThat(brokers.brokers()).extracting(broker -> broker.brokerId()).containsExactly(1);
        assertThat(brokers.controllerId()).isEqualTo(1);
        assertThat(withFenced.brokers()).extracting(broker -> broker.isFenced()).containsExactly(false, true);
        assertThat(controllers.brokers()).extracting(broker -> broker.host()).containsExactly("controller");
        assertThat(controllers.controllerId()).isEqualTo(1001);
        assertThat(mismatch.errorCode()).isEqualTo(ErrorCode.MISMATCHED_ENDPOINT_TYPE.code());
    }

    @Test
    void describesTopicPartitionsPageByPage() {
        DescribeTopicPartitionsHandler handler = new DescribeTopicPartitionsHandler(metadata, values);
        DescribeTopicPartitionsRequest request = new DescribeTopicPartitionsRequest()
                .setResponsePartitionLimit(2)
                .setTopics(List.of(
                        new DescribeTopicPartitionsRequest.TopicRequest().setName("orders"),
                        new DescribeTopicPartitionsRequest.TopicRequest().setName("absent")));

        DescribeTopicPartitionsResponse first = ask(handler, 0, "INTERNAL", request);
        assertThat(first.topics().get(0).name()).isEqualTo("absent");
        assertThat(first.topics().get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(first.topics().get(1).partitions()).hasSize(2);
        assertThat(first.nextCursor().topicName()).isEqualTo("orders");
        assertThat(first.nextCursor().partitionIndex()).isEqualTo(2);

        request.setCursor(new DescribeTopicPartitionsRequest.Cursor()
                .setTopicName("orders")
                .setPartitionIndex(2));
        DescribeTopicPartitionsResponse second = ask(handler, 0, "INTERNAL", request);
        assertThat(second.topics()).singleElement().satisfies(topic -> {
            assertThat(topic.partitions()).singleElement().satisfies(partition -> {
                assertThat(partition.leaderId()).isEqualTo(-1);
                assertThat(partition.errorCode()).isEqualTo(ErrorCode.LEADER_NOT_AVAILABLE.code());
                assertThat(partition.eligibleLeaderReplicas()).containsExactly(3);
            });
        });
        assertThat(second.nextCursor()).isNull();
    }
}

package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterConfigsRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigChangesTest {
    private static final ConfigResource ORDERS = ConfigResource.topic("orders");
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final byte APPEND = 2;
    private static final byte SUBTRACT = 3;

    private final ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    @BeforeEach
    void createOrders() {
        fixture.create(assigned("orders", List.of(1, 2, 3), "retention.ms", "1000", "min.insync.replicas", "2"));
    }

    private ErrorCode alter(ConfigResource resource, byte operation, String name, String value) {
        AlterConfigsResource asked =
                new AlterConfigsResource().setResourceType(resource.type()).setResourceName(resource.name());
        asked.configs()
                .add(new AlterableConfig()
                        .setName(name)
                        .setConfigOperation(operation)
                        .setValue(value));
        IncrementalAlterConfigsRequest request = new IncrementalAlterConfigsRequest().setResources(List.of(asked));
        return ErrorCode.forCode(fixture.commit(fixture.controller.alterConfigs(request))
                .responses()
                .get(0)
                .errorCode());
    }

    @Test
    void setsAndDeletesOneConfigAndLeavesTheOthers() {
        alter(ORDERS, SET, "segment.bytes", "2097152");
        alter(ORDERS, DELETE, "retention.ms", null);

        assertThat(fixture.image().configsOf(ORDERS))
                .containsEntry("segment.bytes", "2097152")
                .containsEntry("min.insync.replicas", "2")
                .doesNotContainKey("retention.ms");
    }

    @Test
    void appendsToAndSubtractsFromALatentDefault() {
        alter(ORDERS, APPEND, "cleanup.policy", "compact");
        assertThat(fixture.image().configsOf(ORDERS)).containsEntry("cleanup.policy", "delete,compact");

        alter(ORDERS, SUBTRACT, "cleanup.policy", "delete");
        assertThat(fixture.image().configsOf(ORDERS)).containsEntry("cleanup.policy", "compact");
    }

    @Test
    void setsConfigsOfAGroupThatNeedNotBeThere() {
        ConfigResource billing = new ConfigResource(ConfigResource.GROUP, "billing");

        assertThat(alter(billing, SET, "streams.num.standby.replicas", "1")).isEqualTo(ErrorCode.NONE);

        assertThat(fixture.image().configsOf(billing)).containsOnly(Map.entry("streams.num.standby.replicas", "1"));
        assertThat(alter(billing, SET, "retention.ms", "1")).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(billing, SET, "share.delivery.count.limit", "1")).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(new ConfigResource(ConfigResource.GROUP, ""), SET, "streams.num.standby.replicas", "1"))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void refusesWhatIsNotKnownOrNotValid() {
        assertThat(alter(ORDERS, SET, "no.such.config", "1")).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(ORDERS, SET, "retention.ms", "x")).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(ORDERS, APPEND, "retention.ms", "1")).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(ConfigResource.topic("nope"), SET, "retention.ms", "1"))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(alter(ConfigResource.broker(9), SET, "log.retention.ms", "1"))
                .isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
        assertThat(alter(new ConfigResource((byte) 99, "x"), SET, "a", "1")).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void theOldRequestReplacesEverything() {
        AlterConfigsRequest.AlterConfigsResource asked = new AlterConfigsRequest.AlterConfigsResource()
                .setResourceType(ConfigResource.TOPIC)
                .setResourceName("orders");
        asked.configs()
                .add(new AlterConfigsRequest.AlterableConfig()
                        .setName("segment.bytes")
                        .setValue("2097152"));

        fixture.commit(fixture.controller.replaceConfigs(new AlterConfigsRequest().setResources(List.of(asked))));

        assertThat(fixture.image().configsOf(ORDERS)).containsOnlyKeys("segment.bytes");
    }

    @Test
    void aTopicsConfigsGoWithTheTopic() {
        fixture.commit(fixture.controller.deleteTopics(
                new io.tidemark.broker.protocol.message.DeleteTopicsRequest().setTopicNames(List.of("orders"))));

        assertThat(fixture.image().configs()).doesNotContainKey(ORDERS);
    }

    @Test
    void aSmallerLeastIsrEmptiesAnElr() {
        fixture.proposeIsr("orders", 1, List.of(1));
        assertThat(fixture.partition("orders").elr()).isNotEmpty();

        alter(ORDERS, SET, "min.insync.replicas", "1");

        assertThat(fixture.partition("orders").elr()).isEmpty();
    }

    @Test
    void allowingUncleanElectionGivesAPartitionALeaderAtOnce() {
        fixture.loseAllBut(2, 3);
        fixture.loseAllBut();
        fixture.startBroker(1, -1);
        assertThat(fixture.partition("orders").hasLeader()).isFalse();

        alter(ORDERS, SET, "unclean.leader.election.enable", "true");

        assertThat(fixture.partition("orders").leader()).isEqualTo(1);
    }

    @Test
    void topicsGoByTheClustersDynamicDefaultsBelowTheirOwnConfigs() {
        fixture.create(assigned("plain", List.of(1, 2, 3)));

        alter(ConfigResource.brokerDefault(), SET, "min.insync.replicas", "3");

        EffectiveConfigs configs = new EffectiveConfigs(
                1001, io.tidemark.broker.config.BrokerConfigs.DEFINITION.parse(java.util.Map.of()));
        assertThat(configs.minInsyncReplicas(fixture.image(), "plain")).isEqualTo(3);
        assertThat(configs.minInsyncReplicas(fixture.image(), "orders")).isEqualTo(2);
    }

    @Test
    void theClustersLeastIsrCannotBeRemovedWhileTheElrCountsOnIt() {
        assertThat(alter(ConfigResource.brokerDefault(), DELETE, "min.insync.replicas", null))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
    }

    @Test
    void anotherLeastIsrEndsTheElrThatTheOldOneMade() {
        fixture.loseAllBut(2);
        assertThat(fixture.partition("orders").isr()).containsExactly(2);
        assertThat(fixture.partition("orders").elr()).hasSize(1);

        alter(ORDERS, SET, "min.insync.replicas", "3");

        assertThat(fixture.partition("orders").elr()).isEmpty();
        assertThat(fixture.partition("orders").isr()).containsExactly(2);
    }

    @Test
    void uncleanElectionGivesAPartitionALeaderAtOnce() {
        fixture.setConfig(ORDERS, "min.insync.replicas", "1");
        fixture.loseAllBut(2, 3);
        fixture.proposeIsr("orders", 2, List.of(2));
        fixture.loseAllBut(3);
        assertThat(fixture.partition("orders").hasLeader()).isFalse();

        alter(ORDERS, SET, "unclean.leader.election.enable", "true");

        assertThat(fixture.partition("orders").leader()).isEqualTo(3);
        assertThat(fixture.partition("orders").leaderRecoveryState()).isEqualTo((byte) 1);
    }

    @Test
    void theRatesOfReplicationAreToldWhereTheyAreSet() {
        ConfigResource broker = ConfigResource.broker(1001);
        assertThat(alter(broker, SET, "leader.replication.throttled.rate", "many"))
                .isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(alter(broker, SET, "leader.replication.throttled.rate", "1024"))
                .isEqualTo(ErrorCode.NONE);

        EffectiveConfigs configs = new EffectiveConfigs(1001, BrokerConfigs.DEFINITION.parse(Map.of()));

        assertThat(configs.node(fixture.image()))
                .filteredOn(entry -> entry.key().name().endsWith(".replication.throttled.rate"))
                .extracting(ConfigEntry::value)
                .containsExactly("1024");
    }

    /** As Kafka does: nobody is to find keys that are for its own tests and tuning. */
    @Test
    void internalConfigsShowOnlyWhereTheyAreSet() {
        EffectiveConfigs configs = new EffectiveConfigs(
                1001, BrokerConfigs.DEFINITION.parse(Map.of("internal.metadata.delete.delay.millis", "5")));

        assertThat(configs.topic(Map.of(), fixture.image()))
                .extracting(entry -> entry.key().name())
                .contains("segment.bytes")
                .doesNotContain("internal.segment.bytes");
        assertThat(configs.topic(Map.of("internal.segment.bytes", "1000"), fixture.image()))
                .filteredOn(entry -> entry.key().isInternal())
                .extracting(ConfigEntry::value)
                .containsExactly("1000");
        assertThat(configs.node(fixture.image()))
                .filteredOn(entry -> entry.key().isInternal())
                .extracting(ConfigEntry::value)
                .containsExactly("5");
    }
}

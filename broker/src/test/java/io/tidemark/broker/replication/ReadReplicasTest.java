package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers 1, 2, 3 in rack-1, rack-2, rack-3; broker 1 leads. Consumers ask it (KIP-392). */
class ReadReplicasTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final String RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";
    private static final int HERE = -1;

    @TempDir
    private Path folder;

    private FakeCluster cluster;
    private Uuid orders;

    @BeforeEach
    void startThreeBrokers() {
        cluster = new FakeCluster(
                folder,
                Map.of("node.id", "1", "replica.selector.class", RACK_AWARE, "replica.lag.time.max.ms", "2000"),
                3);
        orders = cluster.createTopic("orders", 1, List.of(1, 2, 3), Map.of());
        cluster.time().runDue();
        cluster.produce(1, orders, new byte[10]);
        cluster.time().runDue();
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void aConsumerIsSentToTheReplicaOfItsRackAndGetsNoRecordsHere() {
        FetchResponse.PartitionData data = fetch(1, "rack-2", 0);

        assertThat(data.preferredReadReplica()).isEqualTo(2);
        assertThat(data.records().sizeInBytes()).isZero();
        assertThat(data.highWatermark()).isEqualTo(1);
        assertThat(data.errorCode()).isZero();
    }

    @Test
    void thatReplicaServesIt() {
        FetchResponse.PartitionData data = fetch(2, "rack-2", 0);

        assertThat(data.preferredReadReplica()).isEqualTo(HERE);
        assertThat(data.records().sizeInBytes()).isPositive();
    }

    @Test
    void theLeaderKeepsThoseOfItsRackOfNoRackAndOfARackWithoutReplicas() {
        for (String rack : List.of("rack-1", "", "elsewhere")) {
            FetchResponse.PartitionData data = fetch(1, rack, 0);

            assertThat(data.preferredReadReplica()).as("from [%s]", rack).isEqualTo(HERE);
            assertThat(data.records().sizeInBytes()).as("from [%s]", rack).isPositive();
        }
    }

    @Test
    void nobodyIsSentToAReplicaThatIsOutOfSync() {
        cluster.isolate(2, true);
        cluster.produce(1, orders, new byte[10]);
        cluster.time().runFor(5_000);
        assertThat(cluster.registration(ORDERS).isr()).containsExactly(1, 3);

        assertThat(fetch(1, "rack-2", 0).preferredReadReplica()).isEqualTo(HERE);
    }

    @Test
    void nobodyIsSentToAReplicaThatDoesNotHaveTheOffset() {
        cluster.isolate(2, true);
        cluster.produce(1, orders, new byte[10]);
        cluster.time().runDue();
        assertThat(cluster.registration(ORDERS).isr()).contains(2);

        assertThat(fetch(1, "rack-2", 2).preferredReadReplica()).isEqualTo(HERE);
        assertThat(fetch(1, "rack-2", 1).preferredReadReplica()).isEqualTo(2);
    }

    @Test
    void aConsumerThatIsAheadOfTheFollowerIsRefusedThere() {
        cluster.isolate(2, true);
        cluster.produce(1, orders, new byte[10]);
        cluster.time().runDue();

        assertThat(fetch(2, "rack-2", 2).errorCode()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE.code());
    }

    @Test
    void olderConsumersAreNeverSentAway() {
        FetchRequest request = request("rack-2", 0);
        request.topics().get(0).setTopic("orders").setTopicId(new Uuid(0, 0));

        FetchResponse response =
                (FetchResponse) cluster.node(1).call(request, 10).response();

        assertThat(response.responses().get(0).partitions().get(0).records().sizeInBytes())
                .isPositive();
    }

    @Test
    void aClassThatIsNotKafkasIsRefusedByName() {
        assertThatThrownBy(() -> ReadReplicas.of(
                        BrokerConfigs.DEFINITION.parse(Map.of("replica.selector.class", "com.example.Nearest")),
                        () -> MetadataImage.EMPTY,
                        new VirtualTime()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("com.example.Nearest")
                .hasMessageContaining(RACK_AWARE);
    }

    private FetchResponse.PartitionData fetch(int broker, String rack, long offset) {
        FetchResponse response = (FetchResponse)
                cluster.node(broker).call(request(rack, offset), 17).response();
        return response.responses().get(0).partitions().get(0);
    }

    private FetchRequest request(String rack, long offset) {
        return new FetchRequest()
                .setMaxWaitMs(0)
                .setMinBytes(1)
                .setMaxBytes(1_000_000)
                .setRackId(rack)
                .setTopics(List.of(new FetchRequest.FetchTopic()
                        .setTopicId(orders)
                        .setPartitions(List.of(new FetchRequest.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(1_000_000)))));
    }
}

package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ProduceResponse;
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

/** What consumers and producers of two brokers get to hear, at the versions that know topic ids. */
class ConsumerFetchTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final int VERSION = 17;

    @TempDir
    private Path folder;

    private FakeCluster cluster;
    private Uuid orders;

    @BeforeEach
    void startTwoBrokers() {
        cluster = new FakeCluster(folder, Map.of("node.id", "1"), 2);
        orders = cluster.createTopic("orders", 1, List.of(1, 2), Map.of());
        cluster.time().runDue();
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void unknownTopicIdIsToldSo() {
        assertThat(error(fetch(1, request(new Uuid(9, 9), 0)))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
        assertThat(error(cluster.produce(1, new Uuid(9, 9), new byte[10]))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
    }

    @Test
    void recreatedTopicNeverAnswersUnderItsOldId() {
        FetchResponse opening = fetch(1, request(orders, 0)).response();
        cluster.deleteTopic(orders);
        cluster.createTopic("orders", 1, List.of(1, 2), Map.of());
        cluster.time().runDue();

        FetchRequest next = new FetchRequest()
                .setMaxWaitMs(0)
                .setMinBytes(1)
                .setSessionId(opening.sessionId())
                .setSessionEpoch(1);
        assertThat(error(fetch(1, next))).isEqualTo(ErrorCode.INCONSISTENT_TOPIC_ID);
        assertThat(error(fetch(1, request(orders, 0)))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
    }

    @Test
    void firstBatchComesWholeHoweverSmallTheLimit() {
        cluster.produce(1, orders, new byte[5_000]);
        cluster.time().runDue();

        FetchRequest request = request(orders, 0).setMaxBytes(1);
        request.topics().get(0).partitions().get(0).setPartitionMaxBytes(1);

        assertThat(data(fetch(1, request)).records().sizeInBytes()).isGreaterThan(5_000);
    }

    @Test
    void waitsForTheBytesThatItWants() {
        FetchRequest request = request(orders, 0).setMaxWaitMs(500).setMinBytes(2_000);
        FakeCluster.Call<FetchResponse> fetch = fetch(1, request);
        cluster.produce(1, orders, new byte[1_500]);
        cluster.time().runDue();
        assertThat(fetch.isAnswered()).isFalse();

        cluster.produce(1, orders, new byte[1_500]);
        cluster.time().runDue();

        assertThat(data(fetch).records().sizeInBytes()).isGreaterThan(3_000);
    }

    @Test
    void waitsNoLongerThanItsTime() {
        FakeCluster.Call<FetchResponse> fetch = fetch(1, request(orders, 0).setMaxWaitMs(500));
        cluster.time().runFor(499);
        assertThat(fetch.isAnswered()).isFalse();

        cluster.time().runFor(1);

        assertThat(data(fetch).records().sizeInBytes()).isZero();
        assertThat(data(fetch).errorCode()).isZero();
    }

    @Test
    void offsetOutsideOfTheLogIsRefused() {
        assertThat(error(fetch(1, request(orders, 7)))).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
    }

    @Test
    void followerServesConsumersUpToItsOwnWatermark() {
        cluster.produce(1, orders, new byte[10]);
        cluster.time().runDue();

        FakeCluster.Call<FetchResponse> fetch = fetch(2, request(orders, 0));

        assertThat(data(fetch).records().sizeInBytes()).isPositive();
        assertThat(data(fetch).highWatermark()).isEqualTo(1);
    }

    @Test
    void readersLastEpochThatDoesNotFitIsAnsweredWithWhereTheLogsPart() {
        cluster.produce(1, orders, new byte[10]);
        cluster.time().runDue();
        cluster.elect(ORDERS, 2, List.of(1, 2));
        cluster.time().runDue();
        FetchRequest request = request(orders, 5);
        request.topics().get(0).partitions().get(0).setLastFetchedEpoch(0);

        FetchResponse.PartitionData data = data(fetch(2, request));

        assertThat(data.divergingEpoch().epoch()).isZero();
        assertThat(data.divergingEpoch().endOffset()).isEqualTo(1);
        assertThat(data.records().sizeInBytes()).isZero();
    }

    @Test
    void producerIsToldTheLeaderAndItsAddress() {
        FakeCluster.Call<ProduceResponse> refused = cluster.produce(2, orders, new byte[10]);

        ProduceResponse.PartitionProduceResponse answer =
                refused.response().responses().get(0).partitionResponses().get(0);
        assertThat(answer.errorCode()).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
        assertThat(answer.currentLeader().leaderId()).isEqualTo(1);
        assertThat(refused.response().nodeEndpoints())
                .extracting(ProduceResponse.NodeEndpoint::port)
                .containsExactly(1);
    }

    @Test
    void staleReaderIsToldTheLeaderAndItsAddress() {
        cluster.elect(ORDERS, 2, List.of(1, 2));
        cluster.time().runDue();
        FetchRequest request = request(orders, 0);
        request.topics().get(0).partitions().get(0).setCurrentLeaderEpoch(0);

        FakeCluster.Call<FetchResponse> fetch = fetch(1, request);

        assertThat(error(fetch)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(data(fetch).currentLeader().leaderId()).isEqualTo(2);
        assertThat(data(fetch).currentLeader().leaderEpoch()).isEqualTo(1);
        assertThat(fetch.response().nodeEndpoints())
                .extracting(FetchResponse.NodeEndpoint::nodeId)
                .containsExactly(2);
    }

    private FakeCluster.Call<FetchResponse> fetch(int broker, FetchRequest request) {
        return cluster.node(broker).call(request, VERSION);
    }

    private static FetchRequest request(Uuid topicId, long offset) {
        return new FetchRequest()
                .setMaxWaitMs(0)
                .setMinBytes(1)
                .setMaxBytes(1_000_000)
                .setSessionEpoch(0)
                .setTopics(List.of(new FetchRequest.FetchTopic()
                        .setTopicId(topicId)
                        .setPartitions(List.of(new FetchRequest.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(1_000_000)))));
    }

    private static FetchResponse.PartitionData data(FakeCluster.Call<FetchResponse> call) {
        return call.response().responses().get(0).partitions().get(0);
    }

    private static ErrorCode error(FakeCluster.Call<?> call) {
        if (call.response() instanceof ProduceResponse produced) {
            return ErrorCode.forCode(
                    produced.responses().get(0).partitionResponses().get(0).errorCode());
        }
        FetchResponse fetched = (FetchResponse) call.response();
        return ErrorCode.forCode(fetched.responses().get(0).partitions().get(0).errorCode());
    }
}

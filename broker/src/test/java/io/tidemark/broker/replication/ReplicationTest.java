package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DeleteRecordsRequest;
import io.tidemark.broker.protocol.message.DeleteRecordsResponse;
import io.tidemark.broker.protocol.message.DescribeProducersRequest;
import io.tidemark.broker.protocol.message.DescribeProducersResponse;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that replicate to one another over the wire messages, in virtual time. */
class ReplicationTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final int LAG_MS = 2_000;
    private static final int ALL = -1;

    @TempDir
    private Path folder;

    private FakeCluster cluster;
    private int timeoutMs = 30_000;

    @BeforeEach
    void startThreeBrokers() {
        cluster = new FakeCluster(folder, Map.of("node.id", "1", "replica.lag.time.max.ms", String.valueOf(LAG_MS)), 3);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void followersFetchAtOnceAndTheWatermarkFollowsOnEveryReplica() {
        createOrders(1);

        FakeCluster.Call<ProduceResponse> written = produce(1, ALL, "a");
        cluster.time().runDue();

        assertThat(answer(written).errorCode()).isZero();
        assertThat(answer(written).baseOffset()).isZero();
        for (int broker = 1; broker <= 3; broker++) {
            ReplicaSnapshot replica = cluster.node(broker).replica(ORDERS);
            assertThat(replica.logEndOffset())
                    .as("log end of broker %d", broker)
                    .isEqualTo(1);
            assertThat(replica.highWatermark())
                    .as("watermark of broker %d", broker)
                    .isEqualTo(1);
        }
        assertThat(cluster.node(1).replica(ORDERS).followerLogEndOffsets())
                .containsEntry(2, 1L)
                .containsEntry(3, 1L);
    }

    @Test
    void topicCreatedWhileFollowersWaitAtTheLeaderIsFetchedAtOnce() {
        createOrders(1);
        cluster.time().runFor(100);
        TopicPartition later = new TopicPartition("later", 0);
        cluster.createTopic("later", 1, List.of(1, 2, 3), Map.of());
        cluster.time().runDue();

        assertThat(cluster.node(1).replica(later).followerLogEndOffsets())
                .containsEntry(2, 0L)
                .containsEntry(3, 0L);
    }

    @Test
    void followerThatKnowsOfTheTopicBeforeItsLeaderDoesCatchesUpInMilliseconds() {
        cluster.deafen(1, true);
        createOrders(1);
        cluster.time().runFor(15);
        cluster.deafen(1, false);
        produce(1, ALL, "a");

        cluster.time().runFor(25);

        assertThat(cluster.node(2).replica(ORDERS).highWatermark()).isEqualTo(1);
    }

    @Test
    void silentFollowerLeavesTheInSyncSetAndComesBack() {
        createOrders(1);
        cluster.isolate(3, true);
        FakeCluster.Call<ProduceResponse> written = produce(1, ALL, "a");
        cluster.time().runDue();
        assertThat(written.isAnswered()).isFalse();

        cluster.time().runFor(2 * LAG_MS);
        assertThat(cluster.node(1).replica(ORDERS).isr()).containsExactly(1, 2);
        assertThat(answer(written).errorCode()).isZero();

        cluster.isolate(3, false);
        cluster.time().runFor(1_500);
        assertThat(cluster.node(1).replica(ORDERS).isr()).containsExactly(1, 2, 3);
        assertThat(cluster.node(3).replica(ORDERS).highWatermark()).isEqualTo(1);
    }

    @Test
    void inSyncSetDoesNotChangeWhileTheControllerIsAway() {
        createOrders(1);
        cluster.sendControllerAway(true);
        cluster.isolate(3, true);
        produce(1, 1, "a");
        cluster.time().runFor(4 * LAG_MS);
        assertThat(cluster.node(1).replica(ORDERS).isr()).containsExactly(1, 2, 3);
        assertThat(cluster.node(1).replica(ORDERS).highWatermark()).isZero();

        cluster.sendControllerAway(false);
        cluster.time().runFor(500);

        assertThat(cluster.node(1).replica(ORDERS).isr()).containsExactly(1, 2);
        assertThat(cluster.node(1).replica(ORDERS).highWatermark()).isEqualTo(1);
    }

    @Test
    void writeBelowMinInsyncReplicasIsRefusedAndOneWithoutThatWishIsSeenByNobody() {
        createOrders(2);
        cluster.elect(ORDERS, 1, List.of(1));
        cluster.isolate(2, true);
        cluster.isolate(3, true);
        cluster.fence(2, true);
        cluster.fence(3, true);
        cluster.time().runDue();

        assertThat(error(produce(1, ALL, "refused"))).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
        assertThat(cluster.node(1).replica(ORDERS).logEndOffset()).isZero();
        assertThat(error(produce(1, 1, "taken"))).isEqualTo(ErrorCode.NONE);
        cluster.time().runFor(10 * LAG_MS);

        assertThat(cluster.node(1).replica(ORDERS).highWatermark()).isZero();
        assertThat(consume(1, 0)).isEmpty();

        cluster.isolate(2, false);
        cluster.fence(2, false);
        cluster.time().runFor(1_500);
        assertThat(consume(1, 0)).containsExactly("taken");
    }

    @Test
    void acksAllTimesOutWhereAMemberDoesNotFetch() {
        createOrders(1);
        cluster.isolate(2, true);
        timeoutMs = 500;

        FakeCluster.Call<ProduceResponse> written = produce(1, ALL, "a");
        cluster.time().runFor(500);

        assertThat(error(written)).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(1);
        assertThat(cluster.node(1).partitions().waiting().size())
                .as("only the other follower's fetch waits")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void returnedLeaderCutsWhatOnlyItHadAndFollows() {
        createOrders(1);
        produce(1, ALL, "kept");
        cluster.time().runFor(10);
        cluster.isolate(1, true);
        cluster.deafen(1, true);
        produce(1, 1, "lost-1");
        produce(1, 1, "lost-2");
        cluster.elect(ORDERS, 2, List.of(2, 3));
        produce(2, ALL, "new");
        cluster.time().runFor(10);
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(3);

        cluster.isolate(1, false);
        cluster.deafen(1, false);
        cluster.time().runFor(1_500);

        assertThat(consume(2, 0)).containsExactly("kept", "new");
        for (int broker = 1; broker <= 3; broker++) {
            assertThat(values(broker)).as("log of broker %d", broker).containsExactly("kept", "new");
        }
        assertThat(cluster.node(2).replica(ORDERS).isr()).containsExactly(2, 3, 1);
        assertThat(cluster.node(1).replica(ORDERS).highWatermark()).isEqualTo(2);
    }

    @Test
    void leaderThatWroteNothingFollowsTheNextOne() {
        createOrders(1);
        produce(1, ALL, "a");
        cluster.time().runDue();
        cluster.elect(ORDERS, 2, List.of(1, 2, 3));
        cluster.time().runDue();
        cluster.deafen(2, true);
        cluster.elect(ORDERS, 3, List.of(1, 2, 3));
        cluster.time().runDue();
        cluster.deafen(2, false);
        produce(3, 1, "b");

        cluster.time().runFor(100);

        assertThat(values(2)).containsExactly("a", "b");
        assertThat(cluster.node(3).replica(ORDERS).highWatermark()).isEqualTo(2);
    }

    @Test
    void waitingWriteIsToldThatItsLeaderIsNoLongerOne() {
        createOrders(1);
        cluster.isolate(2, true);
        FakeCluster.Call<ProduceResponse> written = produce(1, ALL, "a");

        cluster.elect(ORDERS, 3, List.of(3));
        cluster.time().runDue();

        ProduceResponse.PartitionProduceResponse answer = answer(written);
        assertThat(answer.errorCode()).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
        assertThat(answer.currentLeader().leaderId()).isEqualTo(3);
        assertThat(answer.currentLeader().leaderEpoch()).isEqualTo(1);
        assertThat(written.response().nodeEndpoints().get(0).host()).isEqualTo("broker-3");
    }

    @Test
    void newLeaderDoesNotTellTheLatestOffsetBeforeTheWatermarkHasPassedItsEpochsStart() {
        createOrders(1);
        produce(1, ALL, "a");
        cluster.time().runDue();
        // Broker 2 gets a record of which it cannot know yet whether it is committed.
        cluster.isolate(3, true);
        produce(1, 1, "b");
        cluster.time().runDue();
        assertThat(cluster.node(2).hosted(ORDERS).logEndOffset()).isEqualTo(2);
        assertThat(cluster.node(2).hosted(ORDERS).highWatermark()).isEqualTo(1);

        cluster.elect(ORDERS, 2, List.of(2, 3));
        cluster.time().runDue();

        assertThat(latest(2).errorCode()).isEqualTo(ErrorCode.OFFSET_NOT_AVAILABLE.code());
        cluster.isolate(3, false);
        cluster.time().runFor(1_500);
        assertThat(latest(2).offset()).isEqualTo(2);
    }

    @Test
    void restartedBrokerGoesOnFromItsCheckpointedWatermark() throws IOException {
        createOrders(1);
        produce(1, ALL, "a");
        cluster.time().runFor(10);
        cluster.node(3).close();
        produce(1, 1, "b");

        cluster.start(3);
        assertThat(cluster.node(3).hosted(ORDERS).highWatermark()).isGreaterThanOrEqualTo(1);
        cluster.time().runFor(1_500);

        assertThat(values(3)).containsExactly("a", "b");
        assertThat(cluster.node(3).hosted(ORDERS).highWatermark()).isEqualTo(2);
    }

    @Test
    void killedBrokerCatchesUpAfterItsReturn() {
        createOrders(1);
        produce(1, ALL, "a");
        cluster.time().runFor(10);
        cluster.kill(3);
        produce(1, 1, "b");

        cluster.start(3);
        cluster.time().runFor(1_500);

        assertThat(values(3)).containsExactly("a", "b");
        assertThat(cluster.node(1).replica(ORDERS).isr()).containsExactly(1, 2, 3);
    }

    @Test
    void deletedTopicIsGoneAndARecreatedOneStartsEmpty() {
        Uuid first = createOrders(1);
        produce(1, ALL, "a");
        cluster.time().runDue();

        cluster.deleteTopic(first);
        cluster.time().runDue();
        assertThat(cluster.node(2).partitions().partition(ORDERS)).isNull();
        assertThat(error(produce(1, ALL, "b"))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);

        createOrders(1);
        cluster.time().runDue();
        assertThat(cluster.node(2).hosted(ORDERS).logEndOffset()).isZero();
        produce(1, ALL, "c");
        cluster.time().runFor(100);
        assertThat(values(2)).containsExactly("c");
    }

    @Test
    void topicDeletedWhileABrokerWasDownIsDeletedThereToo() throws IOException {
        Uuid first = createOrders(1);
        produce(1, ALL, "a");
        cluster.time().runFor(10);
        cluster.node(3).close();
        cluster.deleteTopic(first);
        createOrders(1);

        cluster.start(3);
        cluster.time().runFor(500);

        assertThat(cluster.node(3).hosted(ORDERS).logEndOffset()).isZero();
    }

    @Test
    void consumerSeesNothingAboveTheWatermark() {
        createOrders(1);
        cluster.isolate(3, true);
        produce(1, 1, "a");
        cluster.time().runDue();

        assertThat(consume(1, 0)).isEmpty();
        assertThat(latest(1).offset()).isZero();
    }

    @Test
    void waitingConsumerIsAnsweredWhenItsRecordIsCommitted() {
        createOrders(1);
        FakeCluster.Call<FetchResponse> fetch = fetch(1, 0, 500);
        assertThat(fetch.isAnswered()).isFalse();

        produce(1, 1, "a");
        cluster.time().runDue();

        assertThat(valuesOf(fetch.response())).containsExactly("a");
    }

    @Test
    void invalidAcksAreRefused() {
        createOrders(1);

        assertThat(error(produce(1, 2, "a"))).isEqualTo(ErrorCode.INVALID_REQUIRED_ACKS);
    }

    @Test
    void writeWithoutAcksIsNotAnswered() {
        createOrders(1);

        FakeCluster.Call<ProduceResponse> written = produce(1, 0, "a");

        assertThat(written.isEnded()).isTrue();
        assertThat(written.isAnswered()).isFalse();
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(1);
    }

    @Test
    void staleAndUnknownLeaderEpochsAreFenced() {
        createOrders(1);
        cluster.elect(ORDERS, 2, List.of(1, 2, 3));
        cluster.elect(ORDERS, 1, List.of(1, 2, 3));
        cluster.time().runDue();

        assertThat(fetchError(1, 1)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(fetchError(1, 2)).isEqualTo(ErrorCode.NONE);
        assertThat(fetchError(1, 3)).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
    }

    @Test
    void idempotentRepeatSucceedsWithItsFirstOffsetAndAppendsNothing() {
        createOrders(1);
        produce(1, ALL, "a");
        cluster.time().runDue();

        long first = answer(produceIdempotent("x")).baseOffset();
        long again = answer(produceIdempotent("x")).baseOffset();

        assertThat(first).isEqualTo(1);
        assertThat(again).isEqualTo(1);
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(2);
    }

    @Test
    void stallOfTheWholeMachineCostsNobodyItsPlaceInTheInSyncSet() {
        createOrders(1);
        cluster.isolate(3, true);
        produce(1, 1, "a");
        cluster.time().runFor(LAG_MS / 4);

        cluster.time().stallFor(5 * LAG_MS);
        cluster.isolate(3, false);
        cluster.time().runFor(LAG_MS);

        assertThat(cluster.isrRequests()).isEmpty();
        assertThat(cluster.node(3).replica(ORDERS).highWatermark()).isEqualTo(1);
    }

    @Test
    void deletedRecordsAreGoneFromEveryReplicaWhenTheAnswerComes() {
        createOrders(1);
        produce(1, ALL, "a");
        produce(1, ALL, "b");
        produce(1, ALL, "c");
        cluster.time().runDue();

        FakeCluster.Call<DeleteRecordsResponse> deleted = deleteRecords(2);
        cluster.time().runDue();

        assertThat(deletion(deleted).errorCode()).isZero();
        assertThat(deletion(deleted).lowWatermark()).isEqualTo(2);
        for (int broker = 1; broker <= 3; broker++) {
            assertThat(cluster.node(broker).hosted(ORDERS).logStartOffset()).isEqualTo(2);
        }
        assertThat(latest(1).offset()).isEqualTo(3);
    }

    @Test
    void recordsAboveTheWatermarkCannotBeDeleted() {
        createOrders(1);
        cluster.isolate(3, true);
        produce(1, 1, "a");

        assertThat(deletion(deleteRecords(1)).errorCode()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE.code());
        assertThat(deletion(deleteRecords(-1)).lowWatermark()).isZero();
    }

    @Test
    void followerFarBehindALeaderThatHasDeletedRecordsStartsAnewAtTheLeadersStart() {
        createOrders(1);
        cluster.isolate(3, true);
        cluster.elect(ORDERS, 1, List.of(1, 2));
        cluster.time().runDue();
        produce(1, ALL, "a");
        produce(1, ALL, "b");
        cluster.fence(3, true);
        deleteRecords(1);
        cluster.time().runDue();

        cluster.isolate(3, false);
        cluster.fence(3, false);
        cluster.time().runFor(1_500);

        assertThat(cluster.node(3).hosted(ORDERS).logStartOffset()).isEqualTo(1);
        assertThat(cluster.node(3).hosted(ORDERS).highWatermark()).isEqualTo(2);
        assertThat(cluster.node(1).replica(ORDERS).isr()).containsExactly(1, 2, 3);
    }

    @Test
    void producersOfTheLeaderAreDescribed() {
        createOrders(1);
        produceIdempotent("x");
        DescribeProducersRequest request = new DescribeProducersRequest()
                .setTopics(List.of(new DescribeProducersRequest.TopicRequest()
                        .setName("orders")
                        .setPartitionIndexes(List.of(0))));

        FakeCluster.Call<DescribeProducersResponse> described = cluster.node(1).call(request, 0);

        assertThat(described.response().topics().get(0).partitions().get(0).activeProducers())
                .extracting(DescribeProducersResponse.ProducerState::producerId)
                .containsExactly(5L);
    }

    private FakeCluster.Call<DeleteRecordsResponse> deleteRecords(long beforeOffset) {
        DeleteRecordsRequest request = new DeleteRecordsRequest()
                .setTimeoutMs(30_000)
                .setTopics(List.of(new DeleteRecordsRequest.DeleteRecordsTopic()
                        .setName("orders")
                        .setPartitions(List.of(new DeleteRecordsRequest.DeleteRecordsPartition()
                                .setPartitionIndex(0)
                                .setOffset(beforeOffset)))));
        return cluster.node(1).call(request, 2);
    }

    private static DeleteRecordsResponse.DeleteRecordsPartitionResult deletion(
            FakeCluster.Call<DeleteRecordsResponse> call) {
        return call.response().topics().get(0).partitions().get(0);
    }

    private Uuid createOrders(int minIsr) {
        Uuid id = cluster.createTopic(
                "orders", 1, List.of(1, 2, 3), Map.of("min.insync.replicas", String.valueOf(minIsr)));
        cluster.time().runDue();
        return id;
    }

    private FakeCluster.Call<ProduceResponse> produce(int broker, int acks, String value) {
        ByteBuf batch = new RecordBatchBuilder()
                .add(cluster.time().wallTimeMs(), null, value.getBytes(StandardCharsets.UTF_8))
                .build();
        return cluster.node(broker).call(produceRequest(acks, batch), 12);
    }

    private FakeCluster.Call<ProduceResponse> produceIdempotent(String value) {
        ByteBuf batch = new RecordBatchBuilder()
                .producer(5, (short) 0, 0)
                .add(cluster.time().wallTimeMs(), null, value.getBytes(StandardCharsets.UTF_8))
                .build();
        FakeCluster.Call<ProduceResponse> call = cluster.node(1).call(produceRequest(ALL, batch), 12);
        cluster.time().runDue();
        return call;
    }

    private ProduceRequest produceRequest(int acks, ByteBuf batch) {
        return new ProduceRequest()
                .setAcks((short) acks)
                .setTimeoutMs(timeoutMs)
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setName("orders")
                        .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(new BufferRecords(batch))))));
    }

    private static ProduceResponse.PartitionProduceResponse answer(FakeCluster.Call<ProduceResponse> call) {
        return call.response().responses().get(0).partitionResponses().get(0);
    }

    private static ErrorCode error(FakeCluster.Call<ProduceResponse> call) {
        return ErrorCode.forCode(answer(call).errorCode());
    }

    private FakeCluster.Call<FetchResponse> fetch(int broker, long offset, int maxWaitMs) {
        return cluster.node(broker).call(fetchRequest(offset, -1, maxWaitMs), 12);
    }

    private static FetchRequest fetchRequest(long offset, int leaderEpoch, int maxWaitMs) {
        return new FetchRequest()
                .setMaxWaitMs(maxWaitMs)
                .setMinBytes(1)
                .setMaxBytes(1_000_000)
                .setTopics(List.of(new FetchRequest.FetchTopic()
                        .setTopic("orders")
                        .setPartitions(List.of(new FetchRequest.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(offset)
                                .setCurrentLeaderEpoch(leaderEpoch)
                                .setPartitionMaxBytes(1_000_000)))));
    }

    private ErrorCode fetchError(int broker, int leaderEpoch) {
        FakeCluster.Call<FetchResponse> call = cluster.node(broker).call(fetchRequest(0, leaderEpoch, 0), 12);
        return ErrorCode.forCode(
                call.response().responses().get(0).partitions().get(0).errorCode());
    }

    private List<String> consume(int broker, long offset) {
        return valuesOf(fetch(broker, offset, 0).response());
    }

    private static List<String> valuesOf(FetchResponse response) {
        FetchResponse.PartitionData data =
                response.responses().get(0).partitions().get(0);
        assertThat(data.errorCode()).as("error of the fetch").isZero();
        try {
            return data.records() == null ? List.of() : valuesOf(data.records().toByteBuf());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What is in a broker's log, committed or not. */
    private List<String> values(int broker) {
        HostedPartition partition = cluster.node(broker).hosted(ORDERS);
        try {
            List<String> values = new ArrayList<>();
            values.addAll(valuesOf(partition
                    .log()
                    .read(0, 1_000_000, partition.logEndOffset(), true)
                    .toByteBuf()));
            return values;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> valuesOf(ByteBuf bytes) {
        List<String> values = new ArrayList<>();
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            batch.records()
                    .forEach(record -> values.add(String.valueOf(
                            record.value() == null ? null : record.value().toString(StandardCharsets.UTF_8))));
        }
        return values;
    }

    private ListOffsetsResponse.ListOffsetsPartitionResponse latest(int broker) {
        ListOffsetsRequest request = new ListOffsetsRequest()
                .setReplicaId(-1)
                .setTopics(List.of(new ListOffsetsRequest.ListOffsetsTopic()
                        .setName("orders")
                        .setPartitions(List.of(new ListOffsetsRequest.ListOffsetsPartition()
                                .setPartitionIndex(0)
                                .setTimestamp(-1)))));
        FakeCluster.Call<ListOffsetsResponse> call = cluster.node(broker).call(request, 7);
        return call.response().topics().get(0).partitions().get(0);
    }
}

package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users of many clients have reported of idempotent and transactional producers, on two replicas. */
class ReportedProducersTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final long PRODUCER = 9;
    private static final long DAY_MS = 24 * 3_600_000L;
    private static final long EXPIRATION_CHECK_MS = 600_000;

    @TempDir
    private Path folder;

    private FakeCluster cluster;
    private Uuid orders;
    private long timestampMs;

    @BeforeEach
    void startTwoBrokers() {
        cluster = new FakeCluster(folder, Map.of("node.id", "1"), 2);
        orders = cluster.createTopic("orders", 1, List.of(1, 2), Map.of("min.insync.replicas", "1"));
        cluster.time().runDue();
        timestampMs = cluster.time().wallTimeMs();
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    // librdkafka#2539
    @Test
    void theOffsetAfterTheLastRecordOfATransactionHoldsItsMarker() {
        for (int sequence = 0; sequence < 3; sequence++) {
            assertThat(error(produce(1, sequence, true))).isEqualTo(ErrorCode.NONE);
        }
        commit();

        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(4);
        List<RecordBatch> batches = readCommittedFrom(3);
        assertThat(batches).hasSize(1);
        assertThat(batches.get(0).baseOffset()).isEqualTo(3);
        assertThat(EndTransactionMarker.of(batches.get(0))).isEqualTo(new EndTransactionMarker(true, 5));
    }

    // redpanda#22670
    @Test
    void anIdempotentProducerGoesOnAfterItsStateHasExpired() {
        timestampMs = cluster.time().wallTimeMs() - 2 * DAY_MS;
        produce(1, 0, false);
        cluster.time().runFor(EXPIRATION_CHECK_MS);
        assertThat(cluster.node(1).hosted(ORDERS).log().activeProducers())
                .as("the record itself is kept")
                .isEmpty();

        assertThat(error(produce(1, 7, false))).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(2);
    }

    @Test
    void theExpirationOfTheMomentHolds() {
        timestampMs = cluster.time().wallTimeMs() - 1_000;
        produce(1, 0, false);
        cluster.time().runFor(EXPIRATION_CHECK_MS);
        assertThat(cluster.node(1).hosted(ORDERS).log().activeProducers()).hasSize(1);

        cluster.configure(ConfigResource.brokerDefault(), "producer.id.expiration.ms", "5000");
        cluster.time().runFor(EXPIRATION_CHECK_MS);

        assertThat(cluster.node(1).hosted(ORDERS).log().activeProducers()).isEmpty();
    }

    @Test
    void aDeletedRecordsProducerIsRememberedAllTheSame() {
        produce(1, 0, false);
        produce(1, 1, false);
        cluster.time().runFor(1_000);
        assertThat(cluster.node(1).hosted(ORDERS).deleteRecords(2).error()).isEqualTo(ErrorCode.NONE);

        assertThat(offset(produce(1, 1, false))).as("a repeat").isEqualTo(1);
        assertThat(error(produce(1, 3, false))).as("a gap").isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    @Test
    void theLastStableOffsetIsNeverBelowTheLogsStart() {
        produce(1, 0, true);
        produce(1, 1, true);
        cluster.time().runFor(1_000);
        assertThat(cluster.node(1).hosted(ORDERS).deleteRecords(1).error()).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.node(1).hosted(ORDERS).lastStableOffset()).isEqualTo(1);
        commit();
        assertThat(cluster.node(1).hosted(ORDERS).lastStableOffset()).isEqualTo(3);
    }

    // librdkafka#3584
    @Test
    void theNextLeaderKnowsWhatAProducerHasWritten() {
        for (int sequence = 0; sequence < 7; sequence++) {
            produce(1, sequence, false);
        }
        cluster.time().runFor(1_000);
        cluster.kill(1);
        cluster.elect(ORDERS, 2, List.of(2));
        cluster.time().runDue();

        assertThat(error(produce(2, 6, false))).as("a repeat").isEqualTo(ErrorCode.NONE);
        assertThat(offset(produce(2, 2, false)))
                .as("the oldest of the last five")
                .isEqualTo(2);
        assertThat(error(produce(2, 8, false))).as("a gap").isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(error(produce(2, 7, false))).as("the next one").isEqualTo(ErrorCode.NONE);
        assertThat(cluster.node(2).hosted(ORDERS).logEndOffset()).isEqualTo(8);
    }

    // librdkafka#3584
    @Test
    void aRestartedLeaderKnowsWhatAProducerHasWritten() throws IOException {
        for (int sequence = 0; sequence < 7; sequence++) {
            produce(1, sequence, false);
        }
        cluster.time().runFor(1_000);
        cluster.node(1).close();
        cluster.start(1);
        cluster.elect(ORDERS, 1, List.of(1, 2));
        cluster.time().runFor(1_000);

        assertThat(offset(produce(1, 2, false)))
                .as("the oldest of the last five")
                .isEqualTo(2);
        assertThat(error(produce(1, 7, false))).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(8);
    }

    // franz-go#1217
    @Test
    void aWriteThatTimedOutMayBeThereAllTheSame() {
        cluster.isolate(2, true);
        FakeCluster.Call<ProduceResponse> late = produceToAll(0);
        cluster.time().runFor(1_000);
        assertThat(error(late)).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(cluster.node(1).hosted(ORDERS).highWatermark()).isZero();

        cluster.isolate(2, false);
        cluster.time().runFor(5_000);

        assertThat(cluster.node(1).hosted(ORDERS).highWatermark())
                .as("nobody had told its producer so")
                .isEqualTo(1);
        assertThat(offset(produceToAll(0))).as("and its repeat finds it").isZero();
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(1);
    }

    // --- the verbs

    private FakeCluster.Call<ProduceResponse> produceToAll(int sequence) {
        ProduceRequest request = request(sequence, false).setAcks((short) -1).setTimeoutMs(900);
        FakeCluster.Call<ProduceResponse> call = cluster.node(1).call(request, 13);
        if (!cluster.isIsolated(2)) {
            cluster.time().runFor(1_000);
        }
        return call;
    }

    private FakeCluster.Call<ProduceResponse> produce(int broker, int sequence, boolean isTransactional) {
        return cluster.node(broker).call(request(sequence, isTransactional), 13);
    }

    private ProduceRequest request(int sequence, boolean isTransactional) {
        RecordBatchBuilder batch = new RecordBatchBuilder().producer(PRODUCER, (short) 0, sequence);
        if (isTransactional) {
            batch.transactional();
        }
        return new ProduceRequest()
                .setTransactionalId(isTransactional ? "tx" : null)
                .setAcks((short) 1)
                .setTimeoutMs(1_000)
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setTopicId(orders)
                        .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(new BufferRecords(batch.add(timestampMs, null, new byte[10])
                                        .build()))))));
    }

    private static ErrorCode error(FakeCluster.Call<ProduceResponse> call) {
        return ErrorCode.forCode(
                call.response().responses().get(0).partitionResponses().get(0).errorCode());
    }

    private static long offset(FakeCluster.Call<ProduceResponse> call) {
        assertThat(error(call)).isEqualTo(ErrorCode.NONE);
        return call.response().responses().get(0).partitionResponses().get(0).baseOffset();
    }

    private void commit() {
        cluster.node(1)
                .call(
                        new WriteTxnMarkersRequest()
                                .setMarkers(List.of(new WritableTxnMarker()
                                        .setProducerId(PRODUCER)
                                        .setProducerEpoch((short) 1)
                                        .setTransactionResult(true)
                                        .setCoordinatorEpoch(5)
                                        .setTransactionVersion((byte) 2)
                                        .setTopics(List.of(new WritableTxnMarkerTopic()
                                                .setName("orders")
                                                .setPartitionIndexes(List.of(0)))))),
                        2);
        cluster.time().runFor(1_000);
    }

    private List<RecordBatch> readCommittedFrom(long offset) {
        FetchRequest request = new FetchRequest()
                .setMaxWaitMs(0)
                .setMinBytes(1)
                .setMaxBytes(1_000_000)
                .setIsolationLevel((byte) 1)
                .setSessionEpoch(0)
                .setTopics(List.of(new FetchRequest.FetchTopic()
                        .setTopicId(orders)
                        .setPartitions(List.of(new FetchRequest.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(1_000_000)))));
        FakeCluster.Call<FetchResponse> call = cluster.node(1).call(request, 17);
        List<RecordBatch> batches = new ArrayList<>();
        try {
            RecordBatches.of(call.response()
                            .responses()
                            .get(0)
                            .partitions()
                            .get(0)
                            .records()
                            .toByteBuf())
                    .forEach(batches::add);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return batches;
    }
}

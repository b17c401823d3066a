package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeProducersRequest;
import io.tidemark.broker.protocol.message.DescribeProducersResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.verification.TransactionQuestion;
import io.tidemark.broker.verification.TransactionSupport;
import io.tidemark.broker.verification.TransactionVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactional records and markers on the leader of a partition of two replicas; the coordinators are played. */
class TransactionalProduceTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final long PRODUCER = 9;
    private static final int BEFORE_ABORTABLE = 10;
    private static final int WITH_ABORTABLE = 11;
    private static final int VERSION_2 = 12;

    @TempDir
    private Path folder;

    private final List<TransactionQuestion> questions = new ArrayList<>();
    private final List<Consumer<Map<TopicPartition, ErrorCode>>> unanswered = new ArrayList<>();
    private FakeCluster cluster;

    @BeforeEach
    void startTwoBrokers() {
        cluster = new FakeCluster(folder, Map.of("node.id", "1"), 2);
        cluster.createTopic("orders", 1, List.of(1, 2), Map.of("min.insync.replicas", "2"));
        cluster.time().runDue();
        coordinatorAnswers(ErrorCode.NONE);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private void coordinatorAnswers(ErrorCode error) {
        cluster.node(1).verifier((question, answer) -> {
            questions.add(question);
            answer.accept(TransactionVerifier.everywhere(question, error));
        });
    }

    private void coordinatorWaits() {
        cluster.node(1).verifier((question, answer) -> {
            questions.add(question);
            unanswered.add(answer);
        });
    }

    private void answer(int question, ErrorCode error) {
        unanswered.get(question).accept(TransactionVerifier.everywhere(questions.get(question), error));
        cluster.time().runDue();
    }

    @Test
    void theCoordinatorIsAskedBeforeTheFirstRecordsOfATransactionAndNotAgain() {
        assertThat(error(produce(VERSION_2, 0, 0))).isEqualTo(ErrorCode.NONE);
        assertThat(error(produce(VERSION_2, 0, 1))).isEqualTo(ErrorCode.NONE);

        assertThat(questions)
                .containsExactly(new TransactionQuestion(
                        "tx", PRODUCER, (short) 0, List.of(ORDERS), TransactionSupport.ADDS_PARTITIONS));
    }

    @Test
    void anOlderClientsPartitionIsOnlyLookedAt() {
        produce(BEFORE_ABORTABLE, 0, 0);
        produce(WITH_ABORTABLE, 1, 0);

        assertThat(questions)
                .extracting(TransactionQuestion::support)
                .containsExactly(TransactionSupport.WITHOUT_ABORTABLE, TransactionSupport.WITH_ABORTABLE);
    }

    @Test
    void nothingIsAppendedBeforeTheCoordinatorHasAnswered() {
        coordinatorWaits();
        FakeCluster.Call<ProduceResponse> produce = produce(VERSION_2, 0, 0);

        assertThat(produce.isAnswered()).isFalse();
        assertThat(endOffset()).isZero();

        answer(0, ErrorCode.NONE);

        assertThat(error(produce)).isEqualTo(ErrorCode.NONE);
        assertThat(endOffset()).isEqualTo(1);
    }

    @Test
    void whatTheCoordinatorRefusesIsNotAppended() {
        coordinatorAnswers(ErrorCode.TRANSACTION_ABORTABLE);
        assertThat(error(produce(WITH_ABORTABLE, 0, 0))).isEqualTo(ErrorCode.TRANSACTION_ABORTABLE);
        coordinatorAnswers(ErrorCode.INVALID_PRODUCER_EPOCH);
        assertThat(error(produce(VERSION_2, 0, 0))).isEqualTo(ErrorCode.INVALID_PRODUCER_EPOCH);
        coordinatorAnswers(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        assertThat(error(produce(VERSION_2, 0, 0))).isEqualTo(ErrorCode.INVALID_PRODUCER_ID_MAPPING);

        assertThat(endOffset()).isZero();
    }

    @Test
    void aCoordinatorThatCannotAnswerHasTheProducerSendAgain() {
        for (ErrorCode error : List.of(
                ErrorCode.NETWORK_EXCEPTION,
                ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                ErrorCode.COORDINATOR_NOT_AVAILABLE,
                ErrorCode.NOT_COORDINATOR)) {
            coordinatorAnswers(error);

            assertThat(error(produce(VERSION_2, 0, 0))).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
        }
        assertThat(endOffset()).isZero();
    }

    @Test
    void aTransactionThatIsStillBeingCompletedIsWaitedForAWhile() {
        coordinatorAnswers(ErrorCode.CONCURRENT_TRANSACTIONS);
        FakeCluster.Call<ProduceResponse> produce = produce(VERSION_2, 0, 0);
        cluster.time().runFor(60);
        assertThat(produce.isAnswered()).isFalse();

        coordinatorAnswers(ErrorCode.NONE);
        cluster.time().runFor(20);

        assertThat(error(produce)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aTransactionThatIsBeingCompletedForLongHasTheProducerSendAgain() {
        coordinatorAnswers(ErrorCode.CONCURRENT_TRANSACTIONS);
        FakeCluster.Call<ProduceResponse> produce = produce(VERSION_2, 0, 0);

        cluster.time().runFor(150);

        assertThat(error(produce)).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
    }

    /** The answer is older than the marker: another transaction may be open by now that this partition is not in. */
    @Test
    void anAnswerFromBeforeAMarkerIsWorthNothing() {
        coordinatorWaits();
        FakeCluster.Call<ProduceResponse> late = produce(WITH_ABORTABLE, 0, 0);
        mark(1, 0, false, 3);

        answer(0, ErrorCode.NONE);

        assertThat(error(late)).isEqualTo(ErrorCode.INVALID_TXN_STATE);
        assertThat(endOffset()).isEqualTo(1);
    }

    /** And a new look that is under way for a later transaction does not help it either. */
    @Test
    void anAnswerFromBeforeAMarkerDoesNotPassForALaterOne() {
        coordinatorWaits();
        FakeCluster.Call<ProduceResponse> late = produce(WITH_ABORTABLE, 0, 0);
        mark(1, 0, false, 3);
        FakeCluster.Call<ProduceResponse> next = produce(WITH_ABORTABLE, 0, 0);

        answer(0, ErrorCode.NONE);
        assertThat(error(late)).isEqualTo(ErrorCode.INVALID_TXN_STATE);
        answer(1, ErrorCode.NONE);
        assertThat(error(next)).isEqualTo(ErrorCode.NONE);
    }

    /** KAFKA-19690: a producer that stalled while its transaction was aborted is told of its epoch. */
    @Test
    void aStalledProducerHearsOfItsEpochAndNotOfItsTransaction() {
        produce(VERSION_2, 0, 0);
        mark(2, 1, false, 3);
        coordinatorAnswers(ErrorCode.INVALID_TXN_STATE);

        assertThat(error(produce(VERSION_2, 0, 1))).isEqualTo(ErrorCode.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void theSameWhereTheAbortCameWhileTheCoordinatorWasAsked() {
        coordinatorWaits();
        FakeCluster.Call<ProduceResponse> stalled = produce(VERSION_2, 0, 0);
        mark(2, 1, false, 3);

        answer(0, ErrorCode.NONE);

        assertThat(error(stalled)).isEqualTo(ErrorCode.INVALID_PRODUCER_EPOCH);
    }

    @Test
    void aProducerThatIsNotKnownStartsAtZeroOnVersion2() {
        assertThat(error(produce(VERSION_2, 0, 7))).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(error(produce(VERSION_2, 0, 0))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aProducerThatIsNotKnownStartsAnywhereOnVersion1() {
        assertThat(error(produce(WITH_ABORTABLE, 0, 7))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void theLowestSequenceThatWaitsComesFirst() {
        coordinatorWaits();
        FakeCluster.Call<ProduceResponse> second = produce(WITH_ABORTABLE, 0, 8);
        FakeCluster.Call<ProduceResponse> first = produce(WITH_ABORTABLE, 0, 7);

        answer(0, ErrorCode.NONE);
        assertThat(error(second)).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        answer(1, ErrorCode.NONE);
        assertThat(error(first)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aTransactionalBatchWithoutATransactionalIdIsRefused() {
        ProduceRequest request = request(VERSION_2, batch(0, 0, true)).setTransactionalId(null);

        assertThat(error(cluster.node(1).call(request, VERSION_2)))
                .isEqualTo(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
    }

    @Test
    void recordsOutsideOfTheTransactionThatIsOpenAreRefused() {
        produce(VERSION_2, 0, 0);
        ProduceRequest request = request(VERSION_2, batch(0, 1, false)).setTransactionalId(null);

        assertThat(error(cluster.node(1).call(request, VERSION_2))).isEqualTo(ErrorCode.INVALID_TXN_STATE);
    }

    // --- markers

    @Test
    void theLastStableOffsetMovesOnlyWhenTheMarkerIsReplicated() {
        produce(VERSION_2, 0, 0);
        cluster.time().runFor(1_000);
        assertThat(cluster.node(1).hosted(ORDERS).lastStableOffset()).isZero();
        cluster.isolate(2, true);

        FakeCluster.Call<WriteTxnMarkersResponse> marker = mark(2, 1, true, 3);
        assertThat(marker.isAnswered()).isFalse();
        assertThat(endOffset()).isEqualTo(2);
        assertThat(cluster.node(1).hosted(ORDERS).lastStableOffset()).isZero();

        cluster.isolate(2, false);
        cluster.time().runFor(1_000);
        assertThat(markerError(marker)).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.node(1).hosted(ORDERS).lastStableOffset()).isEqualTo(2);
    }

    @Test
    void aCoordinatorThatWasReplacedIsFenced() {
        produce(VERSION_2, 0, 0);
        assertThat(markerError(mark(1, 0, true, 3))).isEqualTo(ErrorCode.NONE);

        assertThat(markerError(mark(1, 0, false, 2))).isEqualTo(ErrorCode.TRANSACTION_COORDINATOR_FENCED);
        assertThat(endOffset()).isEqualTo(2);
    }

    @Test
    void aMarkerOfVersion1HasTheEpochOfTheTransactionOrALaterOne() {
        produce(WITH_ABORTABLE, 4, 0);

        assertThat(markerError(mark(1, 3, false, 3))).isEqualTo(ErrorCode.INVALID_PRODUCER_EPOCH);
        assertThat(markerError(mark(1, 4, false, 3))).isEqualTo(ErrorCode.NONE);
        assertThat(markerError(mark(1, 6, false, 3))).isEqualTo(ErrorCode.NONE);
    }

    /** KIP-1228: a late marker would end the transaction after the one that it was meant for. */
    @Test
    void aMarkerOfVersion2HasALaterEpochThanTheTransaction() {
        produce(VERSION_2, 4, 0);

        assertThat(markerError(mark(2, 4, true, 3))).isEqualTo(ErrorCode.INVALID_PRODUCER_EPOCH);
        assertThat(endOffset()).isEqualTo(1);
        assertThat(markerError(mark(2, 5, true, 3))).isEqualTo(ErrorCode.NONE);
        produce(VERSION_2, 5, 0);
        assertThat(markerError(mark(2, 5, true, 3))).isEqualTo(ErrorCode.INVALID_PRODUCER_EPOCH);
    }

    /** KAFKA-19999: its outcome was lost on the way to the coordinator. */
    @Test
    void aMarkerOfVersion2ThatIsSentAgainIsTaken() {
        produce(VERSION_2, 4, 0);
        mark(2, 5, true, 3);

        assertThat(markerError(mark(2, 5, true, 3))).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aMarkerOfVersion2AtTheLastEpochIsTaken() {
        produce(VERSION_2, Short.MAX_VALUE, 0);

        assertThat(markerError(mark(2, Short.MAX_VALUE, false, 3))).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.node(1).hosted(ORDERS).log().lastStableOffset(2)).isEqualTo(2);
    }

    @Test
    void aMarkerForAPartitionThatIsLedElsewhereOrNotThereIsRefused() {
        cluster.elect(ORDERS, 2, List.of(1, 2));
        cluster.time().runDue();

        assertThat(markerError(mark(2, 1, true, 3))).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(markerError(mark(1, "nothing", 2, 1, true, 3))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void tooFewReplicasRefuseAMarker() {
        produce(VERSION_2, 0, 0);
        cluster.kill(2);
        cluster.fence(2, true);
        cluster.elect(ORDERS, 1, List.of(1));
        cluster.time().runDue();

        assertThat(markerError(mark(2, 1, true, 3))).isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
        assertThat(endOffset()).isEqualTo(1);
    }

    // --- what survives

    @Test
    void aFollowerDescribesTheProducersOfItsOwnLog() {
        produce(VERSION_2, 0, 0);
        cluster.time().runFor(1_000);

        assertThat(producer(2)).isEqualTo(producer(1));
        assertThat(producer(2).currentTxnStartOffset()).isZero();
    }

    @Test
    void anOpenTransactionSurvivesTheDeathOfItsLeader() {
        produce(VERSION_2, 0, 0);
        cluster.time().runFor(1_000);
        cluster.kill(1);
        cluster.elect(ORDERS, 2, List.of(2));
        cluster.time().runDue();

        DescribeProducersResponse.ProducerState producer = producer(2);

        assertThat(producer.currentTxnStartOffset()).isZero();
        assertThat(producer.lastSequence()).isZero();
        assertThat(cluster.node(2).hosted(ORDERS).lastStableOffset()).isZero();
    }

    @Test
    void anOpenTransactionSurvivesARestart() throws IOException {
        produce(VERSION_2, 0, 0);
        cluster.time().runFor(1_000);
        cluster.node(1).close();
        cluster.start(1);
        cluster.elect(ORDERS, 1, List.of(1, 2));
        cluster.time().runFor(1_000);

        assertThat(producer(1).currentTxnStartOffset()).isZero();
        assertThat(cluster.node(1).hosted(ORDERS).lastStableOffset()).isZero();
        assertThat(error(produce(VERSION_2, 0, 1))).isEqualTo(ErrorCode.NONE);
        assertThat(questions).hasSize(1);
    }

    @Test
    void describeProducersTellsOfTheCoordinatorAndOfTheTransaction() {
        produce(VERSION_2, 0, 0);
        cluster.time().runDue();
        assertThat(producer(1).currentTxnStartOffset()).isZero();
        assertThat(producer(1).coordinatorEpoch()).isEqualTo(-1);

        mark(2, 1, false, 3);

        assertThat(producer(1).currentTxnStartOffset()).isEqualTo(-1);
        assertThat(producer(1).coordinatorEpoch()).isEqualTo(3);
        assertThat(producer(1).producerEpoch()).isEqualTo(1);
        assertThat(producer(1).lastSequence()).isEqualTo(-1);
    }

    // --- the verbs

    private long endOffset() {
        return cluster.node(1).hosted(ORDERS).logEndOffset();
    }

    private FakeCluster.Call<ProduceResponse> produce(int version, int epoch, int sequence) {
        return cluster.node(1).call(request(version, batch(epoch, sequence, true)), version);
    }

    private RecordBatchBuilder batch(int epoch, int sequence, boolean isTransactional) {
        RecordBatchBuilder builder = new RecordBatchBuilder().producer(PRODUCER, (short) epoch, sequence);
        if (isTransactional) {
            builder.transactional();
        }
        return builder.add(cluster.time().wallTimeMs(), null, new byte[10]);
    }

    private static ProduceRequest request(int version, RecordBatchBuilder batch) {
        return new ProduceRequest()
                .setTransactionalId("tx")
                .setAcks((short) 1)
                .setTimeoutMs(1_000)
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setName("orders")
                        .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(new BufferRecords(batch.build()))))));
    }

    private static ErrorCode error(FakeCluster.Call<ProduceResponse> call) {
        return ErrorCode.forCode(
                call.response().responses().get(0).partitionResponses().get(0).errorCode());
    }

    private FakeCluster.Call<WriteTxnMarkersResponse> mark(
            int version, int producerEpoch, boolean commit, int coordinatorEpoch) {
        FakeCluster.Call<WriteTxnMarkersResponse> call =
                mark(1, "orders", version, producerEpoch, commit, coordinatorEpoch);
        cluster.time().runFor(cluster.isIsolated(2) ? 0 : 1_000);
        return call;
    }

    private FakeCluster.Call<WriteTxnMarkersResponse> mark(
            int broker, String topic, int version, int producerEpoch, boolean commit, int coordinatorEpoch) {
        WriteTxnMarkersRequest request = new WriteTxnMarkersRequest()
                .setMarkers(List.of(new WriteTxnMarkersRequest.WritableTxnMarker()
                        .setProducerId(PRODUCER)
                        .setProducerEpoch((short) producerEpoch)
                        .setTransactionResult(commit)
                        .setCoordinatorEpoch(coordinatorEpoch)
                        .setTransactionVersion((byte) version)
                        .setTopics(List.of(new WriteTxnMarkersRequest.WritableTxnMarkerTopic()
                                .setName(topic)
                                .setPartitionIndexes(List.of(0))))));
        return cluster.node(broker).call(request, 2);
    }

    private static ErrorCode markerError(FakeCluster.Call<WriteTxnMarkersResponse> call) {
        return ErrorCode.forCode(call.response()
                .markers()
                .get(0)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode());
    }

    private DescribeProducersResponse.ProducerState producer(int broker) {
        DescribeProducersRequest request = new DescribeProducersRequest()
                .setTopics(List.of(new DescribeProducersRequest.TopicRequest()
                        .setName("orders")
                        .setPartitionIndexes(List.of(0))));
        FakeCluster.Call<DescribeProducersResponse> call = cluster.node(broker).call(request, 0);
        return call.response()
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .activeProducers()
                .get(0);
    }
}

package io.tidemark.broker.transaction.markers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RemoveTopicRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.transaction.TransactionEffect.SendMarkers;
import io.tidemark.broker.transaction.TransactionVersion;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MarkerSenderTest {
    private static final Uuid ORDERS = new Uuid(1, 1);
    private static final TopicPartition FIRST = new TopicPartition("orders", 0);
    private static final TopicPartition SECOND = new TopicPartition("orders", 1);

    private final VirtualTime time = new VirtualTime();
    private final List<Sent> sent = new ArrayList<>();
    private final List<SendMarkers> written = new ArrayList<>();
    private MetadataImage image = MetadataImage.EMPTY;
    private final MarkerSender sender = new MarkerSender(
            (host, port, purpose) -> new RecordedPeer(port),
            time.newLoop(),
            "PLAINTEXT",
            () -> image,
            (partition, markers) -> written.add(markers));

    private record Sent(int brokerId, WriteTxnMarkersRequest request, Peer.Reply reply) {}

    private final class RecordedPeer implements Peer {
        private final int brokerId;

        RecordedPeer(int brokerId) {
            this.brokerId = brokerId;
        }

        @Override
        public void send(ApiMessage request, long timeoutMs, Reply reply) {
            sent.add(new Sent(brokerId, (WriteTxnMarkersRequest) request, reply));
        }

        @Override
        public void send(ApiMessage request, short version, long timeoutMs, Reply reply) {
            send(request, timeoutMs, reply);
        }

        @Override
        public void close() {}
    }

    MarkerSenderTest() {
        for (int id = 1; id <= 2; id++) {
            RegisterBrokerRecord broker = new RegisterBrokerRecord()
                    .setBrokerId(id)
                    .setBrokerEpoch(id)
                    .setFenced(false);
            broker.endPoints()
                    .add(new RegisterBrokerRecord.BrokerEndpoint()
                            .setName("PLAINTEXT")
                            .setHost("broker")
                            .setPort(id));
            learn(broker);
        }
        learn(new TopicRecord().setName("orders").setTopicId(ORDERS));
        learn(partition(0, 1));
        learn(partition(1, 2));
    }

    private static PartitionRecord partition(int number, int leader) {
        return new PartitionRecord()
                .setTopicId(ORDERS)
                .setPartitionId(number)
                .setReplicas(List.of(1, 2))
                .setIsr(List.of(1, 2))
                .setDirectories(List.of(new Uuid(7, 7), new Uuid(7, 8)))
                .setLeader(leader);
    }

    private void learn(ApiMessage record) {
        MetadataDelta delta = new MetadataDelta(image);
        delta.replay(image.lastOffset() + 1, 1, record);
        image = delta.apply();
        sender.onMetadataUpdate(delta, image);
    }

    private void lead(int partition, int leader) {
        learn(new PartitionChangeRecord()
                .setTopicId(ORDERS)
                .setPartitionId(partition)
                .setLeader(leader));
    }

    private static SendMarkers markers(String id, TopicPartition... partitions) {
        return new SendMarkers(
                id, id.hashCode(), (short) 3, true, new TreeSet<>(List.of(partitions)), TransactionVersion.V2);
    }

    private void answer(Sent request, ErrorCode error) {
        WriteTxnMarkersResponse response = new WriteTxnMarkersResponse();
        for (WriteTxnMarkersRequest.WritableTxnMarker marker : request.request().markers()) {
            var result = new WriteTxnMarkersResponse.WritableTxnMarkerResult().setProducerId(marker.producerId());
            for (WriteTxnMarkersRequest.WritableTxnMarkerTopic topic : marker.topics()) {
                var ofTopic = new WriteTxnMarkersResponse.WritableTxnMarkerTopicResult().setName(topic.name());
                topic.partitionIndexes().forEach(index -> ofTopic.partitions()
                        .add(new WriteTxnMarkersResponse.WritableTxnMarkerPartitionResult()
                                .setPartitionIndex(index)
                                .setErrorCode(error.code())));
                result.topics().add(ofTopic);
            }
            response.markers().add(result);
        }
        request.reply().onResponse(response);
        time.runDue();
    }

    private Sent take() {
        time.runDue();
        return sent.remove(0);
    }

    @Test
    void transactionIsWrittenWhenEveryPartitionHasIt() {
        SendMarkers markers = markers("payments", FIRST, SECOND);
        sender.add(4, 9, markers);
        Sent toFirst = take();
        Sent toSecond = take();
        assertThat(toFirst.brokerId()).isEqualTo(1);
        assertThat(toSecond.brokerId()).isEqualTo(2);
        WriteTxnMarkersRequest.WritableTxnMarker marker =
                toFirst.request().markers().get(0);
        assertThat(marker.coordinatorEpoch()).isEqualTo(9);
        assertThat(marker.producerEpoch()).isEqualTo((short) 3);
        assertThat(marker.transactionVersion()).isEqualTo((byte) 2);
        assertThat(marker.transactionResult()).isTrue();

        answer(toFirst, ErrorCode.NONE);
        assertThat(written).isEmpty();
        answer(toSecond, ErrorCode.NONE);

        assertThat(written).containsExactly(markers);
        assertThat(sender.endingCount()).isZero();
    }

    @Test
    void transactionsForOneLeaderShareARequestAndTheNextOnesWaitForItsAnswer() {
        sender.add(4, 9, markers("one", FIRST));
        sender.add(4, 9, markers("two", FIRST));
        Sent first = take();
        assertThat(first.request().markers()).hasSize(2);
        sender.add(4, 9, markers("three", FIRST));
        time.runDue();
        assertThat(sent).isEmpty();

        answer(first, ErrorCode.NONE);

        assertThat(written).hasSize(2);
        answer(take(), ErrorCode.NONE);
        assertThat(written).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {
                "NOT_LEADER_OR_FOLLOWER",
                "UNKNOWN_TOPIC_OR_PARTITION",
                "NOT_ENOUGH_REPLICAS",
                "NOT_ENOUGH_REPLICAS_AFTER_APPEND",
                "REQUEST_TIMED_OUT",
                "KAFKA_STORAGE_ERROR",
                "COORDINATOR_LOAD_IN_PROGRESS",
                "NOT_COORDINATOR",
                "UNKNOWN_SERVER_ERROR"
            })
    void markerIsSentAgainForEver(ErrorCode error) {
        sender.add(4, 9, markers("payments", FIRST));
        for (int attempt = 0; attempt < 100; attempt++) {
            answer(take(), error);
            assertThat(sent).as("not at once").isEmpty();
            time.runFor(500);
        }

        assertThat(written).isEmpty();
        answer(take(), ErrorCode.NONE);
        assertThat(written).hasSize(1);
    }

    @Test
    void markerIsSentAgainWhereTheLinkIsLost() {
        sender.add(4, 9, markers("payments", FIRST));
        take().reply().onFailure(new IOException("as the test wished"));
        time.runFor(500);

        answer(take(), ErrorCode.NONE);

        assertThat(written).hasSize(1);
    }

    @Test
    void markerFollowsTheLeader() {
        sender.add(4, 9, markers("payments", FIRST));
        Sent toOld = take();
        lead(0, 2);
        answer(toOld, ErrorCode.NOT_LEADER_OR_FOLLOWER);

        Sent toNew = take();
        assertThat(toNew.brokerId()).isEqualTo(2);
        answer(toNew, ErrorCode.NONE);
        assertThat(written).hasSize(1);
    }

    @Test
    void markerWaitsForALeader() {
        lead(0, -1);
        sender.add(4, 9, markers("payments", FIRST));
        time.runFor(60_000);
        assertThat(sent).isEmpty();
        assertThat(written).isEmpty();

        lead(0, 2);

        answer(take(), ErrorCode.NONE);
        assertThat(written).hasSize(1);
    }

    @Test
    void deletedPartitionNeedsNoMarker() {
        sender.add(4, 9, markers("payments", FIRST));
        Sent request = take();
        learn(new RemoveTopicRecord().setTopicId(ORDERS));
        answer(request, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);

        assertThat(written).hasSize(1);
    }

    @Test
    void transactionWithoutPartitionsIsWrittenAsItIs() {
        sender.add(4, 9, markers("payments"));
        assertThat(written).as("never within the call").isEmpty();

        time.runDue();

        assertThat(written).hasSize(1);
        assertThat(sent).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"TRANSACTION_COORDINATOR_FENCED", "INVALID_PRODUCER_EPOCH"})
    void fencedCoordinatorLetsGoAndCompletesNothing(ErrorCode error) {
        sender.add(4, 9, markers("payments", FIRST, SECOND));
        Sent toFirst = take();
        Sent toSecond = take();
        answer(toFirst, error);
        answer(toSecond, ErrorCode.NONE);
        time.runFor(60_000);

        assertThat(written).isEmpty();
        assertThat(sent).isEmpty();
        assertThat(sender.endingCount()).isZero();
    }

    @Test
    void coordinatorThatIsReplacedLetsGoOfItsTransactionsOnly() {
        sender.add(4, 9, markers("ours-no-more", FIRST));
        sender.add(5, 2, markers("still-ours", FIRST));
        Sent request = take();

        sender.drop(4);
        answer(request, ErrorCode.NOT_LEADER_OR_FOLLOWER);
        time.runFor(500);

        Sent again = take();
        assertThat(again.request().markers()).hasSize(1);
        answer(again, ErrorCode.NONE);
        assertThat(written).extracting(SendMarkers::transactionalId).containsExactly("still-ours");
    }

    @Test
    void answerThatLeavesAPartitionOutIsNoAnswerForIt() {
        sender.add(4, 9, markers("payments", FIRST));
        take().reply().onResponse(new WriteTxnMarkersResponse());
        time.runFor(500);

        answer(take(), ErrorCode.NONE);

        assertThat(written).hasSize(1);
    }
}

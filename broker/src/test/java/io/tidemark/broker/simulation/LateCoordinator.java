package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends markers once more that are written: as of the coordinator before, which has been replaced, and on version 2 of
 * transactions also as they were, as a network may that was slow. The first is refused; the second does no harm.
 */
final class LateCoordinator extends Client {
    private final TransactionOracle judge;
    private final String topic;
    private final boolean isVersionTwo;
    private final int version;
    private boolean isEnding;

    LateCoordinator(
            World world,
            Oracle oracle,
            TransactionOracle judge,
            Machine machine,
            int brokers,
            TransactionOptions options,
            String topic) {
        super(world, oracle, machine, brokers);
        this.judge = judge;
        this.topic = topic;
        this.isVersionTwo = options.hasImplicitPartitions();
        this.version = options.version;
    }

    /**
     * A marker that is committed.
     *
     * @param coordinatorEpoch the one of its coordinator
     */
    record Marker(
            TopicPartition partition, long producerId, short producerEpoch, boolean isCommit, int coordinatorEpoch) {}

    @Override
    void start() {
        loop.execute(() -> {
            refresh();
            later(500, this::next);
        });
    }

    void end() {
        isEnding = true;
    }

    private void next() {
        if (isEnding) {
            return;
        }
        Marker marker = judge.lastMarker(new TopicPartition(topic, random.nextInt(3)));
        Topic known = topic(topic);
        int leader = marker == null || known == null
                ? -1
                : known.leader(marker.partition().partition());
        if (marker == null || leader < 0) {
            refresh();
            later(100, this::next);
            return;
        }
        boolean isReplaced = !isVersionTwo || random.nextBoolean();
        // What comes next from the producer may be on its way.
        later(random.nextLong(1, 30), () -> send(marker, leader, isReplaced));
    }

    private void send(Marker marker, int leader, boolean isReplaced) {
        WriteTxnMarkersRequest request = new WriteTxnMarkersRequest();
        request.markers()
                .add(new WriteTxnMarkersRequest.WritableTxnMarker()
                        .setProducerId(marker.producerId())
                        .setProducerEpoch(marker.producerEpoch())
                        .setTransactionResult(marker.isCommit())
                        .setCoordinatorEpoch(marker.coordinatorEpoch() - (isReplaced ? 1 : 0))
                        .setTransactionVersion((byte) version)
                        .setTopics(new ArrayList<>(List.of(new WriteTxnMarkersRequest.WritableTxnMarkerTopic()
                                .setName(topic)
                                .setPartitionIndexes(new ArrayList<>(
                                        List.of(marker.partition().partition())))))));
        Runnable then = () -> later(random.nextLong(20, 600), this::next);
        send(
                leader,
                request,
                -1,
                response -> {
                    if (isReplaced && error((WriteTxnMarkersResponse) response) == ErrorCode.NONE) {
                        judge.onUnexpected(
                                machine.id(), "[INV-45] " + marker + " is taken as of the coordinator before");
                    }
                    then.run();
                },
                () -> {
                    refresh();
                    then.run();
                });
    }

    private static ErrorCode error(WriteTxnMarkersResponse response) {
        return ErrorCode.forCode(
                response.markers().get(0).topics().get(0).partitions().get(0).errorCode());
    }
}

package io.tidemark.broker.transaction.markers;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import io.tidemark.broker.transaction.TransactionEffect.SendMarkers;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Markers as a request, and what the response says of each. */
final class MarkerRequests {
    private MarkerRequests() {}

    static WriteTxnMarkersRequest request(List<Marker> markers) {
        Map<EndingTransaction, Map<String, WritableTxnMarkerTopic>> transactions = new LinkedHashMap<>();
        for (Marker marker : markers) {
            transactions
                    .computeIfAbsent(marker.transaction(), transaction -> new TreeMap<>())
                    .computeIfAbsent(marker.partition().topic(), topic -> new WritableTxnMarkerTopic().setName(topic))
                    .partitionIndexes()
                    .add(marker.partition().partition());
        }
        WriteTxnMarkersRequest request = new WriteTxnMarkersRequest();
        transactions.forEach((transaction, topics) -> {
            SendMarkers end = transaction.markers();
            request.markers()
                    .add(new WritableTxnMarker()
                            .setProducerId(end.producerId())
                            .setProducerEpoch(end.producerEpoch())
                            .setTransactionResult(end.isCommit())
                            .setCoordinatorEpoch(transaction.coordinatorEpoch())
                            .setTransactionVersion((byte) end.version().level())
                            .setTopics(new ArrayList<>(topics.values())));
        });
        return request;
    }

    /** A producer id is in a request once at most. */
    static ErrorCode outcome(Marker marker, Map<Long, Map<TopicPartition, ErrorCode>> outcomes) {
        return outcomes.getOrDefault(marker.transaction().markers().producerId(), Map.of())
                .getOrDefault(marker.partition(), ErrorCode.REQUEST_TIMED_OUT);
    }

    /** By producer id. */
    static Map<Long, Map<TopicPartition, ErrorCode>> outcomes(WriteTxnMarkersResponse response) {
        Map<Long, Map<TopicPartition, ErrorCode>> outcomes = new TreeMap<>();
        for (WriteTxnMarkersResponse.WritableTxnMarkerResult marker : response.markers()) {
            Map<TopicPartition, ErrorCode> ofProducer =
                    outcomes.computeIfAbsent(marker.producerId(), id -> new TreeMap<>());
            for (WriteTxnMarkersResponse.WritableTxnMarkerTopicResult topic : marker.topics()) {
                for (WriteTxnMarkersResponse.WritableTxnMarkerPartitionResult partition : topic.partitions()) {
                    ofProducer.put(
                            new TopicPartition(topic.name(), partition.partitionIndex()),
                            ErrorCode.forCode(partition.errorCode()));
                }
            }
        }
        return outcomes;
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerPartitionResult;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerResult;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerTopicResult;
import io.tidemark.broker.record.TransactionMarker;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * WriteTxnMarkers: a transaction coordinator, or an operator who ends a hanging transaction, has markers written to
 * partitions that this broker leads. Each partition has its own outcome, told when every in-sync replica has the marker.
 * A marker that names no producer or no epoch is not written, and the request fails as a whole, as Kafka has it: what
 * comes before that marker is written all the same.
 */
public final class WriteTxnMarkersHandler implements ApiHandler<WriteTxnMarkersRequest> {
    private final HostedPartitions partitions;
    private final GroupMarkers groups;
    private final Clock clock;
    private final long timeoutMs;

    /**
     * @param groups takes the markers of the topic of offsets
     * @param timeoutMs {@code request.timeout.ms}: how long the in-sync replicas may take
     */
    public WriteTxnMarkersHandler(HostedPartitions partitions, GroupMarkers groups, Clock clock, long timeoutMs) {
        this.partitions = partitions;
        this.groups = groups;
        this.clock = clock;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.WRITE_TXN_MARKERS;
    }

    @Override
    public void handle(RequestContext context, WriteTxnMarkersRequest request) {
        WriteTxnMarkersResponse response = errorResponse(request, context.apiVersion(), ErrorCode.NONE);
        List<Part> parts = parts(request, response);
        Gather<ErrorCode> outcomes = new Gather<>(parts.size(), errors -> {
            for (int i = 0; i < errors.size(); i++) {
                parts.get(i).answer.setErrorCode(errors.get(i).code());
            }
            context.respond(response);
        });
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (!part.marker.isWhole() && partitions.partition(part.name) != null) {
                context.respond(errorResponse(request, context.apiVersion(), ErrorCode.UNKNOWN_SERVER_ERROR));
                return;
            }
            int place = i;
            write(part, error -> outcomes.put(place, error));
        }
    }

    private void write(Part part, Consumer<ErrorCode> done) {
        if (part.name.topic().equals(GroupAccess.OFFSETS_TOPIC)) {
            groups.complete(part.name.partition(), part.marker, timeoutMs, done);
        } else {
            MarkerWrite.start(partitions, part.name, part.marker, clock.wallTimeMs(), timeoutMs, done);
        }
    }

    /** Pairs what is asked with the places of its answers, which are there in the same order. */
    private static List<Part> parts(WriteTxnMarkersRequest request, WriteTxnMarkersResponse response) {
        List<Part> parts = new ArrayList<>();
        for (int m = 0; m < request.markers().size(); m++) {
            WritableTxnMarker asked = request.markers().get(m);
            TransactionMarker marker = new TransactionMarker(
                    asked.producerId(),
                    asked.producerEpoch(),
                    asked.transactionResult(),
                    asked.coordinatorEpoch(),
                    asked.transactionVersion());
            for (WritableTxnMarkerTopicResult topic : response.markers().get(m).topics()) {
                for (WritableTxnMarkerPartitionResult answer : topic.partitions()) {
                    parts.add(new Part(new TopicPartition(topic.name(), answer.partitionIndex()), marker, answer));
                }
            }
        }
        return parts;
    }

    @Override
    public WriteTxnMarkersResponse errorResponse(WriteTxnMarkersRequest request, short version, ErrorCode error) {
        WriteTxnMarkersResponse response = new WriteTxnMarkersResponse();
        for (WritableTxnMarker marker : request.markers()) {
            WritableTxnMarkerResult result = new WritableTxnMarkerResult().setProducerId(marker.producerId());
            for (WritableTxnMarkerTopic topic : marker.topics()) {
                WritableTxnMarkerTopicResult answers = new WritableTxnMarkerTopicResult().setName(topic.name());
                for (int partition : topic.partitionIndexes()) {
                    answers.partitions()
                            .add(new WritableTxnMarkerPartitionResult()
                                    .setPartitionIndex(partition)
                                    .setErrorCode(error.code()));
                }
                result.topics().add(answers);
            }
            response.markers().add(result);
        }
        return response;
    }

    private record Part(TopicPartition name, TransactionMarker marker, WritableTxnMarkerPartitionResult answer) {}
}

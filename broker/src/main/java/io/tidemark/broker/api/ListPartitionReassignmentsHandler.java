package io.tidemark.broker.api;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse.OngoingPartitionReassignment;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse.OngoingTopicReassignment;
import io.tidemark.broker.quorum.MetadataSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ListPartitionReassignments, out of this broker's own metadata. */
public final class ListPartitionReassignmentsHandler implements ApiHandler<ListPartitionReassignmentsRequest> {
    private final MetadataSource metadata;

    public ListPartitionReassignmentsHandler(MetadataSource metadata) {
        this.metadata = metadata;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.LIST_PARTITION_REASSIGNMENTS;
    }

    @Override
    public void handle(RequestContext context, ListPartitionReassignmentsRequest request) {
        ListPartitionReassignmentsResponse response = new ListPartitionReassignmentsResponse();
        List<ListPartitionReassignmentsTopics> asked = request.topics();
        if (asked == null) {
            metadata.image().topics().byName().values().forEach(topic -> add(topic, null, response));
        } else {
            for (ListPartitionReassignmentsTopics topic : asked) {
                TopicImage found = metadata.image().topics().topic(topic.name());
                if (found != null) {
                    add(found, topic.partitionIndexes(), response);
                }
            }
        }
        context.respond(response);
    }

    private static void add(
            TopicImage topic, @Nullable List<Integer> wanted, ListPartitionReassignmentsResponse response) {
        OngoingTopicReassignment ongoing = new OngoingTopicReassignment().setName(topic.name());
        topic.partitions().forEach((number, partition) -> {
            if (isMoving(partition) && (wanted == null || wanted.contains(number))) {
                ongoing.partitions()
                        .add(new OngoingPartitionReassignment()
                                .setPartitionIndex(number)
                                .setReplicas(partition.replicas())
                                .setAddingReplicas(partition.addingReplicas())
                                .setRemovingReplicas(partition.removingReplicas()));
            }
        });
        if (!ongoing.partitions().isEmpty()) {
            response.topics().add(ongoing);
        }
    }

    private static boolean isMoving(PartitionRegistration partition) {
        return !partition.addingReplicas().isEmpty()
                || !partition.removingReplicas().isEmpty();
    }

    @Override
    public ListPartitionReassignmentsResponse errorResponse(
            ListPartitionReassignmentsRequest request, short version, ErrorCode error) {
        return new ListPartitionReassignmentsResponse().setErrorCode(error.code());
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse.OffsetDeleteResponsePartition;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse.OffsetDeleteResponseTopic;
import io.tidemark.broker.types.TopicPartition;
import java.util.HashMap;
import java.util.Map;

/** OffsetDelete: single offsets of a group go, in topics that it does not read (KIP-496). */
public final class OffsetDeleteHandler implements ApiHandler<OffsetDeleteRequest> {
    private final GroupAccess groups;

    public OffsetDeleteHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.OFFSET_DELETE;
    }

    @Override
    public void handle(RequestContext context, OffsetDeleteRequest request) {
        short version = context.apiVersion();
        if (request.groupId().isEmpty()) {
            context.respond(errorResponse(request, version, ErrorCode.INVALID_GROUP_ID));
            return;
        }
        OffsetDeleteRequest known = new OffsetDeleteRequest().setGroupId(request.groupId());
        for (OffsetDeleteRequestTopic topic : request.topics()) {
            keepKnown(topic, known);
        }
        groups.runtime()
                .write(
                        groups.partitionOf(request.groupId()),
                        groups.commitTimeoutMs(),
                        (shard, nowMs) -> shard.deleteOffsets(known, nowMs),
                        new Respond<OffsetDeleteResponse>(
                                outcome -> context.respond(merge(request, outcome)),
                                error -> context.respond(errorResponse(request, version, error))));
    }

    private void keepKnown(OffsetDeleteRequestTopic topic, OffsetDeleteRequest known) {
        TopicImage image = groups.image().topics().topic(topic.name());
        OffsetDeleteRequestTopic kept = new OffsetDeleteRequestTopic().setName(topic.name());
        for (OffsetDeleteRequestPartition partition : topic.partitions()) {
            if (image != null && image.partition(partition.partitionIndex()) != null) {
                kept.partitions().add(partition);
            }
        }
        if (!kept.partitions().isEmpty()) {
            known.topics().add(kept);
        }
    }

    private static OffsetDeleteResponse merge(OffsetDeleteRequest request, OffsetDeleteResponse outcome) {
        OffsetDeleteResponse response = new OffsetDeleteResponse().setErrorCode(outcome.errorCode());
        if (outcome.errorCode() != ErrorCode.NONE.code()) {
            return response;
        }
        Map<TopicPartition, Short> errors = new HashMap<>();
        for (OffsetDeleteResponseTopic topic : outcome.topics()) {
            topic.partitions()
                    .forEach(partition -> errors.put(
                            new TopicPartition(topic.name(), partition.partitionIndex()), partition.errorCode()));
        }
        for (OffsetDeleteRequestTopic topic : request.topics()) {
            OffsetDeleteResponseTopic answers = new OffsetDeleteResponseTopic().setName(topic.name());
            for (OffsetDeleteRequestPartition partition : topic.partitions()) {
                int index = partition.partitionIndex();
                short error = errors.getOrDefault(
                        new TopicPartition(topic.name(), index), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
                answers.partitions()
                        .add(new OffsetDeleteResponsePartition()
                                .setPartitionIndex(index)
                                .setErrorCode(error));
            }
            response.topics().add(answers);
        }
        return response;
    }

    @Override
    public OffsetDeleteResponse errorResponse(OffsetDeleteRequest request, short version, ErrorCode error) {
        return new OffsetDeleteResponse().setErrorCode(error.code());
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetCommitRequest;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.OffsetCommitResponse;
import io.tidemark.broker.protocol.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import io.tidemark.broker.protocol.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import io.tidemark.broker.types.TopicPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** OffsetCommit: how far a group has come, in partitions that exist. */
public final class OffsetCommitHandler implements ApiHandler<OffsetCommitRequest> {
    /** From this version on topics are named by their ids (KIP-848). */
    private static final short TOPIC_ID_VERSION = 10;

    private final GroupAccess groups;

    public OffsetCommitHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.OFFSET_COMMIT;
    }

    @Override
    public void handle(RequestContext context, OffsetCommitRequest request) {
        short version = context.apiVersion();
        OffsetCommitRequest known = new OffsetCommitRequest()
                .setGroupId(request.groupId())
                .setGenerationIdOrMemberEpoch(request.generationIdOrMemberEpoch())
                .setMemberId(request.memberId())
                .setGroupInstanceId(request.groupInstanceId())
                .setRetentionTimeMs(request.retentionTimeMs());
        for (OffsetCommitRequestTopic topic : request.topics()) {
            keepKnown(topic, version, known);
        }
        ErrorCode unknown =
                version >= TOPIC_ID_VERSION ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        if (known.topics().isEmpty()) {
            context.respond(errorResponse(request, version, unknown));
            return;
        }
        groups.runtime()
                .write(
                        groups.partitionOf(request.groupId()),
                        groups.commitTimeoutMs(),
                        (shard, nowMs) -> shard.commitOffsets(known, version, nowMs),
                        new Respond<OffsetCommitResponse>(
                                outcome -> context.respond(merge(request, version, outcome)),
                                error -> context.respond(merge(request, version, fail(known, error)))));
    }

    private CommitTopics topics(short version) {
        return new CommitTopics(groups.image(), version >= TOPIC_ID_VERSION);
    }

    private void keepKnown(OffsetCommitRequestTopic topic, short version, OffsetCommitRequest known) {
        TopicImage image = topics(version).find(topic.name(), topic.topicId());
        if (image == null) {
            return;
        }
        OffsetCommitRequestTopic kept =
                new OffsetCommitRequestTopic().setName(image.name()).setTopicId(image.id());
        for (OffsetCommitRequestPartition partition : topic.partitions()) {
            if (image.partition(partition.partitionIndex()) != null) {
                kept.partitions().add(partition);
            }
        }
        if (!kept.partitions().isEmpty()) {
            known.topics().add(kept);
        }
    }

    private static OffsetCommitResponse fail(OffsetCommitRequest known, ErrorCode error) {
        return answer(known, (topic, partition) -> error.code());
    }

    /** Every partition of the request in its order: as the coordinator decided, or as a partition that is not there. */
    private OffsetCommitResponse merge(OffsetCommitRequest request, short version, OffsetCommitResponse outcome) {
        Map<TopicPartition, Short> errors = new HashMap<>();
        for (OffsetCommitResponseTopic topic : outcome.topics()) {
            topic.partitions()
                    .forEach(partition -> errors.put(
                            new TopicPartition(topic.name(), partition.partitionIndex()), partition.errorCode()));
        }
        CommitTopics topics = topics(version);
        return answer(request, (topic, partition) -> topics.error(topic.name(), topic.topicId(), partition, errors));
    }

    private static OffsetCommitResponse answer(
            OffsetCommitRequest request, BiFunction<OffsetCommitRequestTopic, Integer, Short> errorOf) {
        OffsetCommitResponse response = new OffsetCommitResponse();
        for (OffsetCommitRequestTopic topic : request.topics()) {
            OffsetCommitResponseTopic answers =
                    new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            for (OffsetCommitRequestPartition partition : topic.partitions()) {
                answers.partitions()
                        .add(new OffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(errorOf.apply(topic, partition.partitionIndex())));
            }
            response.topics().add(answers);
        }
        return response;
    }

    @Override
    public OffsetCommitResponse errorResponse(OffsetCommitRequest request, short version, ErrorCode error) {
        return fail(request, error);
    }
}

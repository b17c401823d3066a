package io.tidemark.broker.api;

import io.tidemark.broker.partition.LeaderEpochEnd;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetForLeaderEpochRequest;
import io.tidemark.broker.protocol.message.OffsetForLeaderEpochResponse;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.PartitionLookup;
import io.tidemark.broker.types.TopicPartition;

/** OffsetForLeaderEpoch: where a leader epoch ends, for readers that look for the point where logs part (KIP-320). */
public final class OffsetForLeaderEpochHandler implements ApiHandler<OffsetForLeaderEpochRequest> {
    private final HostedPartitions partitions;

    public OffsetForLeaderEpochHandler(HostedPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.OFFSET_FOR_LEADER_EPOCH;
    }

    @Override
    public void handle(RequestContext context, OffsetForLeaderEpochRequest request) {
        OffsetForLeaderEpochResponse response = new OffsetForLeaderEpochResponse();
        for (OffsetForLeaderEpochRequest.OffsetForLeaderTopic topic : request.topics()) {
            OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult result =
                    new OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (OffsetForLeaderEpochRequest.OffsetForLeaderPartition asked : topic.partitions()) {
                result.partitions().add(answer(topic.topic(), asked));
            }
            response.topics().add(result);
        }
        context.respond(response);
    }

    private OffsetForLeaderEpochResponse.EpochEndOffset answer(
            String topic, OffsetForLeaderEpochRequest.OffsetForLeaderPartition asked) {
        OffsetForLeaderEpochResponse.EpochEndOffset answer =
                new OffsetForLeaderEpochResponse.EpochEndOffset().setPartition(asked.partition());
        PartitionLookup lookup = partitions.find(new TopicPartition(topic, asked.partition()));
        HostedPartition partition = lookup.partition();
        ErrorCode error = partition == null ? lookup.error() : partition.checkLeader(asked.currentLeaderEpoch());
        if (partition == null || error != ErrorCode.NONE) {
            return answer.setErrorCode(error.code());
        }
        LeaderEpochEnd end = partition.endOffsetForEpoch(asked.leaderEpoch());
        return answer.setLeaderEpoch(end.leaderEpoch()).setEndOffset(end.endOffset());
    }

    @Override
    public OffsetForLeaderEpochResponse errorResponse(
            OffsetForLeaderEpochRequest request, short version, ErrorCode error) {
        OffsetForLeaderEpochResponse response = new OffsetForLeaderEpochResponse();
        for (OffsetForLeaderEpochRequest.OffsetForLeaderTopic topic : request.topics()) {
            OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult result =
                    new OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (OffsetForLeaderEpochRequest.OffsetForLeaderPartition asked : topic.partitions()) {
                result.partitions()
                        .add(new OffsetForLeaderEpochResponse.EpochEndOffset()
                                .setPartition(asked.partition())
                                .setErrorCode(error.code()));
            }
            response.topics().add(result);
        }
        return response;
    }
}

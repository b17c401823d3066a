package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DeleteRecordsRequest;
import io.tidemark.broker.protocol.message.DeleteRecordsResponse;
import io.tidemark.broker.purgatory.DelayedOperation;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartition.DeletedRecords;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.PartitionLookup;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;

/** DeleteRecords (KIP-107): answers when the records are gone from every replica that is up. */
public final class DeleteRecordsHandler implements ApiHandler<DeleteRecordsRequest> {
    private final HostedPartitions partitions;

    public DeleteRecordsHandler(HostedPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DELETE_RECORDS;
    }

    @Override
    public void handle(RequestContext context, DeleteRecordsRequest request) {
        DeleteRecordsResponse response = new DeleteRecordsResponse();
        List<Deletion> deletions = new ArrayList<>();
        List<TopicPartition> keys = new ArrayList<>();
        for (DeleteRecordsRequest.DeleteRecordsTopic topic : request.topics()) {
            DeleteRecordsResponse.DeleteRecordsTopicResult result =
                    new DeleteRecordsResponse.DeleteRecordsTopicResult().setName(topic.name());
            for (DeleteRecordsRequest.DeleteRecordsPartition asked : topic.partitions()) {
                DeleteRecordsResponse.DeleteRecordsPartitionResult answer = newAnswer(asked.partitionIndex());
                result.partitions().add(answer);
                PartitionLookup lookup = partitions.find(new TopicPartition(topic.name(), asked.partitionIndex()));
                HostedPartition partition = lookup.partition();
                if (partition == null) {
                    answer.setErrorCode(lookup.error().code());
                    continue;
                }
                DeletedRecords deleted = partition.deleteRecords(asked.offset());
                if (deleted.error() == ErrorCode.NONE) {
                    deletions.add(new Deletion(answer, partition, deleted.logStartOffset()));
                    keys.add(partition.topicPartition());
                } else {
                    answer.setErrorCode(deleted.error().code());
                }
            }
            response.topics().add(result);
        }
        partitions.waiting().completeOrWatch(new Waiting(context, response, deletions), keys, request.timeoutMs());
    }

    private static DeleteRecordsResponse.DeleteRecordsPartitionResult newAnswer(int partition) {
        return new DeleteRecordsResponse.DeleteRecordsPartitionResult()
                .setPartitionIndex(partition)
                .setLowWatermark(-1);
    }

    @Override
    public DeleteRecordsResponse errorResponse(DeleteRecordsRequest request, short version, ErrorCode error) {
        DeleteRecordsResponse response = new DeleteRecordsResponse();
        for (DeleteRecordsRequest.DeleteRecordsTopic topic : request.topics()) {
            DeleteRecordsResponse.DeleteRecordsTopicResult result =
                    new DeleteRecordsResponse.DeleteRecordsTopicResult().setName(topic.name());
            for (DeleteRecordsRequest.DeleteRecordsPartition asked : topic.partitions()) {
                result.partitions().add(newAnswer(asked.partitionIndex()).setErrorCode(error.code()));
            }
            response.topics().add(result);
        }
        return response;
    }

    private record Deletion(
            DeleteRecordsResponse.DeleteRecordsPartitionResult answer, HostedPartition partition, long offset) {
        private boolean isSettled() {
            return !partition.isLeader() || partition.lowWatermark() >= offset;
        }
    }

    /** Waits for the followers' logs to start where the leader's does. */
    private record Waiting(RequestContext context, DeleteRecordsResponse response, List<Deletion> deletions)
            implements DelayedOperation {
        @Override
        public boolean isReady() {
            return deletions.stream().allMatch(Deletion::isSettled);
        }

        @Override
        public void onComplete(boolean isExpired) {
            for (Deletion deletion : deletions) {
                if (!deletion.partition.isLeader()) {
                    deletion.answer.setErrorCode(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
                } else if (deletion.isSettled()) {
                    deletion.answer.setLowWatermark(deletion.partition.lowWatermark());
                } else {
                    deletion.answer.setErrorCode(ErrorCode.REQUEST_TIMED_OUT.code());
                }
            }
            context.respond(response);
        }
    }
}

package io.tidemark.broker.replication;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a leader where its log starts and ends. */
final class BoundsQuestion {
    private static final long LATEST_TIMESTAMP = -1;
    private static final long EARLIEST_TIMESTAMP = -2;

    private final int brokerId;
    private final FollowedPartition partition;

    BoundsQuestion(int brokerId, FollowedPartition partition) {
        this.brokerId = brokerId;
        this.partition = partition;
    }

    ListOffsetsRequest ofStart() {
        return request(EARLIEST_TIMESTAMP);
    }

    ListOffsetsRequest ofEnd() {
        return request(LATEST_TIMESTAMP);
    }

    /** The offset told, or null where the answer is an error. */
    @Nullable
    Long answer(ListOffsetsResponse response) {
        for (ListOffsetsResponse.ListOffsetsTopicResponse topic : response.topics()) {
            for (ListOffsetsResponse.ListOffsetsPartitionResponse answer : topic.partitions()) {
                boolean isGood = answer.errorCode() == ErrorCode.NONE.code() && answer.offset() >= 0;
                return isGood ? answer.offset() : null;
            }
        }
        return null;
    }

    private ListOffsetsRequest request(long timestamp) {
        return new ListOffsetsRequest()
                .setReplicaId(brokerId)
                .setTopics(List.of(new ListOffsetsRequest.ListOffsetsTopic()
                        .setName(partition.partition().id().topic())
                        .setPartitions(List.of(new ListOffsetsRequest.ListOffsetsPartition()
                                .setPartitionIndex(partition.partition().id().partition())
                                .setCurrentLeaderEpoch(partition.leaderEpoch())
                                .setTimestamp(timestamp)))));
    }
}

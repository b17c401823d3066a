package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic;
import io.tidemark.broker.types.TopicPartition;

/**
 * Who may commit offsets in a transaction. The producer names the group's member that it writes for, so that one of an
 * earlier generation cannot commit what others own by now (KIP-447); one that names none is let through, as it was
 * before that.
 */
final class TransactionalOffsetRules {
    /** From this version on a commit to a group that is not there is told so (KIP-1319). */
    private static final short GROUP_NOT_FOUND_VERSION = 6;

    private final GroupSettings settings;
    private final Groups groups;

    TransactionalOffsetRules(GroupSettings settings, Groups groups) {
        this.settings = settings;
        this.groups = groups;
    }

    CoordinatorResult<TxnOffsetCommitResponse> commit(TxnOffsetCommitRequest request, short apiVersion, Turn turn) {
        ClassicGroup group = groups.find(request.groupId());
        Committer committer =
                new Committer(request.generationIdOrMemberEpoch(), request.memberId(), request.groupInstanceId());
        ErrorCode fault = group == null
                ? committer.checkWithoutGroup(apiVersion >= GROUP_NOT_FOUND_VERSION)
                : committer.check(group, ErrorCode.NONE);
        TxnOffsetCommitResponse response = new TxnOffsetCommitResponse();
        for (TxnOffsetCommitRequestTopic topic : request.topics()) {
            TxnOffsetCommitResponseTopic answers =
                    new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            response.topics().add(answers);
            for (TxnOffsetCommitRequestPartition partition : topic.partitions()) {
                ErrorCode outcome = fault == ErrorCode.NONE ? commit(request.groupId(), topic, partition, turn) : fault;
                answers.partitions()
                        .add(new TxnOffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(outcome.code()));
            }
        }
        return turn.result(response);
    }

    private ErrorCode commit(
            String groupId, TxnOffsetCommitRequestTopic topic, TxnOffsetCommitRequestPartition partition, Turn turn) {
        CommittedOffset committed = new CommittedOffset(
                partition.committedOffset(),
                partition.committedLeaderEpoch(),
                OffsetCommits.metadata(partition.committedMetadata()),
                turn.nowMs(),
                CommittedOffset.NO_EXPIRY,
                topic.topicId());
        TopicPartition name = new TopicPartition(topic.name(), partition.partitionIndex());
        return OffsetCommits.write(settings, groupId, name, committed, turn);
    }
}

package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetCommitRequest;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.OffsetCommitResponse;
import io.tidemark.broker.protocol.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import io.tidemark.broker.protocol.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse.OffsetDeleteResponsePartition;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse.OffsetDeleteResponseTopic;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who may commit and delete offsets, and when offsets and groups go by themselves. */
final class OffsetRules {
    /** From this version on a commit to a group that is not there is told so (KIP-848). */
    private static final short GROUP_NOT_FOUND_VERSION = 9;

    private final GroupSettings settings;
    private final Groups groups;
    private final OffsetStore offsets;
    private final Rebalances rebalances;

    OffsetRules(GroupSettings settings, Groups groups, OffsetStore offsets, Rebalances rebalances) {
        this.settings = settings;
        this.groups = groups;
        this.offsets = offsets;
        this.rebalances = rebalances;
    }

    // ---- commit

    CoordinatorResult<OffsetCommitResponse> commit(OffsetCommitRequest request, short apiVersion, Turn turn) {
        ClassicGroup group = groups.find(request.groupId());
        Committer committer =
                new Committer(request.generationIdOrMemberEpoch(), request.memberId(), request.groupInstanceId());
        ErrorCode fault = group == null
                ? committer.checkWithoutGroup(apiVersion >= GROUP_NOT_FOUND_VERSION)
                : check(group, committer);
        if (fault == ErrorCode.NONE && group != null) {
            renewSession(group, request.memberId(), turn);
        }
        OffsetCommitResponse response = new OffsetCommitResponse();
        for (OffsetCommitRequestTopic topic : request.topics()) {
            OffsetCommitResponseTopic answers =
                    new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            response.topics().add(answers);
            for (OffsetCommitRequestPartition partition : topic.partitions()) {
                ErrorCode outcome = fault == ErrorCode.NONE ? commit(request, topic, partition, turn) : fault;
                answers.partitions()
                        .add(new OffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(outcome.code()));
            }
        }
        return turn.result(response);
    }

    private ErrorCode commit(
            OffsetCommitRequest request,
            OffsetCommitRequestTopic topic,
            OffsetCommitRequestPartition partition,
            Turn turn) {
        long retentionMs = request.retentionTimeMs();
        CommittedOffset committed = new CommittedOffset(
                partition.committedOffset(),
                partition.committedLeaderEpoch(),
                OffsetCommits.metadata(partition.committedMetadata()),
                turn.nowMs(),
                retentionMs < 0 ? CommittedOffset.NO_EXPIRY : turn.nowMs() + retentionMs,
                topic.topicId());
        TopicPartition name = new TopicPartition(topic.name(), partition.partitionIndex());
        return OffsetCommits.write(settings, request.groupId(), name, committed, turn);
    }

    private static ErrorCode check(ClassicGroup group, Committer committer) {
        // Somebody outside the group would overwrite what its members commit.
        ErrorCode fault = committer.check(group, ErrorCode.UNKNOWN_MEMBER_ID);
        // The member knows the new generation but not its assignment yet, so it cannot know what it owns.
        return fault == ErrorCode.NONE && group.isIn(GroupStateName.COMPLETING_REBALANCE)
                ? ErrorCode.REBALANCE_IN_PROGRESS
                : fault;
    }

    private void renewSession(ClassicGroup group, String memberId, Turn turn) {
        Member member = group.member(memberId);
        if (member != null) {
            rebalances.renewSession(group, member, turn);
        }
    }

    // ---- delete

    CoordinatorResult<OffsetDeleteResponse> delete(OffsetDeleteRequest request, Turn turn) {
        ClassicGroup group = groups.find(request.groupId());
        ErrorCode fault = checkDelete(group, request);
        OffsetDeleteResponse response = new OffsetDeleteResponse().setErrorCode(fault.code());
        if (fault != ErrorCode.NONE || group == null) {
            return turn.result(response);
        }
        List<TopicPartition> stored = offsets.written(group.id());
        for (OffsetDeleteRequest.OffsetDeleteRequestTopic topic : request.topics()) {
            boolean subscribed = group.isSubscribedTo(topic.name());
            OffsetDeleteResponseTopic answers = new OffsetDeleteResponseTopic().setName(topic.name());
            response.topics().add(answers);
            for (OffsetDeleteRequest.OffsetDeleteRequestPartition partition : topic.partitions()) {
                TopicPartition id = new TopicPartition(topic.name(), partition.partitionIndex());
                if (!subscribed && stored.contains(id)) {
                    turn.record(GroupRecords.offsetTombstone(group.id(), id));
                }
                ErrorCode outcome = subscribed ? ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC : ErrorCode.NONE;
                answers.partitions()
                        .add(new OffsetDeleteResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(outcome.code()));
            }
        }
        return turn.result(response);
    }

    private static ErrorCode checkDelete(@Nullable ClassicGroup group, OffsetDeleteRequest request) {
        if (request.groupId().isEmpty()) {
            return ErrorCode.INVALID_GROUP_ID;
        }
        if (group == null || group.isIn(GroupStateName.DEAD)) {
            return ErrorCode.GROUP_ID_NOT_FOUND;
        }
        // What a group of another kind reads cannot be told, so it must have no members.
        return group.isIn(GroupStateName.EMPTY) || group.usesConsumerProtocol()
                ? ErrorCode.NONE
                : ErrorCode.NON_EMPTY_GROUP;
    }

    /** Deletes the group and all its offsets. */
    void forgetGroup(ClassicGroup group, Turn turn) {
        for (TopicPartition partition : offsets.written(group.id())) {
            turn.record(GroupRecords.offsetTombstone(group.id(), partition));
        }
        turn.record(GroupRecords.groupTombstone(group.id()));
    }

    /** Deletes the offsets in topics that are gone. */
    void forgetTopics(Map<String, Uuid> topics, Turn turn) {
        for (String groupId : offsets.groupIds()) {
            Map<TopicPartition, CommittedOffset> latest = offsets.latest(groupId);
            for (TopicPartition partition : offsets.written(groupId)) {
                Uuid topicId = topics.get(partition.topic());
                CommittedOffset offset = latest.get(partition);
                if (topicId != null && (offset == null || offset.isFor(topicId))) {
                    turn.record(GroupRecords.offsetTombstone(groupId, partition));
                }
            }
        }
    }

    // ---- expiry

    /** Deletes offsets that have outlived their retention, and groups that are empty and left with none (KIP-211). */
    void expire(Turn turn) {
        for (ClassicGroup group : groups.all()) {
            OffsetExpiry expiry = OffsetExpiry.of(group, settings.offsetsRetentionMs());
            boolean allExpired = !offsets.hasPending(group.id());
            for (Map.Entry<TopicPartition, CommittedOffset> entry :
                    offsets.latest(group.id()).entrySet()) {
                boolean isExpired = expiry.isExpired(entry.getKey().topic(), entry.getValue(), turn.nowMs());
                if (isExpired && !offsets.isPending(group.id(), entry.getKey())) {
                    turn.record(GroupRecords.offsetTombstone(group.id(), entry.getKey()));
                } else {
                    allExpired = false;
                }
            }
            if (allExpired
                    && group.isIn(GroupStateName.EMPTY)
                    && group.pendingMembers().isEmpty()) {
                turn.record(GroupRecords.groupTombstone(group.id()));
            }
        }
    }
}

package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.protocol.group.GroupMetadataKey;
import io.tidemark.broker.protocol.group.GroupMetadataValue;
import io.tidemark.broker.protocol.group.OffsetCommitKey;
import io.tidemark.broker.protocol.group.OffsetCommitValue;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the records of classic groups, at the versions that Kafka 4.4 writes. */
final class GroupRecords {
    private static final short GROUP_METADATA_VERSION = 3;
    private static final short OFFSET_COMMIT_VERSION = 4;
    /** The last version that knows an expiry of its own, which only OffsetCommit v2 to v4 can ask for. */
    private static final short OFFSET_COMMIT_VERSION_WITH_EXPIRY = 1;

    private GroupRecords() {}

    /** The group with its members and their assignments. */
    static CoordinatorRecord group(ClassicGroup group, Map<String, byte[]> assignments) {
        List<GroupMetadataValue.MemberMetadata> members = new ArrayList<>();
        for (Member member : group.members()) {
            members.add(new GroupMetadataValue.MemberMetadata()
                    .setMemberId(member.id())
                    .setGroupInstanceId(member.instanceId())
                    .setClientId(member.clientId())
                    .setClientHost(member.clientHost())
                    .setRebalanceTimeout(member.rebalanceTimeoutMs())
                    .setSessionTimeout(member.sessionTimeoutMs())
                    .setSubscription(member.metadata(group.protocolName()))
                    .setAssignment(assignments.getOrDefault(member.id(), Member.NO_BYTES)));
        }
        String protocolType = group.protocolType();
        return record(
                group.id(),
                new GroupMetadataValue()
                        .setProtocolType(protocolType == null ? "" : protocolType)
                        .setGeneration(group.generation())
                        .setProtocol(group.protocolName())
                        .setLeader(group.leaderId())
                        .setCurrentStateTimestamp(group.stateSinceMs())
                        .setMembers(members));
    }

    /** A group that was just made: the log knows of it before it has its first generation. */
    static CoordinatorRecord newGroup(ClassicGroup group) {
        return record(
                group.id(),
                new GroupMetadataValue()
                        .setProtocolType("")
                        .setGeneration(0)
                        .setProtocol(null)
                        .setLeader(null)
                        .setCurrentStateTimestamp(group.stateSinceMs()));
    }

    static CoordinatorRecord groupTombstone(String groupId) {
        return record(groupId, null);
    }

    private static CoordinatorRecord record(String groupId, @Nullable GroupMetadataValue value) {
        return new CoordinatorRecord(new GroupMetadataKey().setGroup(groupId), value, GROUP_METADATA_VERSION);
    }

    static CoordinatorRecord offset(String groupId, TopicPartition partition, CommittedOffset committed) {
        boolean expires = committed.expireTimestampMs() != CommittedOffset.NO_EXPIRY;
        return new CoordinatorRecord(
                offsetKey(groupId, partition),
                new OffsetCommitValue()
                        .setOffset(committed.offset())
                        .setLeaderEpoch(committed.leaderEpoch())
                        .setMetadata(committed.metadata())
                        .setCommitTimestamp(committed.commitTimestampMs())
                        .setExpireTimestamp(committed.expireTimestampMs())
                        .setTopicId(committed.topicId()),
                expires ? OFFSET_COMMIT_VERSION_WITH_EXPIRY : OFFSET_COMMIT_VERSION);
    }

    static CoordinatorRecord offsetTombstone(String groupId, TopicPartition partition) {
        return new CoordinatorRecord(offsetKey(groupId, partition), null, OFFSET_COMMIT_VERSION);
    }

    private static OffsetCommitKey offsetKey(String groupId, TopicPartition partition) {
        return new OffsetCommitKey()
                .setGroup(groupId)
                .setTopic(partition.topic())
                .setPartition(partition.partition());
    }
}

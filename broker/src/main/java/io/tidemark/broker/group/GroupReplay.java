package io.tidemark.broker.group;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.group.GroupMetadataValue;
import io.tidemark.broker.protocol.group.LegacyOffsetCommitValue;
import io.tidemark.broker.protocol.group.OffsetCommitValue;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What records do to groups and offsets. While the shard loads, a record is all that is known of a group. Afterwards the
 * shard's own decisions come by, and the group is ahead of them in everything but the assignments.
 */
final class GroupReplay {
    private final Groups groups;
    private final OffsetStore offsets;
    private final Rebalances rebalances;
    private boolean loaded;

    GroupReplay(Groups groups, OffsetStore offsets, Rebalances rebalances) {
        this.groups = groups;
        this.offsets = offsets;
        this.rebalances = rebalances;
    }

    void onLoaded() {
        loaded = true;
    }

    void group(String groupId, @Nullable GroupMetadataValue value) {
        ClassicGroup group = groups.find(groupId);
        if (value == null) {
            if (group != null) {
                bury(group);
            }
        } else if (!loaded) {
            groups.put(restored(groupId, value));
        } else if (group != null && value.generation() == group.generation()) {
            confirm(group, value);
        }
    }

    private void bury(ClassicGroup group) {
        rebalances.forget(group);
        group.become(new GroupState.Dead(), group.stateSinceMs());
        groups.remove(group.id());
    }

    private void confirm(ClassicGroup group, GroupMetadataValue value) {
        if (value.members().isEmpty()) {
            return;
        }
        Map<String, byte[]> assignments = new LinkedHashMap<>();
        value.members().forEach(member -> assignments.put(member.memberId(), member.assignment()));
        rebalances.onAssignmentLogged(group, assignments, value.currentStateTimestamp());
    }

    private static ClassicGroup restored(String groupId, GroupMetadataValue value) {
        String protocolName = value.protocol();
        List<Member> members = new ArrayList<>();
        for (GroupMetadataValue.MemberMetadata metadata : value.members()) {
            // Versions before 1 know no rebalance timeout.
            int rebalanceTimeoutMs =
                    metadata.rebalanceTimeout() == -1 ? metadata.sessionTimeout() : metadata.rebalanceTimeout();
            List<MemberProtocol> protocols = protocolName == null
                    ? List.of()
                    : List.of(new MemberProtocol(protocolName, metadata.subscription()));
            Member member = new Member(
                    metadata.memberId(),
                    metadata.groupInstanceId(),
                    value.protocolType(),
                    new Member.JoinTerms(
                            metadata.clientId(),
                            metadata.clientHost(),
                            rebalanceTimeoutMs,
                            metadata.sessionTimeout(),
                            protocols));
            member.assign(metadata.assignment());
            members.add(member);
        }
        return ClassicGroup.restored(
                groupId,
                value.generation(),
                value.protocolType(),
                protocolName,
                value.leader(),
                value.currentStateTimestamp(),
                members);
    }

    void offset(long logOffset, String groupId, String topic, int partition, @Nullable ApiMessage value) {
        CommittedOffset committed = value == null ? null : committed(value);
        if (committed != null && groups.find(groupId) == null) {
            // Somebody commits who manages its partitions itself; the group is there for its offsets alone.
            groups.create(groupId, committed.commitTimestampMs());
        }
        offsets.replay(logOffset, groupId, new TopicPartition(topic, partition), committed);
    }

    /** An offset in a transaction. A deletion is never in one. */
    void pendingOffset(
            long logOffset, long producerId, String groupId, TopicPartition partition, @Nullable ApiMessage value) {
        if (value == null) {
            return;
        }
        CommittedOffset committed = committed(value);
        if (groups.find(groupId) == null) {
            groups.create(groupId, committed.commitTimestampMs());
        }
        offsets.replayPending(logOffset, producerId, groupId, partition, committed);
    }

    private static CommittedOffset committed(ApiMessage value) {
        if (value instanceof OffsetCommitValue offset) {
            return new CommittedOffset(
                    offset.offset(),
                    offset.leaderEpoch(),
                    offset.metadata(),
                    offset.commitTimestamp(),
                    offset.expireTimestamp(),
                    offset.topicId());
        }
        LegacyOffsetCommitValue legacy = (LegacyOffsetCommitValue) value;
        return new CommittedOffset(
                legacy.offset(), -1, legacy.metadata(), legacy.commitTimestamp(), CommittedOffset.NO_EXPIRY, Uuid.ZERO);
    }
}

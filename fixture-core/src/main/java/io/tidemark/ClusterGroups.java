package io.tidemark;

import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.LeaveGroupRequest;
import io.tidemark.broker.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.tidemark.broker.protocol.message.LeaveGroupResponse;
import java.util.List;

/**
 * Consumer groups, disturbed on purpose. Safe from any thread.
 *
 * <pre>{@code
 * cluster.groups().expireMember("billing", "billing-app-2"); // its client hears of it at the next heartbeat
 * cluster.groups().moveCoordinator("billing");
 * }</pre>
 */
public final class ClusterGroups {
    private final Cluster cluster;

    ClusterGroups(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Takes the members with a client id out of a group, as if their sessions had timed out: the others get what they had,
     * and they hear UNKNOWN_MEMBER_ID at their next request, and join again.
     *
     * @return how many that were
     * @throws IllegalArgumentException if the group has no such member
     */
    public int expireMember(String groupId, String clientId) {
        GroupState group = cluster.group(groupId).snapshot();
        List<MemberIdentity> members = group.members().stream()
                .filter(member -> member.clientId().equals(clientId))
                .map(member -> new MemberIdentity().setMemberId(member.memberId()))
                .toList();
        if (members.isEmpty()) {
            throw new IllegalArgumentException(
                    "Group [" + groupId + "] has no member with client id [" + clientId + "].\n" + group);
        }
        LeaveGroupResponse response = (LeaveGroupResponse) Outcome.await(
                cluster.broker(group.coordinator())
                        .current()
                        .call(new LeaveGroupRequest().setGroupId(groupId).setMembers(members)),
                cluster.startTimeout().toMillis(),
                "expire members of group " + groupId);
        if (response.errorCode() != ErrorCode.NONE.code()) {
            throw new ClusterException("Could not expire the members [" + clientId + "] of group " + groupId + ": "
                    + ErrorCode.forCode(response.errorCode()));
        }
        cluster.deeds().add("group " + groupId, "members of [" + clientId + "] expired on purpose");
        return members.size();
    }

    /** The partition of {@code __consumer_offsets} whose leader coordinates a group, whether there is such a group or not. */
    public PartitionHandle coordinatorPartition(String groupId) {
        int partitions = cluster.topic(GroupTimeline.TOPIC).partitions().size();
        return cluster.partition(GroupTimeline.TOPIC, CoordinatorPartition.of(groupId, partitions));
    }

    /**
     * Has another broker coordinate a group. On return it has read the group's state, and answers.
     *
     * @return the new coordinator
     */
    public int moveCoordinator(String groupId) {
        PartitionHandle partition = coordinatorPartition(groupId);
        int coordinator = cluster.leadership().move(partition.topic(), partition.partition());
        cluster.deeds().add("group " + groupId, "coordinated by broker " + coordinator + " on purpose");
        return coordinator;
    }

    @Override
    public String toString() {
        return "groups of " + cluster;
    }
}

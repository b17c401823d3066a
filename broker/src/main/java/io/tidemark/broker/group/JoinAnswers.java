package io.tidemark.broker.group;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.util.ArrayList;
import java.util.List;

/** The answers to JoinGroup and SyncGroup. */
final class JoinAnswers {
    private JoinAnswers() {}

    /** The member is in the group's generation; the leader is told of all members. */
    static JoinGroupResponse joined(ClassicGroup group, Member member) {
        return joined(group, member, group.isLeader(member.id()), false);
    }

    /**
     * @param withMembers tell of all members
     * @param skipAssignment the leader needs not assign anew (KIP-814)
     */
    static JoinGroupResponse joined(ClassicGroup group, Member member, boolean withMembers, boolean skipAssignment) {
        String leaderId = group.leaderId();
        return new JoinGroupResponse()
                .setMembers(withMembers ? members(group) : new ArrayList<>())
                .setMemberId(member.id())
                .setGenerationId(group.generation())
                .setProtocolType(group.protocolType())
                .setProtocolName(group.protocolName())
                .setLeader(leaderId == null ? "" : leaderId)
                .setSkipAssignment(skipAssignment);
    }

    private static List<JoinGroupResponse.JoinGroupResponseMember> members(ClassicGroup group) {
        List<JoinGroupResponse.JoinGroupResponseMember> members = new ArrayList<>();
        for (Member member : group.members()) {
            members.add(new JoinGroupResponse.JoinGroupResponseMember()
                    .setMemberId(member.id())
                    .setGroupInstanceId(member.instanceId())
                    .setMetadata(member.metadata(group.protocolName())));
        }
        return members;
    }

    static JoinGroupResponse joinError(ErrorCode error, String memberId) {
        return new JoinGroupResponse().setErrorCode(error.code()).setMemberId(memberId);
    }

    static SyncGroupResponse synced(ClassicGroup group, byte[] assignment) {
        return new SyncGroupResponse()
                .setProtocolType(group.protocolType())
                .setProtocolName(group.protocolName())
                .setAssignment(assignment);
    }

    static SyncGroupResponse syncError(ErrorCode error) {
        return new SyncGroupResponse().setErrorCode(error.code());
    }
}

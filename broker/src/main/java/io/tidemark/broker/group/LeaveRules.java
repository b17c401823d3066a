package io.tidemark.broker.group;

import io.tidemark.broker.group.GroupDeadline.PendingJoin;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.LeaveGroupRequest;
import io.tidemark.broker.protocol.message.LeaveGroupResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** How members leave, by themselves or sent off by an admin, several at a time (KIP-345). */
final class LeaveRules {
    private final Deadlines<GroupDeadline> deadlines;
    private final Rebalances rebalances;

    LeaveRules(Deadlines<GroupDeadline> deadlines, Rebalances rebalances) {
        this.deadlines = deadlines;
        this.rebalances = rebalances;
    }

    LeaveGroupResponse leave(ClassicGroup group, LeaveGroupRequest request, Turn turn) {
        if (group.isIn(GroupStateName.DEAD)) {
            return new LeaveGroupResponse().setErrorCode(ErrorCode.COORDINATOR_NOT_AVAILABLE.code());
        }
        LeaveGroupResponse response = answers(request, identity -> leave(group, identity, turn));
        boolean someLeft = response.members().stream().anyMatch(left -> left.errorCode() == ErrorCode.NONE.code());
        if (someLeft) {
            rebalances.onMembersGone(group, turn);
        }
        return response;
    }

    /** The answer where there is no such group: nobody in it is known. */
    static LeaveGroupResponse unknownGroup(LeaveGroupRequest request) {
        return answers(request, identity -> ErrorCode.UNKNOWN_MEMBER_ID);
    }

    private static LeaveGroupResponse answers(
            LeaveGroupRequest request, Function<LeaveGroupRequest.MemberIdentity, ErrorCode> outcome) {
        List<LeaveGroupResponse.MemberResponse> members = new ArrayList<>();
        for (LeaveGroupRequest.MemberIdentity identity : request.members()) {
            members.add(new LeaveGroupResponse.MemberResponse()
                    .setMemberId(identity.memberId())
                    .setGroupInstanceId(identity.groupInstanceId())
                    .setErrorCode(outcome.apply(identity).code()));
        }
        return new LeaveGroupResponse().setMembers(members);
    }

    private ErrorCode leave(ClassicGroup group, LeaveGroupRequest.MemberIdentity identity, Turn turn) {
        String memberId = identity.memberId();
        String instanceId = identity.groupInstanceId();
        if (memberId.isEmpty() && instanceId != null) {
            String current = group.staticMemberId(instanceId);
            memberId = current == null ? "" : current;
        }
        if (group.isPending(memberId)) {
            deadlines.cancel(new PendingJoin(group.id(), memberId));
            group.remove(memberId);
            return ErrorCode.NONE;
        }
        ErrorCode fault = group.checkMember(memberId, instanceId);
        Member member = group.member(memberId);
        if (fault == ErrorCode.NONE && member != null) {
            rebalances.dismiss(group, member, turn);
        }
        return fault;
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.LeaveGroupRequest;
import io.tidemark.broker.protocol.message.LeaveGroupResponse;
import java.util.ArrayList;
import java.util.List;

/** LeaveGroup: members go, or are sent off by an admin. */
public final class LeaveGroupHandler implements ApiHandler<LeaveGroupRequest> {
    /** From this version on several members may leave at once (KIP-345). */
    private static final short BATCH_VERSION = 3;

    private final GroupAccess groups;

    public LeaveGroupHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.LEAVE_GROUP;
    }

    @Override
    public void handle(RequestContext context, LeaveGroupRequest request) {
        short version = context.apiVersion();
        if (request.groupId().isEmpty()) {
            context.respond(errorResponse(request, version, ErrorCode.INVALID_GROUP_ID));
            return;
        }
        LeaveGroupRequest batch = version >= BATCH_VERSION
                ? request
                : new LeaveGroupRequest()
                        .setGroupId(request.groupId())
                        .setMembers(List.of(new LeaveGroupRequest.MemberIdentity().setMemberId(request.memberId())));
        groups.runtime()
                .ask(
                        groups.partitionOf(request.groupId()),
                        groups.commitTimeoutMs(),
                        (shard, nowMs) -> shard.leave(batch, answer -> context.respond(fit(answer, version)), nowMs),
                        error -> context.respond(errorResponse(request, version, error)));
    }

    /** Before batches, the error of the one member is that of the whole. */
    private static LeaveGroupResponse fit(LeaveGroupResponse response, short version) {
        if (version >= BATCH_VERSION) {
            return response;
        }
        short error = response.errorCode() == ErrorCode.NONE.code()
                        && !response.members().isEmpty()
                ? response.members().get(0).errorCode()
                : response.errorCode();
        return response.setErrorCode(error).setMembers(new ArrayList<>());
    }

    @Override
    public LeaveGroupResponse errorResponse(LeaveGroupRequest request, short version, ErrorCode error) {
        return new LeaveGroupResponse().setErrorCode(error.code());
    }
}

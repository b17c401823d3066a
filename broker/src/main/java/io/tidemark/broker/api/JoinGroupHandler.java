package io.tidemark.broker.api;

import io.tidemark.broker.group.Caller;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.JoinGroupRequest;
import io.tidemark.broker.protocol.message.JoinGroupResponse;

/** JoinGroup: a member joins its group, and waits until the round is over. */
public final class JoinGroupHandler implements ApiHandler<JoinGroupRequest> {
    /** From this version on there may be no protocol name (KIP-559). */
    private static final short NULLABLE_PROTOCOL_VERSION = 7;

    private final GroupAccess groups;

    public JoinGroupHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.JOIN_GROUP;
    }

    @Override
    public void handle(RequestContext context, JoinGroupRequest request) {
        short version = context.apiVersion();
        if (request.groupId().isEmpty()) {
            context.respond(errorResponse(request, version, ErrorCode.INVALID_GROUP_ID));
            return;
        }
        Caller caller = GroupAccess.caller(context);
        groups.runtime()
                .ask(
                        groups.partitionOf(request.groupId()),
                        groups.commitTimeoutMs(),
                        (shard, nowMs) ->
                                shard.join(request, caller, answer -> context.respond(fit(answer, version)), nowMs),
                        error -> context.respond(errorResponse(request, version, error)));
    }

    private static JoinGroupResponse fit(JoinGroupResponse response, short version) {
        return version < NULLABLE_PROTOCOL_VERSION && response.protocolName() == null
                ? response.setProtocolName("")
                : response;
    }

    @Override
    public JoinGroupResponse errorResponse(JoinGroupRequest request, short version, ErrorCode error) {
        return new JoinGroupResponse().setErrorCode(error.code()).setMemberId(request.memberId());
    }
}

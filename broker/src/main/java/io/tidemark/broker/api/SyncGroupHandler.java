package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.SyncGroupRequest;
import io.tidemark.broker.protocol.message.SyncGroupResponse;

/** SyncGroup: the leader gives the assignments, everybody gets its own. */
public final class SyncGroupHandler implements ApiHandler<SyncGroupRequest> {
    /** From this version on a member must say which protocol it believes in (KIP-559). */
    private static final short PROTOCOL_REQUIRED_VERSION = 5;

    private final GroupAccess groups;

    public SyncGroupHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.SYNC_GROUP;
    }

    @Override
    public void handle(RequestContext context, SyncGroupRequest request) {
        short version = context.apiVersion();
        ErrorCode fault = check(request, version);
        if (fault != ErrorCode.NONE) {
            context.respond(errorResponse(request, version, fault));
            return;
        }
        groups.runtime()
                .ask(
                        groups.partitionOf(request.groupId()),
                        groups.commitTimeoutMs(),
                        (shard, nowMs) -> shard.sync(request, context::respond, nowMs),
                        error -> context.respond(errorResponse(request, version, error)));
    }

    private static ErrorCode check(SyncGroupRequest request, short version) {
        if (request.groupId().isEmpty()) {
            return ErrorCode.INVALID_GROUP_ID;
        }
        boolean saysProtocol = request.protocolType() != null && request.protocolName() != null;
        return version >= PROTOCOL_REQUIRED_VERSION && !saysProtocol
                ? ErrorCode.INCONSISTENT_GROUP_PROTOCOL
                : ErrorCode.NONE;
    }

    @Override
    public SyncGroupResponse errorResponse(SyncGroupRequest request, short version, ErrorCode error) {
        return new SyncGroupResponse().setErrorCode(error.code());
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.HeartbeatResponse;

/** Heartbeat: a member is still there, and learns whether it must join again. */
public final class HeartbeatHandler implements ApiHandler<HeartbeatRequest> {
    private final GroupAccess groups;

    public HeartbeatHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.HEARTBEAT;
    }

    @Override
    public void handle(RequestContext context, HeartbeatRequest request) {
        short version = context.apiVersion();
        if (request.groupId().isEmpty()) {
            context.respond(errorResponse(request, version, ErrorCode.INVALID_GROUP_ID));
            return;
        }
        groups.runtime()
                .read(
                        groups.partitionOf(request.groupId()),
                        (shard, nowMs) -> shard.heartbeat(request, nowMs),
                        new Respond<ErrorCode>(
                                outcome -> context.respond(errorResponse(request, version, outcome)),
                                error -> context.respond(errorResponse(request, version, error))));
    }

    @Override
    public HeartbeatResponse errorResponse(HeartbeatRequest request, short version, ErrorCode error) {
        return new HeartbeatResponse().setErrorCode(error.code());
    }
}

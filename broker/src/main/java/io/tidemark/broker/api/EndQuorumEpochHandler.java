package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.EndQuorumEpochRequest;
import io.tidemark.broker.protocol.message.EndQuorumEpochResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** EndQuorumEpoch on a controller's listener: another voter leads no more. */
final class EndQuorumEpochHandler implements ApiHandler<EndQuorumEpochRequest> {
    private final ControllerNode node;

    EndQuorumEpochHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.END_QUORUM_EPOCH;
    }

    @Override
    public void handle(RequestContext context, EndQuorumEpochRequest request) {
        node.endQuorumEpoch(request, context.apiVersion(), context::respond);
    }

    @Override
    public ApiMessage errorResponse(EndQuorumEpochRequest request, short version, ErrorCode error) {
        return new EndQuorumEpochResponse().setErrorCode(error.code());
    }
}

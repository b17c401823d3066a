package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BeginQuorumEpochRequest;
import io.tidemark.broker.protocol.message.BeginQuorumEpochResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** BeginQuorumEpoch on a controller's listener: another voter leads. */
final class BeginQuorumEpochHandler implements ApiHandler<BeginQuorumEpochRequest> {
    private final ControllerNode node;

    BeginQuorumEpochHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.BEGIN_QUORUM_EPOCH;
    }

    @Override
    public void handle(RequestContext context, BeginQuorumEpochRequest request) {
        node.beginQuorumEpoch(request, context::respond);
    }

    @Override
    public ApiMessage errorResponse(BeginQuorumEpochRequest request, short version, ErrorCode error) {
        return new BeginQuorumEpochResponse().setErrorCode(error.code());
    }
}

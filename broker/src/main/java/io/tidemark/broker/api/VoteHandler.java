package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.VoteRequest;
import io.tidemark.broker.protocol.message.VoteResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** Vote on a controller's listener: another voter stands, or asks whether it should. */
final class VoteHandler implements ApiHandler<VoteRequest> {
    private final ControllerNode node;

    VoteHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.VOTE;
    }

    @Override
    public void handle(RequestContext context, VoteRequest request) {
        node.vote(request, context::respond);
    }

    @Override
    public ApiMessage errorResponse(VoteRequest request, short version, ErrorCode error) {
        return new VoteResponse().setErrorCode(error.code());
    }
}

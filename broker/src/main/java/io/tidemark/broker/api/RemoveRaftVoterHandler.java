package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** RemoveRaftVoter on a controller's listener (KIP-853). */
final class RemoveRaftVoterHandler implements ApiHandler<RemoveRaftVoterRequest> {
    private final ControllerNode node;

    RemoveRaftVoterHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.REMOVE_RAFT_VOTER;
    }

    @Override
    public void handle(RequestContext context, RemoveRaftVoterRequest request) {
        node.removeVoter(request, context::respond);
    }

    @Override
    public ApiMessage errorResponse(RemoveRaftVoterRequest request, short version, ErrorCode error) {
        return new RemoveRaftVoterResponse().setErrorCode(error.code());
    }
}

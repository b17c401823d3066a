package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.UpdateRaftVoterRequest;
import io.tidemark.broker.protocol.message.UpdateRaftVoterResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** UpdateRaftVoter on a controller's listener (KIP-853). */
final class UpdateRaftVoterHandler implements ApiHandler<UpdateRaftVoterRequest> {
    private final ControllerNode node;

    UpdateRaftVoterHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.UPDATE_RAFT_VOTER;
    }

    @Override
    public void handle(RequestContext context, UpdateRaftVoterRequest request) {
        node.updateVoter(request, context::respond);
    }

    @Override
    public ApiMessage errorResponse(UpdateRaftVoterRequest request, short version, ErrorCode error) {
        return new UpdateRaftVoterResponse().setErrorCode(error.code());
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.AddRaftVoterResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** AddRaftVoter on a controller's listener (KIP-853). */
final class AddRaftVoterHandler implements ApiHandler<AddRaftVoterRequest> {
    private final ControllerNode node;

    AddRaftVoterHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.ADD_RAFT_VOTER;
    }

    @Override
    public void handle(RequestContext context, AddRaftVoterRequest request) {
        node.addVoter(request, context::respond);
    }

    @Override
    public ApiMessage errorResponse(AddRaftVoterRequest request, short version, ErrorCode error) {
        return new AddRaftVoterResponse().setErrorCode(error.code());
    }
}

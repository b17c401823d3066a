package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** DescribeQuorum on a controller's listener. */
final class DescribeQuorumHandler implements ApiHandler<DescribeQuorumRequest> {
    private final ControllerNode node;

    DescribeQuorumHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_QUORUM;
    }

    @Override
    public void handle(RequestContext context, DescribeQuorumRequest request) {
        context.respond(node.describeQuorum(request));
    }

    @Override
    public ApiMessage errorResponse(DescribeQuorumRequest request, short version, ErrorCode error) {
        return new DescribeQuorumResponse().setErrorCode(error.code());
    }
}

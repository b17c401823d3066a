package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchSnapshotRequest;
import io.tidemark.broker.protocol.message.FetchSnapshotResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** FetchSnapshot on a controller's listener: the metadata for replicas that the log alone does not help any more. */
final class FetchSnapshotHandler implements ApiHandler<FetchSnapshotRequest> {
    private final ControllerNode node;

    FetchSnapshotHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.FETCH_SNAPSHOT;
    }

    @Override
    public void handle(RequestContext context, FetchSnapshotRequest request) {
        context.respond(node.fetchSnapshot(request, context.apiVersion()));
    }

    @Override
    public ApiMessage errorResponse(FetchSnapshotRequest request, short version, ErrorCode error) {
        return new FetchSnapshotResponse().setErrorCode(error.code());
    }
}

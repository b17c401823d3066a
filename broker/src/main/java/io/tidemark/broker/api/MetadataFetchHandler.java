package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.quorum.ControllerNode;

/** Fetch on a controller's listener: the metadata log, by its voters and by brokers. */
final class MetadataFetchHandler implements ApiHandler<FetchRequest> {
    /** The first version with the epoch of the last fetched record, without which logs cannot be compared. */
    private static final short LEAST_VERSION = 12;

    private final ControllerNode node;

    MetadataFetchHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.FETCH;
    }

    @Override
    public short minVersion() {
        return LEAST_VERSION;
    }

    @Override
    public void handle(RequestContext context, FetchRequest request) {
        node.fetch(request, context.apiVersion(), context::respond);
    }

    @Override
    public ApiMessage errorResponse(FetchRequest request, short version, ErrorCode error) {
        return new FetchResponse().setErrorCode(error.code());
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;

/**
 * Serves one API key. {@code handle} runs on the node's loop and must not block; it answers through the context exactly
 * once, now or later.
 *
 * @param <Q> the generated request type
 */
public interface ApiHandler<Q extends ApiMessage> {
    ApiKey apiKey();

    /** The lowest version served and advertised. */
    default short minVersion() {
        return apiKey().minVersion();
    }

    /** The highest version served and advertised. */
    default short maxVersion() {
        return apiKey().maxStableVersion();
    }

    void handle(RequestContext context, Q request);

    /**
     * The answer of the API's own shape for a request that could not be handled (a thrown exception, or a fault that
     * asks for an error): every part of it carries the error.
     */
    ApiMessage errorResponse(Q request, short version, ErrorCode error);
}

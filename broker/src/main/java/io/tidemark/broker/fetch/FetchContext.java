package io.tidemark.broker.fetch;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchResponse;
import java.util.List;

/** One fetch request, with what its session adds to it. */
public interface FetchContext {
    /** NONE, or why the request is refused as a whole; there is nothing to read then. */
    default ErrorCode error() {
        return ErrorCode.NONE;
    }

    /** What to read, in order. */
    List<FetchItem> items();

    /**
     * Makes the response, and notes in the session what it tells. Called once.
     *
     * @param fetched an answer to each item, in their order
     */
    FetchResponse respond(List<FetchedPartition> fetched, long nowMs);
}

package io.tidemark.broker.transport;

import io.tidemark.broker.protocol.ApiMessage;
import java.io.IOException;

/**
 * Requests to one other node, over one link that is opened at need and opened again after it was lost. Responses come
 * in the order of the requests. On the node's loop only.
 */
public interface Peer {
    /**
     * Sends a request of the newest version that this node speaks.
     *
     * @param timeoutMs after so long without an answer the link is closed and the reply fails
     * @param reply called exactly once, later, on the loop
     */
    void send(ApiMessage request, long timeoutMs, Reply reply);

    /** As {@link #send(ApiMessage, long, Reply)}, at a given version of the API. */
    void send(ApiMessage request, short version, long timeoutMs, Reply reply);

    /** Closes the link; requests under way fail. A later send opens a new one. */
    void close();

    /** Takes the outcome of one request. */
    interface Reply {
        /** The response. Records in it alias the frame and are valid during the call only. */
        void onResponse(ApiMessage response);

        /** There was no answer: refused, lost, timed out, or not readable. */
        void onFailure(IOException cause);
    }
}

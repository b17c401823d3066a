package io.tidemark.broker.transport;

import io.tidemark.broker.protocol.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of the requests that nodes are sent. It stands at their doors: nothing behind them knows of it. The
 * calls of one node come on that node's loop.
 */
public interface RequestFaults {
    /** A node begins to listen through a door. From any thread. */
    void attach(NodeDoor door);

    /** The door's node is at an end. From any thread. */
    void detach(NodeDoor door);

    /** False where every request passes, so that nobody has to look into it. */
    boolean isAwake();

    /** A request came in. It waits until it is told, now or later, to pass, to be answered, or to close its link. */
    void onRequest(InterceptedRequest request);

    /**
     * A request was handled. Its answer waits until the request is told, now or later, what to do with it.
     *
     * @param answer null for a request that has none, as a produce with acks=0
     */
    void onAnswer(InterceptedRequest request, @Nullable OutboundFrame answer);
}

package io.tidemark.broker.replication;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.transport.Peer;

/** The way to the active controller, which it finds by itself. */
@FunctionalInterface
public interface ControllerRequests {
    /**
     * @param timeoutMs for all tries together
     * @param reply called exactly once, later, on the loop
     */
    void send(ApiMessage request, long timeoutMs, Peer.Reply reply);
}

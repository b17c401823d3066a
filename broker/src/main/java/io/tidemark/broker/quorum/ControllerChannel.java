package io.tidemark.broker.quorum;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.transport.Peer;

/**
 * The way from a broker to the active controller. Finds it, opens a link at need, and sends again for as long as the
 * time allows where the link failed or the node asked was not the active controller, so a request may arrive twice;
 * the controller's answers to repeats are harmless for every request that brokers send. On the node's loop only.
 */
public interface ControllerChannel {
    /**
     * @param timeoutMs for the whole of it, all tries together
     * @param reply called exactly once, later, on the loop: with the controller's response, or with a failure where
     *     none came within the time
     */
    void send(ApiMessage request, long timeoutMs, Peer.Reply reply);

    /** As {@link #send(ApiMessage, long, Peer.Reply)}, at a given version, so that a client's request arrives as it was. */
    void send(ApiMessage request, short version, long timeoutMs, Peer.Reply reply);
}

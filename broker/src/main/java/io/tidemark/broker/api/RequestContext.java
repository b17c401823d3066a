package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One request in hand: who asks, at which version, and the way to answer. On the node's loop only. */
public interface RequestContext {
    ApiKey apiKey();

    short apiVersion();

    int correlationId();

    /** The client's own name for itself, or null where it gave none. */
    @Nullable
    String clientId();

    /** The listener that the connection came in on. */
    String listenerName();

    /** The client's address, or null where the network has none. */
    @Nullable
    InetSocketAddress clientAddress();

    /** True while the connection that asked is open; an answer to a closed one is dropped. */
    boolean isConnectionOpen();

    /** Answers. Exactly one of respond, respondNothing and closeConnection is called, once. */
    void respond(ApiMessage response);

    /** Ends the request without an answer, as for a produce with acks=0. */
    void respondNothing();

    /** Ends the request by closing its connection, Kafka's last resort. */
    void closeConnection();
}

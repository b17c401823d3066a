package io.tidemark.broker.api;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ResponseFrames;
import io.tidemark.broker.transport.Network.Link;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request that came over a link. */
final class LinkRequest extends PendingRequest {
    private static final NodeLog LOG = NodeLog.of(LinkRequest.class);

    private final Link link;
    private final int correlationId;
    private final @Nullable String clientId;
    private final Consumer<Link> onDone;

    /**
     * @param onDone told when the request is done, before the link is read again
     */
    LinkRequest(
            Link link,
            ApiKey apiKey,
            short apiVersion,
            int correlationId,
            @Nullable String clientId,
            Consumer<Link> onDone) {
        super(apiKey, apiVersion);
        this.link = link;
        this.correlationId = correlationId;
        this.clientId = clientId;
        this.onDone = onDone;
    }

    @Override
    public int correlationId() {
        return correlationId;
    }

    @Override
    public @Nullable String clientId() {
        return clientId;
    }

    @Override
    public String listenerName() {
        return link.listenerName();
    }

    @Override
    public @Nullable InetSocketAddress clientAddress() {
        return link.remoteAddress();
    }

    @Override
    public boolean isConnectionOpen() {
        return link.isOpen();
    }

    @Override
    void onResponse(@Nullable ApiMessage response) {
        onDone.accept(link);
        if (response != null && link.isOpen() && !send(response)) {
            link.close();
            return;
        }
        link.readable(true);
    }

    /** False where the answer cannot be put into the request's version: a fault of this node, not of the client. */
    private boolean send(ApiMessage response) {
        try {
            link.send(ResponseFrames.encode(apiKey(), apiVersion(), correlationId, response));
            return true;
        } catch (RuntimeException e) {
            LOG.error(
                    "The answer to {} version {} could not be written; the connection from {} is closed",
                    apiKey(),
                    apiVersion(),
                    link.remoteAddress(),
                    e);
            return false;
        }
    }

    @Override
    void onClose() {
        onDone.accept(link);
        link.close();
    }
}

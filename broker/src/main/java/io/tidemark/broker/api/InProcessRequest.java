package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiMessage;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request from this process, with no link behind it. */
final class InProcessRequest extends PendingRequest {
    private static final String CLIENT_ID = "in-process";

    private final String listenerName;
    private final Consumer<@Nullable ApiMessage> done;

    InProcessRequest(ApiHandler<?> handler, String listenerName, Consumer<@Nullable ApiMessage> done) {
        super(handler.apiKey(), handler.maxVersion());
        this.listenerName = listenerName;
        this.done = done;
    }

    @Override
    public int correlationId() {
        return 0;
    }

    @Override
    public String clientId() {
        return CLIENT_ID;
    }

    @Override
    public String listenerName() {
        return listenerName;
    }

    @Override
    public @Nullable InetSocketAddress clientAddress() {
        return null;
    }

    @Override
    public boolean isConnectionOpen() {
        return true;
    }

    @Override
    void onResponse(@Nullable ApiMessage response) {
        done.accept(response);
    }

    @Override
    void onClose() {
        done.accept(null);
    }
}

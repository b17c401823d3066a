package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A request without a connection, which remembers its answer. */
final class AskedOnce implements RequestContext {
    private final ApiKey apiKey;
    private final short version;
    private final String listener;
    private @Nullable ApiMessage answer;

    AskedOnce(ApiKey apiKey, int version, String listener) {
        this.apiKey = apiKey;
        this.version = (short) version;
        this.listener = listener;
    }

    /** Has a handler answer, at a version, as from a listener. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <Q extends ApiMessage, R extends ApiMessage> R ask(
            ApiHandler<Q> handler, int version, String listener, Q request) {
        AskedOnce context = new AskedOnce(handler.apiKey(), version, listener);
        handler.handle(context, request);
        return (R) context.answer();
    }

    ApiMessage answer() {
        if (answer == null) {
            throw new AssertionError(apiKey + " is not answered");
        }
        return answer;
    }

    @Override
    public ApiKey apiKey() {
        return apiKey;
    }

    @Override
    public short apiVersion() {
        return version;
    }

    @Override
    public int correlationId() {
        return 1;
    }

    @Override
    public @Nullable String clientId() {
        return "test";
    }

    @Override
    public String listenerName() {
        return listener;
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
    public void respond(ApiMessage response) {
        if (answer != null) {
            throw new AssertionError(apiKey + " is answered twice");
        }
        answer = response;
    }

    @Override
    public void respondNothing() {
        throw new AssertionError(apiKey + " ends without an answer");
    }

    @Override
    public void closeConnection() {
        throw new AssertionError(apiKey + " closes the connection");
    }
}

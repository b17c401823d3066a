package io.tidemark.broker.api;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.MessageWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A request in a test's hand. Its answer goes through the bytes of its version, as on a link. */
final class RecordedRequest implements RequestContext {
    private final ApiKey apiKey;
    private final short version;
    private final String listener;
    private @Nullable ApiMessage response;

    RecordedRequest(ApiKey apiKey, int version) {
        this(apiKey, version, "PLAINTEXT");
    }

    private RecordedRequest(ApiKey apiKey, int version, String listener) {
        this.apiKey = apiKey;
        this.version = (short) version;
        this.listener = listener;
    }

    /** Has the handler serve a request that was read from bytes of the version. */
    static <Q extends ApiMessage> RecordedRequest serve(ApiHandler<Q> handler, int version, Q request) {
        return serve(handler, version, "PLAINTEXT", request);
    }

    /** The same, for a request that came in on a listener. */
    static <Q extends ApiMessage> RecordedRequest serve(
            ApiHandler<Q> handler, int version, String listener, Q request) {
        RecordedRequest context = new RecordedRequest(handler.apiKey(), version, listener);
        @SuppressWarnings("unchecked")
        Q read = (Q) handler.apiKey().newRequest();
        handler.handle(context, throughBytes(request, read, (short) version));
        return context;
    }

    /** Has a handler answer at once, at a version, as from a listener. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <Q extends ApiMessage, R extends ApiMessage> R ask(
            ApiHandler<Q> handler, int version, String listener, Q request) {
        return (R) serve(handler, version, listener, request).response(ApiMessage.class);
    }

    private static <M extends ApiMessage> M throughBytes(M message, M empty, short version) {
        MessageWriter out = new MessageWriter();
        message.write(out, version);
        empty.read(new MessageReader(Unpooled.wrappedBuffer(out.toByteArray())), version);
        return empty;
    }

    boolean isAnswered() {
        return response != null;
    }

    <R extends ApiMessage> R response(Class<R> type) {
        if (response == null) {
            throw new AssertionError("Expected an answer to " + apiKey + " by now; there is none");
        }
        return type.cast(response);
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
    public String clientId() {
        return "client";
    }

    @Override
    public String listenerName() {
        return listener;
    }

    @Override
    public InetSocketAddress clientAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1234);
    }

    @Override
    public boolean isConnectionOpen() {
        return true;
    }

    @Override
    public void respond(ApiMessage answer) {
        if (response != null) {
            throw new AssertionError("Answered twice: " + response + " and " + answer);
        }
        response = throughBytes(answer, apiKey.newResponse(), version);
    }

    @Override
    public void respondNothing() {
        throw new AssertionError("Nothing is no answer to " + apiKey);
    }

    @Override
    public void closeConnection() {
        throw new AssertionError("The connection is closed by " + apiKey);
    }
}

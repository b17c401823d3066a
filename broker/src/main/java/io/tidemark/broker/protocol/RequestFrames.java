package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.message.RequestHeader;
import org.jspecify.annotations.Nullable;

/** Requests as frames: a header whose version follows from the API and its version, and the request's body. */
public final class RequestFrames {
    private RequestFrames() {}

    public static OutboundFrame encode(
            ApiKey apiKey, short version, int correlationId, @Nullable String clientId, ApiMessage request) {
        MessageWriter out = new MessageWriter();
        new RequestHeader()
                .setRequestApiKey(apiKey.id())
                .setRequestApiVersion(version)
                .setCorrelationId(correlationId)
                .setClientId(clientId)
                .write(out, apiKey.requestHeaderVersion(version));
        request.write(out, version);
        return out.toFrame();
    }

    /**
     * The API that the frame's first two bytes name, or null where there is none; reads nothing.
     *
     * @throws InvalidMessageException if the frame is too short
     */
    public static @Nullable ApiKey apiKey(ByteBuf frame) {
        return ApiKey.forId(new MessageReader(frame.slice()).readShort("RequestHeader.requestApiKey"));
    }

    /**
     * Reads the header; the reader is then at the body. The API's version may be one that its messages do not have.
     *
     * @throws InvalidMessageException if the bytes are no header, or name an API that does not exist
     */
    public static RequestHeader readHeader(MessageReader in) {
        int at = in.position();
        short id = in.peekShort(0, "RequestHeader.requestApiKey");
        short version = in.peekShort(2, "RequestHeader.requestApiVersion");
        ApiKey apiKey = ApiKey.forId(id);
        if (apiKey == null) {
            throw InvalidMessageException.unexpected(
                    "RequestHeader.requestApiKey", at, "a known API key", Short.toString(id));
        }
        RequestHeader header = new RequestHeader();
        header.read(in, apiKey.requestHeaderVersion(version));
        return header;
    }

    /**
     * Reads the body that follows the header.
     *
     * @throws InvalidMessageException if the bytes are no such request, or there is no such version
     */
    public static ApiMessage readBody(MessageReader in, ApiKey apiKey, short version) {
        ApiMessage request = apiKey.newRequest();
        request.read(in, version);
        return request;
    }
}

package io.tidemark.broker.protocol;

import io.tidemark.broker.protocol.message.ResponseHeader;

/** Responses as frames: a header whose version follows from the API and its version, and the response's body. */
public final class ResponseFrames {
    private ResponseFrames() {}

    public static OutboundFrame encode(ApiKey apiKey, short version, int correlationId, ApiMessage response) {
        MessageWriter out = new MessageWriter();
        new ResponseHeader().setCorrelationId(correlationId).write(out, apiKey.responseHeaderVersion(version));
        response.write(out, version);
        return out.toFrame();
    }

    /**
     * Reads the header of a response to a request of the API and version; the reader is then at the body.
     *
     * @throws InvalidMessageException if the bytes are no header
     */
    public static ResponseHeader readHeader(MessageReader in, ApiKey apiKey, short version) {
        ResponseHeader header = new ResponseHeader();
        header.read(in, apiKey.responseHeaderVersion(version));
        return header;
    }

    /**
     * Reads the body that follows the header.
     *
     * @throws InvalidMessageException if the bytes are no such response
     */
    public static ApiMessage readBody(MessageReader in, ApiKey apiKey, short version) {
        ApiMessage response = apiKey.newResponse();
        response.read(in, version);
        return response;
    }
}

package io.tidemark.broker.network;

import java.io.IOException;

/** The bytes of a connection cannot be frames of Kafka's protocol. */
final class MalformedFrameException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedFrameException(String message) {
        super(message);
    }
}

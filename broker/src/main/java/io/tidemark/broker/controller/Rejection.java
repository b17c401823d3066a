package io.tidemark.broker.controller;

import io.tidemark.broker.protocol.ErrorCode;

/** A command, or a part of one, that the controller will not carry out. Caught where the answer is made. */
final class Rejection extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode error;

    Rejection(ErrorCode error, String message) {
        super(message, null, false, false);
        this.error = error;
    }

    ErrorCode error() {
        return error;
    }

    String reason() {
        String message = getMessage();
        return message == null ? error.name() : message;
    }
}

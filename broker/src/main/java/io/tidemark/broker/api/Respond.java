package io.tidemark.broker.api;

import io.tidemark.broker.coordinator.runtime.Completion;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.function.Consumer;

/** A completion out of two lambdas. */
record Respond<R>(Consumer<R> reply, Consumer<ErrorCode> error) implements Completion<R> {
    @Override
    public void onReply(R value) {
        reply.accept(value);
    }

    @Override
    public void onError(ErrorCode code) {
        error.accept(code);
    }
}

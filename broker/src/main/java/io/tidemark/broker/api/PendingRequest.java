package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/** A request in hand, which is done once. */
abstract class PendingRequest implements RequestContext {
    private final ApiKey apiKey;
    private final short apiVersion;
    private boolean done;

    PendingRequest(ApiKey apiKey, short apiVersion) {
        this.apiKey = apiKey;
        this.apiVersion = apiVersion;
    }

    @Override
    public final ApiKey apiKey() {
        return apiKey;
    }

    @Override
    public final short apiVersion() {
        return apiVersion;
    }

    final boolean isDone() {
        return done;
    }

    @Override
    public final void respond(ApiMessage response) {
        finish();
        onResponse(response);
    }

    @Override
    public final void respondNothing() {
        finish();
        onResponse(null);
    }

    @Override
    public final void closeConnection() {
        finish();
        onClose();
    }

    private void finish() {
        if (done) {
            throw new IllegalStateException("A request of " + apiKey + " is answered twice");
        }
        done = true;
    }

    /** The answer, or null where there is to be none. */
    abstract void onResponse(@Nullable ApiMessage response);

    abstract void onClose();
}

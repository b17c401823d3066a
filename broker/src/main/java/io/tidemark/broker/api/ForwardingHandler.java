package io.tidemark.broker.api;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.quorum.ControllerChannel;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/**
 * A request on a broker's listener that only the controller can decide on: sent on as it came, at the version at which
 * it came, and answered with what the controller says, or REQUEST_TIMED_OUT.
 */
final class ForwardingHandler<Q extends ApiMessage> implements ApiHandler<Q> {
    private static final NodeLog LOG = NodeLog.of(ForwardingHandler.class);

    private final ApiKey apiKey;
    private final ControllerChannel channel;
    private final ToLongFunction<Q> timeoutMs;
    private final BiFunction<Q, ErrorCode, ApiMessage> errorAnswer;

    ForwardingHandler(
            ApiKey apiKey,
            ControllerChannel channel,
            ToLongFunction<Q> timeoutMs,
            BiFunction<Q, ErrorCode, ApiMessage> errorAnswer) {
        this.apiKey = apiKey;
        this.channel = channel;
        this.timeoutMs = timeoutMs;
        this.errorAnswer = errorAnswer;
    }

    @Override
    public ApiKey apiKey() {
        return apiKey;
    }

    @Override
    public void handle(RequestContext context, Q request) {
        channel.send(request, context.apiVersion(), timeoutMs.applyAsLong(request), new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                context.respond(response);
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("{} was not answered by the controller: {}", apiKey, cause.getMessage());
                context.respond(errorAnswer.apply(request, ErrorCode.REQUEST_TIMED_OUT));
            }
        });
    }

    @Override
    public ApiMessage errorResponse(Q request, short version, ErrorCode error) {
        return errorAnswer.apply(request, error);
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.controller.Controller;
import io.tidemark.broker.controller.ControllerResult;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.quorum.ControllerNode;
import java.util.function.BiFunction;

/**
 * A request that the controller decides on, on a controller's listener. Answered when the decision is committed, and
 * with NOT_CONTROLLER where this node is not the active one, or no longer is when the decision would be committed.
 */
final class ControllerCommandHandler<Q extends ApiMessage, R extends ApiMessage> implements ApiHandler<Q> {
    private final ApiKey apiKey;
    private final ControllerNode node;
    private final Decision<Q, R> decision;
    private final BiFunction<Q, ErrorCode, ApiMessage> errorAnswer;

    ControllerCommandHandler(
            ApiKey apiKey,
            ControllerNode node,
            Decision<Q, R> decision,
            BiFunction<Q, ErrorCode, ApiMessage> errorAnswer) {
        this.apiKey = apiKey;
        this.node = node;
        this.decision = decision;
        this.errorAnswer = errorAnswer;
    }

    /** What the controller is asked; time is monotonic. */
    @FunctionalInterface
    interface Decision<Q, R> {
        ControllerResult<R> decide(Controller controller, Q request, long nowMs);
    }

    @Override
    public ApiKey apiKey() {
        return apiKey;
    }

    @Override
    public void handle(RequestContext context, Q request) {
        boolean taken = node.submit(
                (controller, nowMs) -> decision.decide(controller, request, nowMs),
                context::respond,
                () -> context.respond(errorAnswer.apply(request, ErrorCode.NOT_CONTROLLER)));
        if (!taken) {
            context.respond(errorAnswer.apply(request, ErrorCode.NOT_CONTROLLER));
        }
    }

    @Override
    public ApiMessage errorResponse(Q request, short version, ErrorCode error) {
        return errorAnswer.apply(request, error);
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.controller.Controller;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;
import io.tidemark.broker.quorum.ControllerNode;

/**
 * UpdateFeatures on a controller's listener. kraft.version is no record of the metadata but the quorum's own, and is
 * raised when all else of the request is committed.
 */
final class UpdateFeaturesHandler implements ApiHandler<UpdateFeaturesRequest> {
    private final ControllerNode node;

    UpdateFeaturesHandler(ControllerNode node) {
        this.node = node;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.UPDATE_FEATURES;
    }

    @Override
    public void handle(RequestContext context, UpdateFeaturesRequest request) {
        short kraftVersion = node.kraftVersion();
        boolean taken = node.submit(
                (controller, nowMs) -> controller.updateFeatures(request, kraftVersion),
                response -> finish(context, request, kraftVersion, response),
                () -> context.respond(ErrorAnswers.updateFeatures(request, ErrorCode.NOT_CONTROLLER)));
        if (!taken) {
            context.respond(ErrorAnswers.updateFeatures(request, ErrorCode.NOT_CONTROLLER));
        }
    }

    private void finish(
            RequestContext context,
            UpdateFeaturesRequest request,
            short kraftVersion,
            UpdateFeaturesResponse response) {
        boolean raises = Controller.raisesKraftVersion(request, kraftVersion);
        if (response.errorCode() != ErrorCode.NONE.code() || request.validateOnly() || !raises) {
            context.respond(response);
            return;
        }
        node.upgradeKraftVersion((error, message) -> {
            if (error == ErrorCode.NONE) {
                context.respond(response);
            } else {
                context.respond(ErrorAnswers.updateFeatures(request, error).setErrorMessage(message));
            }
        });
    }

    @Override
    public ApiMessage errorResponse(UpdateFeaturesRequest request, short version, ErrorCode error) {
        return ErrorAnswers.updateFeatures(request, error);
    }
}

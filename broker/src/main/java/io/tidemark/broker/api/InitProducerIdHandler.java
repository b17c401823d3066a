package io.tidemark.broker.api;

import io.tidemark.broker.coordinator.runtime.ProducerIds;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;

/**
 * InitProducerId: a fresh id with epoch 0 for a producer that is idempotent and not transactional, as Kafka has it also
 * where the producer names an id that it had before. A transactional id is refused with an error that no client repeats.
 */
public final class InitProducerIdHandler implements ApiHandler<InitProducerIdRequest> {
    private static final long NO_PRODUCER_ID = -1;
    private static final short NO_PRODUCER_EPOCH = -1;

    private final ProducerIds producerIds;

    public InitProducerIdHandler(ProducerIds producerIds) {
        this.producerIds = producerIds;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.INIT_PRODUCER_ID;
    }

    @Override
    public void handle(RequestContext context, InitProducerIdRequest request) {
        short version = context.apiVersion();
        boolean halfNamed = (request.producerId() == NO_PRODUCER_ID) != (request.producerEpoch() == NO_PRODUCER_EPOCH);
        if (request.transactionalId() != null || halfNamed) {
            context.respond(errorResponse(request, version, ErrorCode.INVALID_REQUEST));
            return;
        }
        producerIds.next(new Respond<Long>(
                id -> context.respond(
                        new InitProducerIdResponse().setProducerId(id).setProducerEpoch((short) 0)),
                error -> context.respond(errorResponse(request, version, error))));
    }

    @Override
    public InitProducerIdResponse errorResponse(InitProducerIdRequest request, short version, ErrorCode error) {
        return new InitProducerIdResponse()
                .setErrorCode(error.code())
                .setProducerId(NO_PRODUCER_ID)
                .setProducerEpoch(NO_PRODUCER_EPOCH);
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.transaction.ProducerAnswer;
import io.tidemark.broker.transaction.TransactionCoordinator;

/**
 * InitProducerId. Without a transactional id it is a fresh id with epoch 0, as Kafka has it also where the producer names
 * an id that it had before; with one the id's coordinator decides.
 */
public final class InitProducerIdHandler implements ApiHandler<InitProducerIdRequest> {
    private static final long NO_PRODUCER_ID = -1;
    private static final short NO_PRODUCER_EPOCH = -1;
    private static final int FIRST_VERSION_WITH_FENCED = 4;

    private final TransactionAccess transactions;

    public InitProducerIdHandler(TransactionAccess transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.INIT_PRODUCER_ID;
    }

    @Override
    public void handle(RequestContext context, InitProducerIdRequest request) {
        boolean halfNamed = (request.producerId() == NO_PRODUCER_ID) != (request.producerEpoch() == NO_PRODUCER_EPOCH);
        String transactionalId = request.transactionalId();
        if (halfNamed) {
            respond(context, ProducerAnswer.failed(ErrorCode.INVALID_REQUEST));
        } else if (transactionalId == null) {
            transactions
                    .producerIds()
                    .next(new Respond<Long>(
                            id -> respond(context, new ProducerAnswer(ErrorCode.NONE, id, (short) 0, false)),
                            error -> respond(context, ProducerAnswer.failed(error))));
        } else {
            initialize(context, request, transactionalId);
        }
    }

    private void initialize(RequestContext context, InitProducerIdRequest request, String transactionalId) {
        ErrorCode fault = TransactionCoordinator.checkTerms(
                transactions.settings(),
                transactionalId,
                request.transactionTimeoutMs(),
                request.enable2Pc(),
                request.keepPreparedTxn());
        if (fault != ErrorCode.NONE) {
            respond(context, ProducerAnswer.failed(fault));
            return;
        }
        int timeoutMs = request.enable2Pc() ? TransactionCoordinator.NO_TIMEOUT : request.transactionTimeoutMs();
        transactions.decide(
                transactionalId,
                (shard, newProducerId, nowMs) -> shard.initProducerId(
                        transactionalId,
                        timeoutMs,
                        request.producerId(),
                        request.producerEpoch(),
                        newProducerId,
                        nowMs),
                answer -> respond(context, answer));
    }

    private static void respond(RequestContext context, ProducerAnswer answer) {
        context.respond(new InitProducerIdResponse()
                .setErrorCode(OldErrors.fenced(answer.error(), context.apiVersion(), FIRST_VERSION_WITH_FENCED)
                        .code())
                .setProducerId(answer.producerId())
                .setProducerEpoch(answer.producerEpoch()));
    }

    @Override
    public InitProducerIdResponse errorResponse(InitProducerIdRequest request, short version, ErrorCode error) {
        return new InitProducerIdResponse()
                .setErrorCode(error.code())
                .setProducerId(NO_PRODUCER_ID)
                .setProducerEpoch(NO_PRODUCER_EPOCH);
    }
}

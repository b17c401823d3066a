package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.EndTxnRequest;
import io.tidemark.broker.protocol.message.EndTxnResponse;
import io.tidemark.broker.transaction.EndTxn;
import io.tidemark.broker.transaction.TransactionVersion;

/** EndTxn: a producer commits or aborts. The answer comes when that is certain, before the markers are written. */
public final class EndTxnHandler implements ApiHandler<EndTxnRequest> {
    private static final int FIRST_VERSION_WITH_FENCED = 2;

    private final TransactionAccess transactions;

    public EndTxnHandler(TransactionAccess transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.END_TXN;
    }

    @Override
    public void handle(RequestContext context, EndTxnRequest request) {
        EndTxn end = new EndTxn(
                request.transactionalId(),
                request.producerId(),
                request.producerEpoch(),
                request.committed(),
                TransactionVersion.ofEndTxn(context.apiVersion()));
        transactions.decide(
                end.transactionalId(),
                (shard, newProducerId, nowMs) -> shard.end(end, newProducerId, nowMs),
                answer -> context.respond(new EndTxnResponse()
                        .setErrorCode(OldErrors.fenced(answer.error(), context.apiVersion(), FIRST_VERSION_WITH_FENCED)
                                .code())
                        .setProducerId(answer.producerId())
                        .setProducerEpoch(answer.producerEpoch())));
    }

    @Override
    public EndTxnResponse errorResponse(EndTxnRequest request, short version, ErrorCode error) {
        return new EndTxnResponse().setErrorCode(error.code());
    }
}

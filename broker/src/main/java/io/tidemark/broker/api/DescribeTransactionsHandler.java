package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeTransactionsRequest;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse.TransactionState;

/** DescribeTransactions (KIP-664): what this node knows of transactional ids, as far as it is their coordinator. */
public final class DescribeTransactionsHandler implements ApiHandler<DescribeTransactionsRequest> {
    private final TransactionAccess transactions;

    public DescribeTransactionsHandler(TransactionAccess transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_TRANSACTIONS;
    }

    @Override
    public void handle(RequestContext context, DescribeTransactionsRequest request) {
        Gather<TransactionState> answers = new Gather<>(
                request.transactionalIds().size(),
                whole -> context.respond(new DescribeTransactionsResponse().setTransactionStates(whole)));
        for (int i = 0; i < request.transactionalIds().size(); i++) {
            int place = i;
            String id = request.transactionalIds().get(i);
            if (id.isEmpty()) {
                answers.put(place, failed(id, ErrorCode.INVALID_REQUEST));
                continue;
            }
            transactions
                    .runtime()
                    .read(
                            transactions.partitionOf(id),
                            (shard, nowMs) -> shard.describe(id, transactions.ended(id)),
                            new Respond<TransactionState>(
                                    described -> answers.put(place, described),
                                    error -> answers.put(place, failed(id, error))));
        }
    }

    private static TransactionState failed(String transactionalId, ErrorCode error) {
        return new TransactionState().setTransactionalId(transactionalId).setErrorCode(error.code());
    }

    @Override
    public DescribeTransactionsResponse errorResponse(
            DescribeTransactionsRequest request, short version, ErrorCode error) {
        DescribeTransactionsResponse response = new DescribeTransactionsResponse();
        request.transactionalIds().forEach(id -> response.transactionStates().add(failed(id, error)));
        return response;
    }
}

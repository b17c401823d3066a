package io.tidemark.broker.api;

import java.util.List;

/** The handlers of everything that the transaction coordinator answers. */
public final class TransactionHandlers {
    private TransactionHandlers() {}

    public static List<ApiHandler<?>> of(TransactionAccess transactions, GroupAccess groups) {
        return List.of(
                new InitProducerIdHandler(transactions),
                new AddPartitionsToTxnHandler(transactions),
                new AddOffsetsToTxnHandler(transactions, groups),
                new EndTxnHandler(transactions),
                new DescribeTransactionsHandler(transactions),
                new ListTransactionsHandler(transactions));
    }
}

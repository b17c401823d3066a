package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListTransactionsRequest;
import io.tidemark.broker.protocol.message.ListTransactionsResponse;
import io.tidemark.broker.protocol.message.ListTransactionsResponse.TransactionState;
import io.tidemark.broker.transaction.TransactionViews;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** ListTransactions (KIP-664): the transactional ids that this node coordinates, of those the ones that are asked for. */
public final class ListTransactionsHandler implements ApiHandler<ListTransactionsRequest> {
    private final TransactionAccess transactions;

    public ListTransactionsHandler(TransactionAccess transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.LIST_TRANSACTIONS;
    }

    @Override
    public void handle(RequestContext context, ListTransactionsRequest request) {
        String pattern = request.transactionalIdPattern();
        Pattern ids;
        try {
            ids = pattern == null || pattern.isEmpty() ? null : LinearPattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            context.respond(errorResponse(request, context.apiVersion(), ErrorCode.INVALID_REGULAR_EXPRESSION));
            return;
        }
        list(context, request, ids);
    }

    private void list(RequestContext context, ListTransactionsRequest request, @Nullable Pattern ids) {
        List<Integer> partitions = transactions.runtime().partitions();
        List<ErrorCode> errors = new ArrayList<>();
        Gather<List<TransactionState>> answers = new Gather<>(partitions.size(), whole -> {
            if (errors.isEmpty()) {
                List<TransactionState> all = new ArrayList<>();
                whole.forEach(all::addAll);
                context.respond(new ListTransactionsResponse()
                        .setUnknownStateFilters(TransactionViews.unknownStates(request))
                        .setTransactionStates(all));
            } else {
                context.respond(errorResponse(request, context.apiVersion(), errors.get(0)));
            }
        });
        for (int i = 0; i < partitions.size(); i++) {
            int place = i;
            transactions
                    .runtime()
                    .read(
                            partitions.get(i),
                            (shard, nowMs) -> shard.list(request, ids, nowMs),
                            new Respond<List<TransactionState>>(listed -> answers.put(place, listed), error -> {
                                // A partition that went meanwhile is somebody else's to list.
                                if (error != ErrorCode.NOT_COORDINATOR) {
                                    errors.add(error);
                                }
                                answers.put(place, List.of());
                            }));
        }
    }

    @Override
    public ListTransactionsResponse errorResponse(ListTransactionsRequest request, short version, ErrorCode error) {
        return new ListTransactionsResponse().setErrorCode(error.code());
    }
}

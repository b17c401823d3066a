package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddOffsetsToTxnRequest;
import io.tidemark.broker.protocol.message.AddOffsetsToTxnResponse;
import io.tidemark.broker.transaction.TransactionVersion;
import io.tidemark.broker.types.TopicPartition;
import java.util.TreeSet;

/** AddOffsetsToTxn: a transaction takes in the partition that a group's offsets are on. */
public final class AddOffsetsToTxnHandler implements ApiHandler<AddOffsetsToTxnRequest> {
    private static final int FIRST_VERSION_WITH_FENCED = 2;

    private final TransactionAccess transactions;
    private final GroupAccess groups;

    public AddOffsetsToTxnHandler(TransactionAccess transactions, GroupAccess groups) {
        this.transactions = transactions;
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.ADD_OFFSETS_TO_TXN;
    }

    @Override
    public void handle(RequestContext context, AddOffsetsToTxnRequest request) {
        TreeSet<TopicPartition> offsets = new TreeSet<>();
        offsets.add(new TopicPartition(GroupAccess.OFFSETS_TOPIC, groups.partitionOf(request.groupId())));
        transactions
                .runtime()
                .writeInSync(
                        transactions.partitionOf(request.transactionalId()),
                        transactions.commitTimeoutMs(),
                        (shard, nowMs) -> shard.addPartitions(
                                request.transactionalId(),
                                request.producerId(),
                                request.producerEpoch(),
                                offsets,
                                TransactionVersion.V0,
                                nowMs),
                        new Respond<ErrorCode>(error -> respond(context, error), error -> respond(context, error)));
    }

    private static void respond(RequestContext context, ErrorCode error) {
        context.respond(new AddOffsetsToTxnResponse()
                .setErrorCode(OldErrors.fenced(error, context.apiVersion(), FIRST_VERSION_WITH_FENCED)
                        .code()));
    }

    @Override
    public AddOffsetsToTxnResponse errorResponse(AddOffsetsToTxnRequest request, short version, ErrorCode error) {
        return new AddOffsetsToTxnResponse().setErrorCode(error.code());
    }
}

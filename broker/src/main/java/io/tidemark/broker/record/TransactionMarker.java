package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;

/**
 * The end of a producer's transaction, as its coordinator has it written to each partition of the transaction.
 *
 * @param producerId whose transaction
 * @param producerEpoch the epoch that ends it
 * @param commit true for a commit, false for an abort
 * @param coordinatorEpoch the epoch of the coordinator that asks for it
 * @param transactionVersion the version of the transaction's protocol, as far as the coordinator says; else 0
 */
public record TransactionMarker(
        long producerId, short producerEpoch, boolean commit, int coordinatorEpoch, int transactionVersion) {
    /** It names a producer and an epoch; without either it would end nobody's transaction. */
    public boolean isWhole() {
        return producerId >= 0 && producerEpoch >= 0;
    }

    /** The control batch; the caller owns it. */
    public ByteBuf toBatch(long timestampMs) {
        return RecordBatchBuilder.endTransactionMarker(
                timestampMs, producerId, producerEpoch, commit, coordinatorEpoch);
    }

    /** The rules that it is held to. */
    public AppendTerms terms() {
        return AppendTerms.marker(transactionVersion);
    }
}

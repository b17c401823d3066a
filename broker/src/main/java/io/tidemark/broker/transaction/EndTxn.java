package io.tidemark.broker.transaction;

/**
 * A producer ends its transaction.
 *
 * @param transactionalId the id
 * @param producerId the producer's id, as it knows it
 * @param producerEpoch its epoch, as it knows it
 * @param isCommit true to commit, false to abort
 * @param clientVersion the version of transactions that it is on
 */
public record EndTxn(
        String transactionalId,
        long producerId,
        short producerEpoch,
        boolean isCommit,
        TransactionVersion clientVersion) {}

package io.tidemark.broker.transaction;

import io.tidemark.broker.protocol.ErrorCode;

/**
 * The answer to InitProducerId and EndTxn.
 *
 * @param error the outcome
 * @param producerId the producer id to go on with, -1 where there is none to tell
 * @param producerEpoch the epoch to go on with, -1 where there is none to tell
 * @param needsProducerId nothing was decided for want of a producer id: ask again with one
 */
public record ProducerAnswer(ErrorCode error, long producerId, short producerEpoch, boolean needsProducerId) {
    static final ProducerAnswer NEEDS_PRODUCER_ID = new ProducerAnswer(
            ErrorCode.NONE, TransactionMetadata.NO_PRODUCER_ID, TransactionMetadata.NO_PRODUCER_EPOCH, true);

    public static ProducerAnswer failed(ErrorCode error) {
        return new ProducerAnswer(
                error, TransactionMetadata.NO_PRODUCER_ID, TransactionMetadata.NO_PRODUCER_EPOCH, false);
    }

    static ProducerAnswer of(TransactionMetadata metadata) {
        return new ProducerAnswer(ErrorCode.NONE, metadata.producerId(), metadata.producerEpoch(), false);
    }
}

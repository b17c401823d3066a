package io.tidemark.broker.log;

/**
 * A producer that a log remembers.
 *
 * @param producerId its id
 * @param producerEpoch its epoch
 * @param lastSequence the sequence of its last record, -1 for none
 * @param lastTimestamp the greatest timestamp of its last batch, in milliseconds since the epoch
 * @param coordinatorEpoch the epoch of the coordinator that wrote its last marker, -1 for none
 * @param openTransactionOffset the first offset of its open transaction, -1 for none
 */
public record ActiveProducer(
        long producerId,
        short producerEpoch,
        int lastSequence,
        long lastTimestamp,
        int coordinatorEpoch,
        long openTransactionOffset) {}

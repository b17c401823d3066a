package io.tidemark;

import java.util.OptionalLong;

/**
 * What a replica knows of one idempotent or transactional producer at one moment. Immutable.
 *
 * <pre>{@code
 * for (ProducerState producer : cluster.partition("orders", 0).producers()) {
 *     System.out.println(producer.producerId() + " is at sequence " + producer.lastSequence());
 * }
 * }</pre>
 *
 * @param producerId its id
 * @param producerEpoch its epoch; a producer with a lower one is fenced
 * @param lastSequence the sequence number of its last record; -1 where it has none in this epoch
 * @param lastTimestampMs the timestamp of its last batch, in milliseconds since 1970; -1 for none
 * @param coordinatorEpoch the epoch of the coordinator that wrote its last marker; -1 for none
 * @param transactionStartOffset the first offset of its open transaction; empty where none is open
 */
public record ProducerState(
        long producerId,
        int producerEpoch,
        int lastSequence,
        long lastTimestampMs,
        int coordinatorEpoch,
        OptionalLong transactionStartOffset) {

    /** For example {@code producer 7 epoch 0, last sequence 4, transaction open from 3}. */
    @Override
    public String toString() {
        return "producer " + producerId + " epoch " + producerEpoch + ", last sequence " + lastSequence
                + (transactionStartOffset.isPresent()
                        ? ", transaction open from " + transactionStartOffset.getAsLong()
                        : "");
    }
}

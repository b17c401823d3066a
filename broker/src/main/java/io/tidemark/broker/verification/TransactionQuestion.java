package io.tidemark.broker.verification;

import io.tidemark.broker.types.TopicPartition;
import java.util.List;

/**
 * May a producer write to these partitions in the transaction that it has open?
 *
 * @param transactionalId whose coordinator is asked
 * @param producerId the producer's id
 * @param producerEpoch the epoch that it writes in
 * @param partitions at least one
 * @param support what the client knows of, and whether the partitions are to be added to the transaction
 */
public record TransactionQuestion(
        String transactionalId,
        long producerId,
        short producerEpoch,
        List<TopicPartition> partitions,
        TransactionSupport support) {
    public TransactionQuestion {
        partitions = List.copyOf(partitions);
    }
}

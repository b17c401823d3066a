package io.tidemark;

import java.time.Duration;
import java.util.List;

/**
 * A transactional id at one moment, as its coordinator had it.
 *
 * @param state by Kafka's name: {@code Empty}, {@code Ongoing}, {@code PrepareCommit}, {@code PrepareAbort},
 *     {@code CompleteCommit} or {@code CompleteAbort}
 * @param producerId the producer id in use
 * @param producerEpoch the epoch in use; a producer with a lower one is fenced
 * @param timeout how long a transaction may stay open
 * @param partitions what the open transaction has touched, each as {@code topic-partition}, in order; while it ends,
 *     those where its end is not written yet
 */
public record TransactionSnapshot(
        String state, long producerId, int producerEpoch, Duration timeout, List<String> partitions) {
    public TransactionSnapshot {
        partitions = List.copyOf(partitions);
    }
}

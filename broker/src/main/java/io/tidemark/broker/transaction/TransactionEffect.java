package io.tidemark.broker.transaction;

import io.tidemark.broker.types.TopicPartition;
import java.util.SortedSet;

/** What a shard wants done outside of itself. */
public sealed interface TransactionEffect {
    String transactionalId();

    /**
     * The end of a transaction is decided and committed: every partition is to be told, however long it takes, and then
     * the transaction is to be completed.
     *
     * @param producerEpoch the epoch that the markers carry
     * @param version of transactions, by which the partitions judge that epoch (KIP-1228)
     */
    record SendMarkers(
            String transactionalId,
            long producerId,
            short producerEpoch,
            boolean isCommit,
            SortedSet<TopicPartition> partitions,
            TransactionVersion version)
            implements TransactionEffect {}

    /** A transaction took too long and is to be aborted, unless the producer has gone on meanwhile. */
    record AbortTimedOut(String transactionalId, long producerId, short producerEpoch) implements TransactionEffect {}
}

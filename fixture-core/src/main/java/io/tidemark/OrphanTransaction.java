package io.tidemark;

/**
 * Records of a transaction that no coordinator knows. Readers of committed records get nothing past the first one, and no
 * timeout ends it: an operator has to, with {@code kafka-transactions.sh abort} or the admin client's
 * {@code abortTransaction}.
 *
 * <pre>{@code
 * OrphanTransaction orphan = cluster.transactions().orphan(cluster.partition("orders", 0), "one");
 * assertThat(cluster.partition("orders", 0)).hasOpenTransaction(orphan.producerId(), orphan.firstOffset());
 * }</pre>
 *
 * @param topic the topic that it is in
 * @param partition the partition that it is in
 * @param producerId a producer id that nobody was given
 * @param producerEpoch the epoch of its records
 * @param firstOffset the offset of its first record
 */
public record OrphanTransaction(String topic, int partition, long producerId, int producerEpoch, long firstOffset) {}

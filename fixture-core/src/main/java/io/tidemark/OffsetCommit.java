package io.tidemark;

/**
 * One commit of an offset, as it lies in {@code __consumer_offsets}. Immutable.
 *
 * <pre>{@code
 * assertThat(cluster.group("billing").commits())
 *         .allSatisfy(commit -> assertThat(commit.fate()).isEqualTo(TransactionFate.COMMITTED));
 * }</pre>
 *
 * @param partition what was committed, for example {@code orders-0}
 * @param offset the offset that the group goes on from
 * @param timestampMs when, in milliseconds since 1970
 * @param where the partition of {@code __consumer_offsets} that holds it
 * @param logOffset where in there
 * @param producerId of the transaction that it is part of; -1 for none
 * @param producerEpoch of that producer; -1 for none
 * @param fate PLAIN for a commit outside of transactions
 */
public record OffsetCommit(
        String partition,
        long offset,
        long timestampMs,
        String where,
        long logOffset,
        long producerId,
        short producerEpoch,
        TransactionFate fate) {
    /** True where it counts: outside of transactions, or in one that was committed. */
    public boolean isEffective() {
        return fate == TransactionFate.PLAIN || fate == TransactionFate.COMMITTED;
    }

    /** For example {@code 17 of orders-0 at __consumer_offsets-3 offset 5, producer 2 epoch 0 COMMITTED}. */
    @Override
    public String toString() {
        return offset + " of " + partition + " at " + where + " offset " + logOffset
                + (fate == TransactionFate.PLAIN
                        ? ", outside of any transaction"
                        : ", producer " + producerId + " epoch " + producerEpoch + " " + fate);
    }
}

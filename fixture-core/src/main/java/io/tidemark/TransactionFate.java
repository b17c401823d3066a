package io.tidemark;

/**
 * What became of the transaction that a record was written in, as the log around the record tells.
 *
 * <pre>{@code
 * assertThat(cluster.partition("orders", 0).recordsOn(1))
 *         .extracting(ReplicaRecord::fate)
 *         .containsOnly(TransactionFate.COMMITTED);
 * }</pre>
 */
public enum TransactionFate {
    /** It was written outside of any transaction. */
    PLAIN,
    /** A commit marker of its producer comes after it. */
    COMMITTED,
    /** An abort marker of its producer comes after it. */
    ABORTED,
    /** No marker of its producer comes after it. */
    OPEN
}

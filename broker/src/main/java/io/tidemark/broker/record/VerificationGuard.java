package io.tidemark.broker.record;

/**
 * Says which look at the transaction coordinator an append rests on (KIP-890). A log gives a new one to the first writer
 * of a producer that has no transaction open there, and takes it back when the transaction begins or ends. So an append
 * whose answer from the coordinator is older than a marker is told from one whose answer is not.
 *
 * @param number different for each guard of a log, 0 for {@link #NONE}
 */
public record VerificationGuard(long number) {
    /** No look at the coordinator: enough where a transaction is open already. */
    public static final VerificationGuard NONE = new VerificationGuard(0);
}

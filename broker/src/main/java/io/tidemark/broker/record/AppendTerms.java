package io.tidemark.broker.record;

import org.jspecify.annotations.Nullable;

/**
 * On what terms a leader appends.
 *
 * @param origin who appends
 * @param guard what transactional records rest on where no transaction is open; null where that is not looked at, as
 *     with {@code transaction.partition.verification.enable} off
 * @param transactionVersion of a marker: which rule its producer epoch is held to (KIP-1228); of anything else 0
 */
public record AppendTerms(AppendOrigin origin, @Nullable VerificationGuard guard, int transactionVersion) {
    /** Without a look at transactions. */
    public static AppendTerms of(AppendOrigin origin) {
        return new AppendTerms(origin, null, 0);
    }

    /** For the records of a producer or of a coordinator, whose transaction must be known to its coordinator. */
    public static AppendTerms guarded(AppendOrigin origin, @Nullable VerificationGuard guard) {
        return new AppendTerms(origin, guard, 0);
    }

    /** For a marker. */
    public static AppendTerms marker(int transactionVersion) {
        return new AppendTerms(AppendOrigin.COORDINATOR, null, transactionVersion);
    }
}

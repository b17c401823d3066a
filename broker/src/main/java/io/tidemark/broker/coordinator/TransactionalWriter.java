package io.tidemark.broker.coordinator;

import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.record.VerificationGuard;
import org.jspecify.annotations.Nullable;

/**
 * The producer in whose transaction a coordinator writes records.
 *
 * @param guard what the write rests on, as for a producer's own records; null where that is not looked at
 */
public record TransactionalWriter(
        long producerId, short producerEpoch, @Nullable VerificationGuard guard) {
    public AppendTerms terms() {
        return AppendTerms.guarded(AppendOrigin.COORDINATOR, guard);
    }
}

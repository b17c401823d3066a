package io.tidemark.broker.log;

import io.tidemark.broker.record.VerificationGuard;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The producers of a log that are about to begin a transaction, while their coordinator is asked (KIP-890). In no file:
 * after a restart or a failover they ask again.
 */
final class TransactionVerifications {
    private final TreeMap<Long, Started> byProducer = new TreeMap<>();
    private long lastNumber;

    /**
     * @param guard what an append must show
     * @param producerEpoch the newest epoch that was asked for
     * @param lowestSequence the least sequence of those that wait: the one that must come first
     * @param startsAtZero whether a producer that is not known must start at sequence 0 (transactions version 2)
     * @param startedMs when the first of them asked
     */
    record Started(
            VerificationGuard guard, short producerEpoch, int lowestSequence, boolean startsAtZero, long startedMs) {}

    /** The guard of a producer that asks now; the same one for all that ask before the first append. */
    VerificationGuard start(long producerId, short producerEpoch, int baseSequence, boolean startsAtZero, long nowMs) {
        Started known = byProducer.get(producerId);
        Started now;
        if (known == null) {
            lastNumber++;
            now = new Started(new VerificationGuard(lastNumber), producerEpoch, baseSequence, startsAtZero, nowMs);
        } else if (producerEpoch > known.producerEpoch
                || (producerEpoch == known.producerEpoch && baseSequence < known.lowestSequence)) {
            now = new Started(known.guard, producerEpoch, baseSequence, known.startsAtZero, known.startedMs);
        } else {
            now = known;
        }
        byProducer.put(producerId, now);
        return now.guard;
    }

    @Nullable
    Started of(long producerId) {
        return byProducer.get(producerId);
    }

    /** The producer's transaction has begun or ended. */
    void clear(long producerId) {
        byProducer.remove(producerId);
    }

    void expire(long olderThanMs) {
        byProducer.values().removeIf(started -> started.startedMs < olderThanMs);
    }
}

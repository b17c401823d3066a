package io.tidemark.broker.replication;

/**
 * How long to wait after errors in a row. Short at first: most errors between brokers only mean that one of them has
 * newer metadata, which the other will have a moment later.
 */
final class Backoff {
    private static final long FIRST_MS = 10;

    private final long maxMs;
    private long nextMs = FIRST_MS;

    Backoff(long maxMs) {
        this.maxMs = maxMs;
    }

    long next() {
        long waitMs = Math.min(nextMs, maxMs);
        nextMs = Math.min(nextMs * 2, Math.max(maxMs, 1));
        return waitMs;
    }

    void reset() {
        nextMs = FIRST_MS;
    }
}

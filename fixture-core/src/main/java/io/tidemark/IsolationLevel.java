package io.tidemark;

import java.util.Locale;

/**
 * Which records a look counts: Kafka's {@code isolation.level} of a consumer.
 *
 * <pre>{@code
 * List<ReplicaRecord> billed = cluster.partition("orders", 0).records(IsolationLevel.READ_COMMITTED);
 * }</pre>
 */
public enum IsolationLevel {
    /** Every record below the high watermark, of open and of aborted transactions too. */
    READ_UNCOMMITTED,
    /** Every record below the last stable offset, but for those of aborted transactions. */
    READ_COMMITTED;

    /** Kafka's name of it, for example {@code read_committed}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

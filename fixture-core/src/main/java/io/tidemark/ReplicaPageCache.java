package io.tidemark;

import io.tidemark.broker.PageCacheAction;
import io.tidemark.broker.PageCacheReport;
import io.tidemark.broker.types.TopicPartition;

/**
 * The page cache of a partition's segments on one broker: how much of them is in memory, and how to change that. Safe from
 * any thread. Works on Linux of 64 bits, on Java 22 or newer or with {@code net.java.dev.jna:jna} on the class path.
 *
 * <pre>{@code
 * ReplicaPageCache cache = cluster.partition("orders", 0).pageCache(1);
 * cache.drop();
 * // What is fetched from broker 1 now comes from the disk.
 * }</pre>
 *
 * <p>Every method throws an {@link UnsupportedOperationException} that says what to do where page cache control is not
 * available, an {@link IllegalStateException} if the broker does not run, and a {@link ClusterException} if it hosts no
 * replica. The indexes are left out: a broker has them mapped, and the system keeps what is mapped.
 */
public final class ReplicaPageCache {
    private final ClusterNode broker;
    private final TopicPartition partition;

    ReplicaPageCache(ClusterNode broker, TopicPartition partition) {
        this.broker = broker;
        this.partition = partition;
    }

    /** What is in memory now. */
    public PageCacheReport residency() {
        return broker.pageCache(partition, PageCacheAction.LOOK);
    }

    /**
     * Forces the segments and has the system forget them. On return nothing of them is in memory but what was written or
     * sent meanwhile.
     *
     * @return what is in memory after that
     */
    public PageCacheReport drop() {
        return broker.pageCache(partition, PageCacheAction.DROP);
    }

    /**
     * Reads the segments through. On return all of them is in memory, where that suffices.
     *
     * @return what is in memory after that
     */
    public PageCacheReport warm() {
        return broker.pageCache(partition, PageCacheAction.WARM);
    }

    /** For example {@code page cache of orders-0 on broker 1}. */
    @Override
    public String toString() {
        return "page cache of " + partition + " on " + broker;
    }
}

package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.ClusterException;
import io.tidemark.junit5.ClusterDeclaration.Lease;
import io.tidemark.spi.Closing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clusters that outlive the test that started them, for the next one that asks for the same. Each is used by one at a
 * time, so that tests in parallel have several. Closed with the run. Safe from any thread.
 */
final class SharedClusters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SharedClusters.class);

    private final Map<String, Deque<Cluster>> idle = new HashMap<>();

    /** One that is idle, made as new; else a new one. */
    Lease lease(Cluster.Builder builder) {
        String key = builder.toString();
        Cluster cluster = takeIdle(key);
        while (cluster != null && !isReset(cluster)) {
            cluster = takeIdle(key);
        }
        Cluster leased = cluster == null ? builder.start() : cluster;
        return new Lease(leased, () -> giveBack(key, leased));
    }

    private static boolean isReset(Cluster cluster) {
        try {
            cluster.reset();
            return true;
        } catch (ClusterException | IllegalStateException e) {
            LOG.warn("{} could not be reset after a test and is replaced", cluster, e);
            cluster.close();
            return false;
        }
    }

    private synchronized @Nullable Cluster takeIdle(String key) {
        Deque<Cluster> waiting = idle.get(key);
        return waiting == null ? null : waiting.pollLast();
    }

    private synchronized void giveBack(String key, Cluster cluster) {
        if (!cluster.isClosed()) {
            idle.computeIfAbsent(key, any -> new ArrayDeque<>()).addLast(cluster);
        }
    }

    @Override
    public synchronized void close() {
        Closing closing = new Closing();
        idle.values().forEach(waiting -> waiting.forEach(closing::run));
        idle.clear();
        closing.rethrow("close the clusters that tests shared");
    }
}

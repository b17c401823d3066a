package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.spi.Closing;
import io.tidemark.spi.InjectionScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/**
 * What one class or one test has of its own: clusters, and what was injected. It lives in the store of that class or
 * test, and JUnit closes it at the end.
 */
final class TestScope implements InjectionScope, AutoCloseable {
    private final @Nullable TestScope parent;
    private final Map<String, Cluster> clusters = new LinkedHashMap<>();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final Map<Class<?>, AutoCloseable> shared = new LinkedHashMap<>();

    TestScope(@Nullable TestScope parent) {
        this.parent = parent;
    }

    /** Starts the declared cluster, unless that was done before. */
    synchronized Cluster declare(ClusterDeclaration declaration) {
        Cluster cluster = clusters.get(declaration.place());
        if (cluster == null) {
            cluster = declaration.start();
            clusters.put(declaration.place(), cluster);
        }
        return cluster;
    }

    @Override
    public Cluster cluster() {
        return clusterInReach()
                .orElseThrow(
                        () -> new ParameterResolutionException("No cluster is in reach: put @KafkaCluster on the test"
                                + " class, or on the test method where nothing outside the test asks for the cluster"));
    }

    /** The nearest cluster. */
    Optional<Cluster> clusterInReach() {
        synchronized (this) {
            if (clusters.size() > 1) {
                throw new ParameterResolutionException("Several clusters are equally near: "
                        + new TreeSet<>(clusters.keySet()) + "; keep one, or use the fields instead of parameters");
            }
            if (!clusters.isEmpty()) {
                return Optional.of(clusters.values().iterator().next());
            }
        }
        return parent == null ? Optional.empty() : parent.clusterInReach();
    }

    @Override
    public synchronized void closeLater(AutoCloseable resource) {
        resources.addLast(resource);
    }

    @Override
    public synchronized <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> make) {
        return type.cast(shared.computeIfAbsent(type, key -> make.get()));
    }

    /** The shared values of this scope and those around it, for the evidence of a failure. */
    List<AutoCloseable> sharedInReach() {
        List<AutoCloseable> all = parent == null ? new ArrayList<>() : parent.sharedInReach();
        synchronized (this) {
            all.addAll(shared.values());
        }
        return all;
    }

    /**
     * Clients go first, then this scope's own clusters, then what is shared, which heals a cluster that lives on and has
     * nothing to do for one that is closed.
     */
    @Override
    public void close() {
        List<AutoCloseable> order = new ArrayList<>();
        synchronized (this) {
            resources.descendingIterator().forEachRemaining(order::add);
            order.addAll(clusters.values());
            order.addAll(shared.values());
        }
        Closing closing = new Closing();
        order.forEach(closing::run);
        closing.rethrow("close what the test was given");
    }
}

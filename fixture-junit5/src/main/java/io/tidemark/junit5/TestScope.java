package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.junit5.ClusterDeclaration.Lease;
import io.tidemark.spi.Closing;
import io.tidemark.spi.InjectionScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private volatile Map<String, String> clientSettings = Map.of();
    private final Run run;
    private final Map<String, Running> clusters = new LinkedHashMap<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final Map<SharedKey, AutoCloseable> shared = new LinkedHashMap<>();

    /** A cluster that this scope has started. */
    private record Running(ClusterDeclaration declaration, Cluster cluster, AutoCloseable end) {}

    private record SharedKey(Class<?> type, Cluster cluster) {}

    TestScope(@Nullable TestScope parent, Run run) {
        this.parent = parent;
        this.run = run;
    }

    /** Starts the declared cluster, unless that was done before. */
    synchronized Cluster declare(ClusterDeclaration declaration) {
        Running running = clusters.get(declaration.shown());
        if (running == null) {
            refuseSameName(declaration);
            AutoCloseable property = run.reserve(declaration, this);
            resources.addLast(property);
            Lease lease = declaration.start(run.sharedClusters());
            running = new Running(declaration, lease.cluster(), lease.end());
            clusters.put(declaration.shown(), running);
            run.publish(declaration, lease.cluster());
        }
        return running.cluster();
    }

    private void refuseSameName(ClusterDeclaration declaration) {
        for (Running other : clusters.values()) {
            if (!declaration.name().isEmpty()
                    && declaration.name().equals(other.declaration().name())) {
                throw new ParameterResolutionException("The name [" + declaration.name() + "] is given twice, by "
                        + other.declaration().place() + " and by " + declaration.place()
                        + "; give each cluster its own");
            }
        }
    }

    /** True the first time that this scope, or one around it, is asked about an object. */
    synchronized boolean isFirst(Object object) {
        for (TestScope scope = parent; scope != null; scope = scope.parent) {
            if (scope.hasSeen(object)) {
                return false;
            }
        }
        return seen.add(object);
    }

    private synchronized boolean hasSeen(Object object) {
        return seen.contains(object);
    }

    boolean isWithin(TestScope other) {
        return this == other || (parent != null && parent.isWithin(other));
    }

    @Override
    public Cluster cluster() {
        return clusterInReach()
                .orElseThrow(
                        () -> new ParameterResolutionException("No cluster is in reach: put @KafkaCluster on the test"
                                + " class, or on the test method where nothing outside the test asks for the cluster"));
    }

    /** The nearest cluster that is of that name. */
    Cluster clusterNamed(String name, String point) {
        Collection<String> known = new TreeSet<>();
        for (TestScope scope = this; scope != null; scope = scope.parent) {
            for (Running running : scope.running()) {
                if (running.declaration().name().equals(name)) {
                    return running.cluster();
                }
                known.add(running.declaration().name());
            }
        }
        known.remove("");
        throw new IllegalArgumentException("Cannot inject " + point + ": no cluster in reach has the name [" + name
                + "]; " + (known.isEmpty() ? "none has a name, give it one with name()" : "there are " + known));
    }

    boolean hasCluster() {
        return !nearest(false).isEmpty() || !nearest(true).isEmpty();
    }

    boolean hasOneNearest() {
        List<Running> nearest = nearest(false);
        return nearest.size() == 1 || (nearest.isEmpty() && nearest(true).size() == 1);
    }

    /** The nearest cluster. */
    Optional<Cluster> clusterInReach() {
        List<Running> nearest = nearest(false);
        if (nearest.isEmpty()) {
            nearest = nearest(true);
        }
        if (nearest.size() > 1) {
            throw new ParameterResolutionException("Several clusters are equally near: "
                    + nearest.stream()
                            .map(running -> running.declaration().shown())
                            .sorted()
                            .toList()
                    + "; keep one, or say which is meant with @FromCluster(\"name\")");
        }
        return nearest.stream().map(Running::cluster).findFirst();
    }

    /** Every cluster that this scope and those around it have, the outermost first. */
    List<Cluster> allInReach() {
        List<Cluster> all = parent == null ? new ArrayList<>() : parent.allInReach();
        running().forEach(running -> all.add(running.cluster()));
        return all;
    }

    private List<Running> nearest(boolean aside) {
        for (TestScope scope = this; scope != null; scope = scope.parent) {
            List<Running> here = scope.running().stream()
                    .filter(running -> running.declaration().aside() == aside)
                    .toList();
            if (!here.isEmpty()) {
                return here;
            }
        }
        return List.of();
    }

    private synchronized List<Running> running() {
        return List.copyOf(clusters.values());
    }

    /** What every client that is injected in this scope has, unless its own place says otherwise. */
    void clientSettings(Map<String, String> settings) {
        clientSettings = Map.copyOf(settings);
    }

    @Override
    public Map<String, String> clientSettings() {
        return clientSettings;
    }

    @Override
    public synchronized void closeLater(AutoCloseable resource) {
        resources.addLast(resource);
    }

    @Override
    public <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> make) {
        return shared(type, cluster(), make);
    }

    synchronized <T extends AutoCloseable> T shared(Class<T> type, Cluster cluster, Supplier<T> make) {
        return type.cast(shared.computeIfAbsent(new SharedKey(type, cluster), key -> make.get()));
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
            clusters.values().forEach(running -> order.add(running.end()));
            order.addAll(shared.values());
        }
        Closing closing = new Closing();
        order.forEach(closing::run);
        closing.rethrow("close what the test was given");
    }
}

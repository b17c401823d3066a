package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.spi.Closing;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * What a whole run of tests has in common: shared clusters, who holds which system property, and other versions of
 * kafka-clients. Safe from any thread.
 */
final class Run implements AutoCloseable {
    private final SharedClusters sharedClusters = new SharedClusters();
    private final Map<String, Deque<Holder>> holders = new HashMap<>();
    private final Map<LoaderKey, ClientsLoader> clients = new HashMap<>();

    private record LoaderKey(Path jar, ClassLoader classPath) {}

    /** Someone whose cluster's address is in a property, and what was there before. */
    private record Holder(
            ClusterDeclaration declaration,
            TestScope scope,
            @Nullable String before) {}

    SharedClusters sharedClusters() {
        return sharedClusters;
    }

    /** The class path with the kafka-clients of a jar in it; one for all tests of the run, as the class path itself is. */
    synchronized ClassLoader classPathWith(ClientVersion version, Path jar, ClassLoader classPath) {
        return clients.computeIfAbsent(new LoaderKey(jar.toAbsolutePath(), classPath), key -> {
            try {
                return new ClientsLoader(version, key.jar(), key.classPath());
            } catch (MalformedURLException e) {
                throw new UncheckedIOException("Not the address of a file: " + key.jar(), e);
            }
        });
    }

    @Override
    public void close() {
        Closing closing = new Closing();
        closing.run(sharedClusters);
        synchronized (this) {
            clients.values().forEach(closing::run);
        }
        closing.rethrow("end the run of tests");
    }

    /**
     * Takes the declaration's system property for its scope, until the returned object is closed.
     *
     * @throws ExtensionConfigurationException if a cluster holds it that has nothing to do with the scope
     */
    synchronized AutoCloseable reserve(ClusterDeclaration declaration, TestScope scope) {
        String property = declaration.systemProperty();
        if (property.isEmpty()) {
            return () -> {};
        }
        Deque<Holder> holding = holders.computeIfAbsent(property, key -> new ArrayDeque<>());
        Holder last = holding.peekLast();
        if (last != null && (last.scope() == scope || !scope.isWithin(last.scope()))) {
            throw new ExtensionConfigurationException(declaration.place() + ": the system property [" + property
                    + "] holds the address of another cluster, of "
                    + last.declaration().shown()
                    + "; give each its own systemProperty(), or run them one after the other with"
                    + " @ResourceLock(Resources.SYSTEM_PROPERTIES)");
        }
        Holder holder = new Holder(declaration, scope, System.getProperty(property));
        holding.addLast(holder);
        return () -> release(property, holder);
    }

    /** Writes the address into the reserved property. */
    synchronized void publish(ClusterDeclaration declaration, Cluster cluster) {
        if (!declaration.systemProperty().isEmpty()) {
            System.setProperty(declaration.systemProperty(), cluster.bootstrapServers());
        }
    }

    private synchronized void release(String property, Holder holder) {
        Deque<Holder> holding = holders.get(property);
        if (holding != null && holding.remove(holder)) {
            if (holder.before() == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, holder.before());
            }
        }
    }
}

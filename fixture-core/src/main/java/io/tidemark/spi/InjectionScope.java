package io.tidemark.spi;

import io.tidemark.Cluster;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The time for which an injected value lives: one test, or one class. Safe from any thread.
 *
 * <pre>{@code
 * public Object provide(InjectionPoint point, InjectionScope scope) {
 *     SchemaClient client = new SchemaClient(scope.cluster().bootstrapServers());
 *     scope.closeLater(client);   // before the cluster is
 *     return client;
 * }
 * }</pre>
 */
public interface InjectionScope {
    /** The cluster that is in reach of the parameter. */
    Cluster cluster();

    /** Settings, in Kafka's names, of every client in the scope that does not say otherwise. */
    default Map<String, String> clientSettings() {
        return Map.of();
    }

    /** Has something closed at the end of the scope, before the cluster is; the newest first. */
    void closeLater(AutoCloseable resource);

    /**
     * The one value of a type that all parameters of the scope share for this cluster. It is made at the first use and
     * closed at the end of the scope; where the cluster ends with the scope, after the cluster.
     */
    <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> make);
}

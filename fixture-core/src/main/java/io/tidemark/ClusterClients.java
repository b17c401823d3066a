package io.tidemark;

import io.tidemark.clients.Clients;
import org.jspecify.annotations.Nullable;

/** The clients that are closed with a cluster, made when they are first asked for. Safe from any thread. */
final class ClusterClients implements AutoCloseable {
    private @Nullable Clients clients;

    synchronized Clients of(Cluster cluster) {
        requireKafkaClients();
        if (clients == null) {
            clients = Clients.of(cluster);
        }
        return clients;
    }

    /** Asked before {@link Clients} is touched, since that cannot even be loaded without its library. */
    private static void requireKafkaClients() {
        try {
            Class.forName("org.apache.kafka.clients.producer.Producer", false, Cluster.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "kafka-clients is not on the class path: add org.apache.kafka:kafka-clients, any version from 2.8 on",
                    e);
        }
    }

    /** Closes those that there are; new ones may be asked for after that. Harmless to repeat. */
    @Override
    public synchronized void close() {
        if (clients != null) {
            clients.close();
        }
    }
}

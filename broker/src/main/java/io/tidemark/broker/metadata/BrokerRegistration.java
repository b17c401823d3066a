package io.tidemark.broker.metadata;

import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One registered broker.
 *
 * @param id its node id
 * @param epoch its broker epoch: the metadata offset of its registration
 * @param incarnationId the id of the process that registered
 * @param endpoints its advertised listeners
 * @param rack its rack, if it has one
 * @param fenced a fenced broker leads nothing, is in no ISR and is not shown to clients
 * @param inControlledShutdown on its way down, moving its leaderships away first
 * @param logDirectories the ids of its log directories
 */
public record BrokerRegistration(
        int id,
        long epoch,
        Uuid incarnationId,
        List<Endpoint> endpoints,
        @Nullable String rack,
        boolean fenced,
        boolean inControlledShutdown,
        List<Uuid> logDirectories) {
    public BrokerRegistration {
        endpoints = List.copyOf(endpoints);
        logDirectories = List.copyOf(logDirectories);
    }

    /** The advertised endpoint of a listener, or null where the broker has no such listener. */
    public @Nullable Endpoint endpoint(String listener) {
        for (Endpoint endpoint : endpoints) {
            if (endpoint.listener().equals(listener)) {
                return endpoint;
            }
        }
        return null;
    }
}

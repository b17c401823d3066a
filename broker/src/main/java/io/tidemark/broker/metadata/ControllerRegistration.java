package io.tidemark.broker.metadata;

import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.List;

/**
 * One registered controller.
 *
 * @param id its node id
 * @param incarnationId the id of the process that registered
 * @param endpoints its advertised controller listeners
 */
public record ControllerRegistration(int id, Uuid incarnationId, List<Endpoint> endpoints) {
    public ControllerRegistration {
        endpoints = List.copyOf(endpoints);
    }
}

package io.tidemark.broker.metadata;

import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One registered controller.
 *
 * @param id its node id
 * @param incarnationId the id of the process that registered
 * @param endpoints its advertised controller listeners
 * @param features what it supports of each feature that it knows
 */
public record ControllerRegistration(
        int id, Uuid incarnationId, List<Endpoint> endpoints, SortedMap<String, FeatureRange> features) {
    public ControllerRegistration {
        endpoints = List.copyOf(endpoints);
        features = Collections.unmodifiableSortedMap(new TreeMap<>(features));
    }

    /** One whose features are not told. */
    public ControllerRegistration(int id, Uuid incarnationId, List<Endpoint> endpoints) {
        this(id, incarnationId, endpoints, Collections.emptySortedMap());
    }

    /** What it supports of a feature. */
    public FeatureRange feature(String name) {
        return features.getOrDefault(name, FeatureRange.NONE);
    }
}

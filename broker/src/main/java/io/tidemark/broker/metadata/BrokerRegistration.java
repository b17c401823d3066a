package io.tidemark.broker.metadata;

import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * @param cordonedLogDirectories those of them that get no new replicas; null before the broker first told
 * @param features what it supports of each feature that it knows
 */
public record BrokerRegistration(
        int id,
        long epoch,
        Uuid incarnationId,
        List<Endpoint> endpoints,
        @Nullable String rack,
        boolean fenced,
        boolean inControlledShutdown,
        List<Uuid> logDirectories,
        @Nullable List<Uuid> cordonedLogDirectories,
        SortedMap<String, FeatureRange> features) {
    public BrokerRegistration {
        endpoints = List.copyOf(endpoints);
        logDirectories = List.copyOf(logDirectories);
        cordonedLogDirectories = cordonedLogDirectories == null ? null : List.copyOf(cordonedLogDirectories);
        features = Collections.unmodifiableSortedMap(new TreeMap<>(features));
    }

    /** One that has not told of its features, nor of cordoned directories. */
    public BrokerRegistration(
            int id,
            long epoch,
            Uuid incarnationId,
            List<Endpoint> endpoints,
            @Nullable String rack,
            boolean fenced,
            boolean inControlledShutdown,
            List<Uuid> logDirectories) {
        this(
                id,
                epoch,
                incarnationId,
                endpoints,
                rack,
                fenced,
                inControlledShutdown,
                logDirectories,
                null,
                Collections.emptySortedMap());
    }

    /** What it supports of a feature. */
    public FeatureRange feature(String name) {
        return features.getOrDefault(name, FeatureRange.NONE);
    }

    /** False where a replica in this directory is lost for now: the broker has told that it is offline, or never had it. */
    public boolean hasOnlineDirectory(Uuid directory) {
        return logDirectories.isEmpty()
                || directory.equals(PartitionRegistration.UNASSIGNED_DIRECTORY)
                || logDirectories.contains(directory);
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

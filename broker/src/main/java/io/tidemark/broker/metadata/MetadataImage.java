package io.tidemark.broker.metadata;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's metadata after all records up to an offset. Immutable, safe from any thread.
 *
 * @param lastOffset the offset of the last record in it, -1 for the empty image
 * @param lastLeaderEpoch the quorum leader's epoch of that record, -1 for the empty image
 * @param cluster the brokers
 * @param topics the topics
 * @param configs the set config values (never the defaults) of each resource that has some
 * @param features the finalized level of each feature
 * @param nextProducerId the first producer id that is in no block yet
 * @param carried what this broker does not act on
 * @param openTransaction the transaction that the last record is in, none of whose records count yet; null where none is
 */
public record MetadataImage(
        long lastOffset,
        int lastLeaderEpoch,
        ClusterImage cluster,
        TopicsImage topics,
        Map<ConfigResource, SortedMap<String, String>> configs,
        SortedMap<String, Short> features,
        long nextProducerId,
        CarriedRecords carried,
        @Nullable OpenTransaction openTransaction) {
    public static final MetadataImage EMPTY = new MetadataImage(
            -1,
            -1,
            ClusterImage.EMPTY,
            TopicsImage.EMPTY,
            Collections.emptyMap(),
            new TreeMap<>(),
            0,
            CarriedRecords.EMPTY);

    /** An image with no transaction open. */
    public MetadataImage(
            long lastOffset,
            int lastLeaderEpoch,
            ClusterImage cluster,
            TopicsImage topics,
            Map<ConfigResource, SortedMap<String, String>> configs,
            SortedMap<String, Short> features,
            long nextProducerId,
            CarriedRecords carried) {
        this(lastOffset, lastLeaderEpoch, cluster, topics, configs, features, nextProducerId, carried, null);
    }

    public MetadataImage {
        configs = Collections.unmodifiableMap(configs);
        features = Collections.unmodifiableSortedMap(features);
    }

    /** The values set on a resource, in name order; empty where none are. */
    public SortedMap<String, String> configsOf(ConfigResource resource) {
        return configs.getOrDefault(resource, Collections.emptySortedMap());
    }

    /** The finalized level of a feature; 0 where it was never set. */
    public short featureLevel(String feature) {
        return features.getOrDefault(feature, (short) 0);
    }
}

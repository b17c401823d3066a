package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.metadata.FeatureRange;
import io.tidemark.broker.metadata.ImageRecords;
import io.tidemark.broker.metadata.MetadataImage;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The features of Kafka 4.4: what this broker supports of each. Clients take their decision for transactions version 2
 * and for the consumer group protocol from the finalized levels.
 */
public final class ControllerFeatures {
    public static final String METADATA_VERSION = ImageRecords.METADATA_VERSION;
    public static final String KRAFT_VERSION = "kraft.version";
    public static final String ELR_VERSION = "eligible.leader.replicas.version";

    private static final SortedMap<String, FeatureRange> SUPPORTED =
            supportedFeatures(MetadataVersions.LATEST_PRODUCTION);
    private static final SortedMap<String, FeatureRange> SUPPORTED_WITH_UNSTABLE =
            supportedFeatures(MetadataVersions.LATEST_TESTING);

    private ControllerFeatures() {}

    /** In name order. */
    public static SortedMap<String, FeatureRange> supported() {
        return SUPPORTED;
    }

    /** The same of a node that may be told to support levels that are in the making. */
    public static SortedMap<String, FeatureRange> supported(ConfigValues values) {
        return values.booleanValue(BrokerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE)
                ? SUPPORTED_WITH_UNSTABLE
                : SUPPORTED;
    }

    static boolean isElrEnabled(MetadataImage image) {
        return image.featureLevel(ELR_VERSION) > 0;
    }

    private static SortedMap<String, FeatureRange> supportedFeatures(short latestMetadataVersion) {
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        features.put(METADATA_VERSION, new FeatureRange(MetadataVersions.MINIMUM, latestMetadataVersion));
        features.put(KRAFT_VERSION, upTo(1));
        features.put("transaction.version", upTo(2));
        features.put("group.version", upTo(1));
        features.put(ELR_VERSION, upTo(1));
        features.put("share.version", upTo(2));
        features.put("streams.version", upTo(1));
        return Collections.unmodifiableSortedMap(features);
    }

    private static FeatureRange upTo(int max) {
        return new FeatureRange((short) 0, (short) max);
    }
}

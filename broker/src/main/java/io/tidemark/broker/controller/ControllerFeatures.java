package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The features of Kafka 4.4: what this broker supports, and what a new cluster starts with. Clients take their decision
 * for transactions version 2 and for the consumer group protocol from these levels.
 */
public final class ControllerFeatures {
    public static final String METADATA_VERSION = "metadata.version";
    public static final String KRAFT_VERSION = "kraft.version";
    public static final String ELR_VERSION = "eligible.leader.replicas.version";

    /** 4.4-IV2. */
    public static final short LATEST_METADATA_VERSION = 33;

    /**
     * The levels of one feature.
     *
     * @param min the lowest supported
     * @param max the highest supported, which is also the one that a new cluster starts with
     */
    public record Range(short min, short max) {}

    private static final SortedMap<String, Range> SUPPORTED = supportedFeatures();

    private ControllerFeatures() {}

    /** In name order. */
    public static SortedMap<String, Range> supported() {
        return SUPPORTED;
    }

    static boolean isElrEnabled(MetadataImage image) {
        return image.featureLevel(ELR_VERSION) > 0;
    }

    /**
     * What stands first in the log of a new cluster: metadata.version, then the others. The level of kraft.version is
     * not a metadata record; with voters that are given by configuration it is 0.
     */
    static List<ApiMessage> bootstrapRecords() {
        List<ApiMessage> records = new ArrayList<>();
        records.add(new FeatureLevelRecord().setName(METADATA_VERSION).setFeatureLevel(LATEST_METADATA_VERSION));
        for (Map.Entry<String, Range> feature : SUPPORTED.entrySet()) {
            if (!feature.getKey().equals(METADATA_VERSION) && !feature.getKey().equals(KRAFT_VERSION)) {
                records.add(new FeatureLevelRecord()
                        .setName(feature.getKey())
                        .setFeatureLevel(feature.getValue().max()));
            }
        }
        return records;
    }

    private static SortedMap<String, Range> supportedFeatures() {
        SortedMap<String, Range> features = new TreeMap<>();
        features.put(METADATA_VERSION, range(7, LATEST_METADATA_VERSION));
        features.put(KRAFT_VERSION, range(0, 1));
        features.put("transaction.version", range(0, 2));
        features.put("group.version", range(0, 1));
        features.put(ELR_VERSION, range(0, 1));
        features.put("share.version", range(0, 2));
        features.put("streams.version", range(0, 1));
        return Collections.unmodifiableSortedMap(features);
    }

    private static Range range(int min, int max) {
        return new Range((short) min, (short) max);
    }
}

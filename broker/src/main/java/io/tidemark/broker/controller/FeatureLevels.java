package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.metadata.FeatureRange;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The levels that a new cluster starts with, and what of one feature another one needs. */
public final class FeatureLevels {
    private FeatureLevels() {}

    /** One level of a feature, and the metadata.version from which on new clusters have it. */
    private record Default(String feature, int level, int sinceMetadataVersion) {}

    private static final List<Default> DEFAULTS = List.of(
            new Default(ControllerFeatures.ELR_VERSION, 1, 26),
            new Default("group.version", 1, 22),
            new Default("share.version", 1, 28),
            new Default("share.version", 2, 31),
            new Default("streams.version", 1, 29),
            new Default("transaction.version", 2, 24));

    /**
     * The levels by {@link BrokerConfigs#CLUSTER_FEATURES}, and for the others those that Kafka gives a new cluster of
     * that metadata.version. kraft.version is not among them: what voters are given by decides on it.
     *
     * @throws InvalidConfigException if there is no such level, or one needs another that is not there
     */
    public static SortedMap<String, Short> ofNewCluster(ConfigValues values) {
        SortedMap<String, Short> given = given(values.listValue(BrokerConfigs.CLUSTER_FEATURES));
        short metadataVersion =
                given.getOrDefault(ControllerFeatures.METADATA_VERSION, MetadataVersions.LATEST_PRODUCTION);
        SortedMap<String, Short> levels = new TreeMap<>();
        for (Default level : DEFAULTS) {
            if (level.sinceMetadataVersion() <= metadataVersion) {
                levels.put(level.feature(), (short) level.level());
            }
        }
        levels.putAll(given);
        levels.put(ControllerFeatures.METADATA_VERSION, metadataVersion);
        SortedMap<String, FeatureRange> supported = ControllerFeatures.supported(values);
        levels.forEach((feature, level) -> check(feature, level, levels, supported));
        return levels;
    }

    private static SortedMap<String, Short> given(List<String> texts) {
        SortedMap<String, Short> given = new TreeMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new InvalidConfigException("Config " + BrokerConfigs.CLUSTER_FEATURES + " has [" + text
                        + "]; expected feature=level, as metadata.version=4.1 or group.version=0");
            }
            String feature = text.substring(0, equals).trim();
            String level = text.substring(equals + 1).trim();
            given.put(
                    feature,
                    feature.equals(ControllerFeatures.METADATA_VERSION)
                            ? MetadataVersions.levelOf(level)
                            : level(feature, level));
        }
        return given;
    }

    private static short level(String feature, String text) {
        try {
            return Short.parseShort(text);
        } catch (NumberFormatException e) {
            throw new InvalidConfigException("Config " + BrokerConfigs.CLUSTER_FEATURES + " sets " + feature + " to ["
                    + text + "]; expected a whole number");
        }
    }

    private static void check(
            String feature, short level, Map<String, Short> all, SortedMap<String, FeatureRange> supported) {
        FeatureRange range = supported.get(feature);
        if (range == null || feature.equals(ControllerFeatures.KRAFT_VERSION)) {
            throw new InvalidConfigException("Config " + BrokerConfigs.CLUSTER_FEATURES + " sets [" + feature
                    + "], which is no feature that can be set for a new cluster; expected one of "
                    + supported.keySet());
        }
        if (!range.contains(level)) {
            throw new InvalidConfigException("Config " + BrokerConfigs.CLUSTER_FEATURES + " sets " + feature + " to ["
                    + level + "]; expected a level of " + range);
        }
        String unmet = unmetDependency(feature, level, all);
        if (!unmet.isEmpty()) {
            throw new InvalidConfigException("Config " + BrokerConfigs.CLUSTER_FEATURES + " is not possible: " + unmet);
        }
    }

    /**
     * What a level needs and is not there; empty where nothing is amiss.
     *
     * @param all the levels as they would be
     */
    static String unmetDependency(String feature, short level, Map<String, Short> all) {
        short needed = 23;
        if (feature.equals(ControllerFeatures.ELR_VERSION)
                && level > 0
                && all.getOrDefault(ControllerFeatures.METADATA_VERSION, (short) 0) < needed) {
            return feature + " could not be set to " + level + " because it depends on metadata.version=" + needed
                    + " (" + MetadataVersions.nameOf(needed) + ")";
        }
        return "";
    }

    /** As Kafka's formatting tool leaves them: metadata.version, then the others. A level of 0 needs no record. */
    static List<ApiMessage> records(SortedMap<String, Short> levels) {
        List<ApiMessage> records = new ArrayList<>();
        records.add(new FeatureLevelRecord()
                .setName(ControllerFeatures.METADATA_VERSION)
                .setFeatureLevel(
                        levels.getOrDefault(ControllerFeatures.METADATA_VERSION, MetadataVersions.LATEST_PRODUCTION)));
        levels.forEach((feature, level) -> {
            if (!feature.equals(ControllerFeatures.METADATA_VERSION) && level > 0) {
                records.add(new FeatureLevelRecord().setName(feature).setFeatureLevel(level));
            }
        });
        return records;
    }

    /** The records that a new cluster of these configs starts with. */
    public static List<ApiMessage> bootstrapRecords(ConfigValues values) {
        return records(ofNewCluster(values));
    }
}

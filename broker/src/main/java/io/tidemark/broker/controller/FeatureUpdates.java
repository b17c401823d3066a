package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.metadata.FeatureRange;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest.FeatureUpdateKey;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * UpdateFeatures (KIP-584, KIP-778): all of a request or nothing of it. A level must be one that every registered node
 * supports. Texts that Kafka's own tool shows and its tests compare are as Kafka gives them.
 */
final class FeatureUpdates {
    private static final byte UPGRADE = 1;
    private static final byte SAFE_DOWNGRADE = 2;
    private static final byte UNSAFE_DOWNGRADE = 3;

    private final ControllerSettings settings;

    FeatureUpdates(ControllerSettings settings) {
        this.settings = settings;
    }

    ControllerResult<UpdateFeaturesResponse> update(
            UpdateFeaturesRequest request, MetadataImage image, short kraftVersion) {
        try {
            List<ApiMessage> records = decide(request, image, kraftVersion);
            UpdateFeaturesResponse response = answer(request, ErrorCode.NONE, null);
            return new ControllerResult<>(request.validateOnly() ? List.of() : records, response);
        } catch (Rejection e) {
            return ControllerResult.of(answer(
                    request,
                    e.error(),
                    "The update failed for all features since the following feature had an error: " + e.reason()));
        }
    }

    static boolean raisesKraftVersion(UpdateFeaturesRequest request, short kraftVersion) {
        return request.featureUpdates().stream()
                .anyMatch(update -> update.feature().equals(ControllerFeatures.KRAFT_VERSION)
                        && update.maxVersionLevel() > kraftVersion);
    }

    private static UpdateFeaturesResponse answer(
            UpdateFeaturesRequest request, ErrorCode error, @Nullable String message) {
        UpdateFeaturesResponse response =
                new UpdateFeaturesResponse().setErrorCode(error.code()).setErrorMessage(message);
        for (FeatureUpdateKey update : request.featureUpdates()) {
            response.results()
                    .add(new UpdateFeaturesResponse.UpdatableFeatureResult()
                            .setFeature(update.feature())
                            .setErrorCode(error.code())
                            .setErrorMessage(message));
        }
        return response;
    }

    private List<ApiMessage> decide(UpdateFeaturesRequest request, MetadataImage image, short kraftVersion) {
        Map<String, Short> levels = new TreeMap<>(image.features());
        levels.put(ControllerFeatures.KRAFT_VERSION, kraftVersion);
        Map<String, Short> proposed = new TreeMap<>(levels);
        request.featureUpdates().forEach(update -> proposed.put(update.feature(), update.maxVersionLevel()));
        List<ApiMessage> records = new ArrayList<>();
        for (FeatureUpdateKey update : request.featureUpdates()) {
            decide(update, image, levels.getOrDefault(update.feature(), (short) 0), proposed, records);
        }
        short elrBefore = image.featureLevel(ControllerFeatures.ELR_VERSION);
        if (elrBefore == 0 && proposed.getOrDefault(ControllerFeatures.ELR_VERSION, elrBefore) > 0) {
            records.addAll(sameMinInSyncReplicasEverywhere(settings, image));
        }
        return records;
    }

    private void decide(
            FeatureUpdateKey update,
            MetadataImage image,
            short current,
            Map<String, Short> proposed,
            List<ApiMessage> records) {
        String feature = update.feature();
        short level = update.maxVersionLevel();
        byte type = update.upgradeType();
        if (type != UPGRADE && type != SAFE_DOWNGRADE && type != UNSAFE_DOWNGRADE) {
            throw invalid(feature, level, "The controller does not support the given upgrade type.");
        }
        if (level < 0) {
            throw invalid(feature, level, "A feature version cannot be less than 0.");
        }
        String unsupported = whoDoesNotSupport(feature, level, image);
        if (!unsupported.isEmpty()) {
            throw invalid(feature, level, unsupported);
        }
        if (level < current && type == UPGRADE) {
            throw invalid(
                    feature,
                    level,
                    "Can't downgrade the version of this feature without setting the upgrade type to either safe or"
                            + " unsafe downgrade.");
        }
        if (level > current && type != UPGRADE) {
            throw invalid(feature, level, "Can't downgrade to a newer version.");
        }
        if (feature.equals(ControllerFeatures.METADATA_VERSION)) {
            checkMetadataVersion(current, level, type);
        } else if (feature.equals(ControllerFeatures.KRAFT_VERSION)) {
            if (level < current) {
                throw invalid(feature, level, "Can't downgrade the version of this feature.");
            }
            return;
        } else {
            String unmet = FeatureLevels.unmetDependency(feature, level, proposed);
            if (!unmet.isEmpty()) {
                throw invalid(feature, level, unmet);
            }
        }
        records.add(new FeatureLevelRecord().setName(feature).setFeatureLevel(level));
    }

    private static void checkMetadataVersion(short current, short level, byte type) {
        if (level < current && MetadataVersions.losesRecords(current, level)) {
            String reason = type == UNSAFE_DOWNGRADE
                    ? "Unsafe metadata downgrade is not supported in this version."
                    : "Refusing to perform the requested downgrade because it might delete metadata information.";
            throw new Rejection(
                    ErrorCode.INVALID_UPDATE_VERSION,
                    "Unsupported metadata.version downgrade from " + current + " to " + level + ". " + reason);
        }
    }

    private static Rejection invalid(String feature, short level, String reason) {
        return new Rejection(
                ErrorCode.INVALID_UPDATE_VERSION,
                "Invalid update version " + level + " for feature " + feature + ". " + reason);
    }

    private String whoDoesNotSupport(String feature, short level, MetadataImage image) {
        FeatureRange own = ControllerFeatures.supported(settings.values()).getOrDefault(feature, FeatureRange.NONE);
        if (!own.contains(level)) {
            return supports("Local controller " + settings.nodeId(), own);
        }
        for (BrokerRegistration broker : image.cluster().brokers().values()) {
            if (!broker.feature(feature).contains(level)) {
                return supports("Broker " + broker.id(), broker.feature(feature));
            }
        }
        if (image.featureLevel(ControllerFeatures.METADATA_VERSION) < MetadataVersions.WITH_CONTROLLER_REGISTRATIONS) {
            return "";
        }
        for (ControllerRegistration controller : image.cluster().controllers().values()) {
            if (controller.id() != settings.nodeId()
                    && !controller.feature(feature).contains(level)) {
                return supports("Controller " + controller.id(), controller.feature(feature));
            }
        }
        return "";
    }

    private static String supports(String who, FeatureRange range) {
        return range.max() == 0 ? who + " does not support this feature." : who + " only supports versions " + range;
    }

    /**
     * The ELR is right only where every broker goes by the same min.insync.replicas (KIP-966): the cluster's is written
     * down where it is not set, and what single brokers have of their own goes.
     */
    static List<ApiMessage> sameMinInSyncReplicasEverywhere(ControllerSettings settings, MetadataImage image) {
        List<ApiMessage> records = new ArrayList<>();
        String name = BrokerConfigs.MIN_INSYNC_REPLICAS;
        if (!image.configsOf(ConfigResource.brokerDefault()).containsKey(name)) {
            records.add(ConfigChanges.record(
                    ConfigResource.brokerDefault(),
                    name,
                    Integer.toString(settings.values().intValue(name))));
        }
        image.configs().forEach((resource, values) -> {
            boolean isOneBroker =
                    resource.type() == ConfigResource.BROKER && !resource.name().isEmpty();
            if (isOneBroker && values.containsKey(name)) {
                records.add(ConfigChanges.record(resource, name, null));
            }
        });
        return records;
    }
}

package io.tidemark.broker.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.FeatureRange;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BrokerRegistrationResponse;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest.FeatureUpdateKey;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.protocol.metadata.RegisterControllerRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FeatureUpdatesTest {
    private static final int UPGRADE = 1;
    private static final int SAFE_DOWNGRADE = 2;
    private static final int UNSAFE_DOWNGRADE = 3;

    private ControllerFixture fixture = new ControllerFixture().withBrokers(3);

    @Test
    void levelIsRaised() {
        startAt("metadata.version=4.1,share.version=0");

        assertSucceeds(update("share.version", 1, UPGRADE));

        assertThat(fixture.image().featureLevel("share.version")).isEqualTo((short) 1);
        assertThat(fixture.log)
                .last()
                .isEqualTo(new FeatureLevelRecord().setName("share.version").setFeatureLevel((short) 1));
    }

    @Test
    void metadataVersionIsRaised() {
        startAt("metadata.version=4.1");

        assertSucceeds(update("metadata.version", 33, UPGRADE));

        assertThat(fixture.image().featureLevel("metadata.version")).isEqualTo((short) 33);
    }

    @Test
    void featureIsDisabledByLevelZero() {
        assertSucceeds(update("group.version", 0, SAFE_DOWNGRADE));

        assertThat(fixture.image().features()).doesNotContainKey("group.version");
    }

    @Test
    void validateOnlyChangesNothing() {
        int before = fixture.log.size();

        assertSucceeds(fixture.commit(fixture.controller.updateFeatures(
                request(new FeatureUpdateKey().setFeature("group.version").setUpgradeType((byte) SAFE_DOWNGRADE))
                        .setValidateOnly(true),
                (short) 0)));

        assertThat(fixture.log).hasSize(before);
    }

    @Test
    void onlyADowngradeLowersALevel() {
        assertFails(
                update("group.version", 0, UPGRADE),
                "Can't downgrade the version of this feature without setting the upgrade type");
        startAt("group.version=0");
        assertFails(update("group.version", 1, SAFE_DOWNGRADE), "Can't downgrade to a newer version.");
    }

    @Test
    void refusesUnknownTypesAndLevels() {
        assertFails(update("group.version", 1, 0), "does not support the given upgrade type");
        assertFails(update("group.version", -1, UPGRADE), "cannot be less than 0");
        assertFails(update("group.version", 2, UPGRADE), "Local controller 1001 only supports versions 0-1");
        assertFails(update("no.version", 1, UPGRADE), "Local controller 1001 does not support this feature.");
        assertFails(update("metadata.version", 0, SAFE_DOWNGRADE), "Local controller 1001 only supports versions 7-33");
        assertFails(update("metadata.version", 34, UPGRADE), "Local controller 1001 only supports versions 7-33");
    }

    @Test
    void refusesALevelThatOneBrokerDoesNotSupport() {
        startAt("metadata.version=4.1");
        fixture.supported = new TreeMap<>(fixture.supported);
        fixture.supported.put("metadata.version", new FeatureRange((short) 7, (short) 30));
        fixture.register(9, -1);

        assertFails(update("metadata.version", 31, UPGRADE), "Broker 9 only supports versions 7-30");
        assertSucceeds(update("metadata.version", 30, UPGRADE));
    }

    @Test
    void metadataIsNotLostByADowngrade() {
        startAt("metadata.version=4.2");

        assertSucceeds(update("metadata.version", 25, SAFE_DOWNGRADE));
        assertFails(
                update("metadata.version", 22, SAFE_DOWNGRADE),
                "Unsupported metadata.version downgrade from 25 to 22. Refusing");
        assertFails(
                update("metadata.version", 22, UNSAFE_DOWNGRADE),
                "Unsupported metadata.version downgrade from 25 to 22. Unsafe");
    }

    @Test
    void eligibleLeadersNeedTheirMetadataVersion() {
        startAt("metadata.version=22");

        assertFails(
                update("eligible.leader.replicas.version", 1, UPGRADE),
                "because it depends on metadata.version=23 (4.0-IV1)");
        assertSucceeds(fixture.commit(fixture.controller.updateFeatures(
                request(key("eligible.leader.replicas.version", 1, UPGRADE), key("metadata.version", 23, UPGRADE)),
                (short) 0)));
    }

    @Test
    void withEligibleLeadersEveryBrokerGoesByTheClustersMinInsyncReplicas() {
        startAt("eligible.leader.replicas.version=0");
        assertThat(fixture.image().configs()).isEmpty();
        fixture.append(List.of(ConfigChanges.record(ConfigResource.broker(1), "min.insync.replicas", "3")));

        assertSucceeds(update("eligible.leader.replicas.version", 1, UPGRADE));

        assertThat(fixture.image().configs())
                .isEqualTo(Map.of(ConfigResource.brokerDefault(), new TreeMap<>(Map.of("min.insync.replicas", "1"))));
    }

    @Test
    void oneFailureFailsTheWholeRequest() {
        UpdateFeaturesResponse response = fixture.commit(fixture.controller.updateFeatures(
                request(key("group.version", 0, SAFE_DOWNGRADE), key("share.version", 9, UPGRADE)), (short) 0));

        assertFails(response, "Invalid update version 9 for feature share.version.");
        assertThat(response.results())
                .extracting(UpdateFeaturesResponse.UpdatableFeatureResult::errorCode)
                .containsExactly(ErrorCode.INVALID_UPDATE_VERSION.code(), ErrorCode.INVALID_UPDATE_VERSION.code());
        assertThat(fixture.image().featureLevel("group.version")).isEqualTo((short) 1);
    }

    @Test
    void brokerThatDoesNotSupportAFinalizedLevelIsRefused() {
        fixture.supported = new TreeMap<>(fixture.supported);
        fixture.supported.put("share.version", new FeatureRange((short) 0, (short) 1));

        BrokerRegistrationResponse response = fixture.register(9, -1);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
        assertThat(fixture.image().cluster().broker(9)).isNull();
    }

    @Test
    void controllersRegisterFrom37On() {
        startAt("metadata.version=3.6");
        assertThat(fixture.log).noneMatch(RegisterControllerRecord.class::isInstance);
        startAt("metadata.version=3.7-IV0");
        assertThat(fixture.image().cluster().controllers().get(1001).feature("metadata.version"))
                .isEqualTo(new FeatureRange((short) 7, (short) 33));
    }

    private void startAt(String features) {
        fixture = new ControllerFixture(Map.of("cluster.features", features)).withBrokers(3);
    }

    private UpdateFeaturesResponse update(String feature, int level, int type) {
        return fixture.commit(fixture.controller.updateFeatures(request(key(feature, level, type)), (short) 0));
    }

    private static FeatureUpdateKey key(String feature, int level, int type) {
        return new FeatureUpdateKey()
                .setFeature(feature)
                .setMaxVersionLevel((short) level)
                .setUpgradeType((byte) type);
    }

    private static UpdateFeaturesRequest request(FeatureUpdateKey... updates) {
        return new UpdateFeaturesRequest().setFeatureUpdates(List.of(updates));
    }

    private static void assertSucceeds(UpdateFeaturesResponse response) {
        assertThat(response.errorMessage()).isNull();
        assertThat(response.errorCode()).isEqualTo(ErrorCode.NONE.code());
    }

    private static void assertFails(UpdateFeaturesResponse response, String reason) {
        assertThat(response.errorCode()).isEqualTo(ErrorCode.INVALID_UPDATE_VERSION.code());
        assertThat(response.errorMessage())
                .startsWith("The update failed for all features since the following feature had an error: ")
                .contains(reason);
    }
}

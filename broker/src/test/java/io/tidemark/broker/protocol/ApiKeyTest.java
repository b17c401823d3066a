package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

class ApiKeyTest {
    @Test
    void knowsTheApisOfKafka() {
        assertThat(ApiKey.values()).extracting(ApiKey::name).containsExactlyElementsOf(kafkaNames());
    }

    private static Iterable<String> kafkaNames() {
        return Arrays.stream(ApiMessageType.values()).map(Enum::name).toList();
    }

    @Test
    void hasKafkasVersionsListenersAndHeaders() {
        for (ApiMessageType kafka : ApiMessageType.values()) {
            ApiKey ours = ApiKey.valueOf(kafka.name());
            assertThat(ApiKey.forId(kafka.apiKey())).isSameAs(ours);
            assertThat(ours.minVersion()).as("%s", ours).isEqualTo(kafka.lowestSupportedVersion());
            assertThat(ours.maxVersion()).as("%s", ours).isEqualTo(kafka.highestSupportedVersion(true));
            assertThat(ours.maxStableVersion()).as("%s", ours).isEqualTo(kafka.highestSupportedVersion(false));
            assertThat(ours.listeners())
                    .as("%s", ours)
                    .extracting(Enum::name)
                    .containsExactlyInAnyOrderElementsOf(
                            kafka.listeners().stream().map(Enum::name).toList());
            for (ListenerType listener : ListenerType.values()) {
                assertThat(ours.isServedBy(listener)).isEqualTo(ours.listeners().contains(listener));
            }
            for (short version = 0; version <= kafka.highestSupportedVersion(true); version++) {
                assertThat(ours.requestHeaderVersion(version))
                        .as("%s version %s", ours, version)
                        .isEqualTo(kafka.requestHeaderVersion(version));
                assertThat(ours.responseHeaderVersion(version))
                        .as("%s version %s", ours, version)
                        .isEqualTo(kafka.responseHeaderVersion(version));
            }
        }
    }

    @Test
    void makesFreshMessagesOfEachApi() {
        for (ApiKeys kafka : ApiKeys.values()) {
            ApiKey ours = ApiKey.valueOf(kafka.name());
            if (kafka.hasValidVersion()) {
                assertThat(ours.newRequest().apiKey()).isEqualTo(ours.id());
                assertThat(ours.newResponse().apiKey()).isEqualTo(ours.id());
                assertThat(ours.newRequest()).isNotSameAs(ours.newRequest());
            }
        }
    }

    @Test
    void hasNoMessagesOfRemovedApis() {
        assertThatThrownBy(ApiKey.LEADER_AND_ISR::newRequest)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LEADER_AND_ISR");
    }

    @Test
    void keepsAnUnstableVersionFromClients() {
        assertThat(ApiKey.INIT_PRODUCER_ID.maxVersion()).isEqualTo((short) 6);
        assertThat(ApiKey.INIT_PRODUCER_ID.maxStableVersion()).isEqualTo((short) 5);
    }

    @Test
    void isNullForAnUnknownId() {
        assertThat(ApiKey.forId((short) -1)).isNull();
        assertThat(ApiKey.forId((short) 95)).isNull();
        assertThat(ApiKey.forId(Short.MAX_VALUE)).isNull();
    }
}

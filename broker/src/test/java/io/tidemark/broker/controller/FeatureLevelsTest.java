package io.tidemark.broker.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.InvalidConfigException;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** Levels of a new cluster, against what {@code kafka-storage format --release-version} of Apache Kafka 4.4 shows. */
class FeatureLevelsTest {
    @Test
    void newClusterOf44HasAllThatIsInProduction() {
        assertThat(levels(""))
                .isEqualTo(Map.of(
                        "metadata.version", (short) 33,
                        "eligible.leader.replicas.version", (short) 1,
                        "group.version", (short) 1,
                        "share.version", (short) 2,
                        "streams.version", (short) 1,
                        "transaction.version", (short) 2));
    }

    @Test
    void anOlderReleaseHasWhatItHadThen() {
        assertThat(levels("metadata.version=3.9")).isEqualTo(Map.of("metadata.version", (short) 21));
        assertThat(levels("metadata.version=4.0"))
                .isEqualTo(Map.of(
                        "metadata.version", (short) 25, "group.version", (short) 1, "transaction.version", (short) 2));
        assertThat(levels("metadata.version=4.2-IV1"))
                .containsEntry("share.version", (short) 1)
                .containsEntry("streams.version", (short) 1);
    }

    @Test
    void whatIsNamedStands() {
        assertThat(levels("metadata.version=30,share.version=0"))
                .containsEntry("metadata.version", (short) 30)
                .containsEntry("share.version", (short) 0);
    }

    @Test
    void refusesWhatIsNotThere() {
        assertRefused("metadata.version=5.0", "no metadata.version [5.0]");
        assertRefused("metadata.version=34", "metadata.version to [34]; expected a level of 7-33");
        assertRefused("no.version=1", "[no.version]");
        assertRefused("kraft.version=1", "[kraft.version]");
        assertRefused("group.version", "expected feature=level");
        assertRefused("group.version=one", "expected a whole number");
        assertRefused(
                "metadata.version=22,eligible.leader.replicas.version=1", "depends on metadata.version=23 (4.0-IV1)");
    }

    @Test
    void unstableLevelsAreThereWhereTheyAreWanted() {
        assertThat(FeatureLevels.ofNewCluster(BrokerConfigs.DEFINITION.parse(Map.of(
                        BrokerConfigs.CLUSTER_FEATURES,
                        "metadata.version=4.5-IV0",
                        BrokerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE,
                        "true"))))
                .containsEntry("metadata.version", (short) 34);
    }

    private static void assertRefused(String features, String message) {
        assertThatThrownBy(() -> levels(features))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(message);
    }

    private static SortedMap<String, Short> levels(String features) {
        return FeatureLevels.ofNewCluster(
                BrokerConfigs.DEFINITION.parse(Map.of(BrokerConfigs.CLUSTER_FEATURES, features)));
    }
}

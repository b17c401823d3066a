package io.tidemark.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicConfigsTest {
    @Test
    void letsATopicOverrideItsBroker() {
        ConfigValues broker = broker(Map.of("min.insync.replicas", "2", "log.segment.bytes", "2000000"));

        ConfigValues topic = TopicConfigs.effective(Map.of("min.insync.replicas", "3"), broker);

        assertThat(topic.intValue(TopicConfigs.MIN_INSYNC_REPLICAS)).isEqualTo(3);
        assertThat(topic.intValue(TopicConfigs.SEGMENT_BYTES)).isEqualTo(2_000_000);
        assertThat(topic.intValue(TopicConfigs.MAX_MESSAGE_BYTES)).isEqualTo(1_048_588);
    }

    @Test
    void takesTheStrongestOfABrokersSynonymsInItsUnit() {
        Map<String, String> hours = Map.of("log.retention.hours", "2");
        Map<String, String> minutes = Map.of("log.retention.hours", "2", "log.retention.minutes", "30");
        Map<String, String> ms =
                Map.of("log.retention.hours", "2", "log.retention.minutes", "30", "log.retention.ms", "5");

        assertThat(retentionMs(hours)).isEqualTo(7_200_000);
        assertThat(retentionMs(minutes)).isEqualTo(1_800_000);
        assertThat(retentionMs(ms)).isEqualTo(5);
    }

    @Test
    void keepsNoLimitWhateverTheUnit() {
        assertThat(retentionMs(Map.of("log.retention.hours", "-1"))).isEqualTo(-1);
    }

    @Test
    void refusesABadOverride() {
        assertThatThrownBy(() -> TopicConfigs.effective(Map.of("cleanup.policy", "burn"), broker(Map.of())))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("cleanup.policy is [burn]; expected one of [compact, delete]");
    }

    private static long retentionMs(Map<String, String> broker) {
        return TopicConfigs.effective(Map.of(), broker(broker)).longValue(TopicConfigs.RETENTION_MS);
    }

    private static ConfigValues broker(Map<String, String> given) {
        return BrokerConfigs.DEFINITION.parse(given);
    }
}

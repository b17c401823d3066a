package io.tidemark.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigDefinitionTest {
    @Test
    void givesTheDefaultsOfWhatIsNotGiven() {
        ConfigValues values = BrokerConfigs.DEFINITION.defaults();

        assertThat(values.longValue(BrokerConfigs.REPLICA_LAG_TIME_MAX_MS)).isEqualTo(30_000);
        assertThat(values.intValue(BrokerConfigs.OFFSETS_TOPIC_REPLICATION_FACTOR))
                .isEqualTo(3);
        assertThat(values.booleanValue(BrokerConfigs.AUTO_CREATE_TOPICS_ENABLE)).isTrue();
        assertThat(values.doubleValue("log.cleaner.min.cleanable.ratio")).isEqualTo(0.5);
        assertThat(values.listValue("group.consumer.assignors")).containsExactly("uniform", "range");
        assertThat(values.isPresent(BrokerConfigs.LOG_RETENTION_MS)).isFalse();
        assertThat(values.given()).isEmpty();
    }

    @Test
    void givesWhatIsGiven() {
        ConfigValues values = BrokerConfigs.DEFINITION.parse(Map.of("num.partitions", " 7 "));

        assertThat(values.intValue(BrokerConfigs.NUM_PARTITIONS)).isEqualTo(7);
        assertThat(values.isGiven(BrokerConfigs.NUM_PARTITIONS)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "num.partitions, seven, [seven], a whole number of 32 bits",
        "num.partitions, 0, [0], at least 1",
        "num.partitions, 99999999999, [99999999999], a whole number of 32 bits",
        "auto.create.topics.enable, yes, [yes], true or false",
        "log.cleaner.min.cleanable.ratio, 1.5, [1.5], between 0.0 and 1.0",
        "log.message.timestamp.type, Never, [Never], 'one of [CreateTime, LogAppendTime]'",
        "'log.cleanup.policy', 'delete,shred', '[delete,shred]', 'one of [compact, delete]'",
    })
    void bracketsABadValueAndSaysWhatWouldDo(String name, String value, String bracketed, String remedy) {
        assertThatThrownBy(() -> BrokerConfigs.DEFINITION.parse(Map.of(name, value)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(bracketed)
                .hasMessageEndingWith("expected " + remedy);
    }

    @Test
    void takesWordsInCapitalsOrNotWhereKafkaDoes() {
        String name = "group.consumer.migration.policy";

        assertThat(BrokerConfigs.DEFINITION.parse(Map.of(name, "Upgrade")).text(name))
                .isEqualTo("Upgrade");
    }

    @Test
    void reportsTheNamesThatItDoesNotKnow() {
        assertThat(BrokerConfigs.DEFINITION.unknownNames(Map.of("b.b", "1", "a.a", "2", "num.partitions", "3")))
                .isEqualTo(List.of("a.a", "b.b"));
    }

    @Test
    void knowsEveryNameOfApacheKafka() {
        assertThat(BrokerConfigs.DEFINITION.keys()).hasSize(381);
        assertThat(TopicConfigs.DEFINITION.keys()).hasSize(38);
    }

    @Test
    void hasForEveryTopicConfigASynonymThatExists() {
        for (ConfigKey key : TopicConfigs.DEFINITION.keys()) {
            assertThat(key.documentation()).as(key.name()).isNotEmpty();
            for (ConfigKey.Synonym synonym : key.synonyms()) {
                assertThat(BrokerConfigs.DEFINITION.key(synonym.name()))
                        .as(synonym.name())
                        .isNotNull();
            }
        }
    }
}

package io.tidemark.broker.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be configured.
 *
 * @param name Kafka's name for it
 * @param type the type of its values
 * @param defaultText the default as text, or null where there is none: the value is then absent unless given
 * @param defaultValue the default, parsed
 * @param rule what a value must keep
 * @param documentation one sentence
 * @param synonyms the broker configs that give a topic config its default, the strongest first; empty on broker keys
 */
public record ConfigKey(
        String name,
        ConfigType type,
        @Nullable String defaultText,
        @Nullable Object defaultValue,
        ConfigRule rule,
        String documentation,
        List<Synonym> synonyms) {
    public ConfigKey {
        synonyms = List.copyOf(synonyms);
    }

    static ConfigKey of(
            String name, ConfigType type, @Nullable String defaultText, ConfigRule rule, String documentation) {
        Object value = defaultText == null ? null : type.parse(name, defaultText);
        return new ConfigKey(name, type, defaultText, value, rule, documentation, List.of());
    }

    ConfigKey withSynonyms(Synonym... from) {
        return new ConfigKey(name, type, defaultText, defaultValue, rule, documentation, List.of(from));
    }

    /** Kafka keeps such a key to itself: it shows only where somebody has set it. */
    public boolean isInternal() {
        return InternalKeys.NAMES.contains(name);
    }

    /** A password is never shown. */
    public boolean isSensitive() {
        return type == ConfigType.PASSWORD;
    }

    /**
     * Reads and checks a value.
     *
     * @throws InvalidConfigException if the text is not of the type, or the value breaks the rule
     */
    public Object parse(String text) {
        Object value = type.parse(name, text);
        String expected = rule.broken(value);
        if (expected != null) {
            throw InvalidConfigException.of(name, isSensitive() ? "hidden" : text, expected);
        }
        return value;
    }

    /**
     * A broker config that stands for a topic config.
     *
     * @param name the broker config's name
     * @param unit how its value becomes the topic's
     */
    public record Synonym(String name, Unit unit) {}

    /** How many of the topic config's units one unit of the synonym is. */
    public enum Unit {
        SAME(1),
        MINUTES_TO_MS(60_000),
        HOURS_TO_MS(3_600_000);

        private final long factor;

        Unit(long factor) {
            this.factor = factor;
        }

        /** The synonym's text in the topic's unit. -1, which means no limit, stays. */
        public String convert(String text) {
            if (this == SAME) {
                return text;
            }
            long value = Long.parseLong(text.trim());
            return Long.toString(value < 0 ? value : Math.multiplyExact(value, factor));
        }
    }
}

package io.tidemark.broker.controller;

import io.tidemark.broker.config.ConfigKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One config as it holds for a resource, and where that comes from.
 *
 * @param key its definition
 * @param value what holds, in the key's own unit; null where nothing does
 * @param source where the value comes from
 * @param isReadOnly whether only a restart with another file changes it
 * @param synonyms everything that is set for it, the strongest first, the default last
 */
public record ConfigEntry(
        ConfigKey key, @Nullable String value, Source source, boolean isReadOnly, List<Synonym> synonyms) {
    public ConfigEntry {
        synonyms = List.copyOf(synonyms);
    }

    /**
     * A value under one of the config's names.
     *
     * @param name the name it is set under
     * @param value as set, in that name's unit
     * @param source where
     */
    public record Synonym(String name, @Nullable String value, Source source) {}

    /** Where a value comes from, with Kafka's id for it. */
    public enum Source {
        TOPIC(1),
        DYNAMIC_BROKER(2),
        DYNAMIC_DEFAULT_BROKER(3),
        STATIC_BROKER(4),
        DEFAULT(5);

        private final byte id;

        Source(int id) {
            this.id = (byte) id;
        }

        public byte id() {
            return id;
        }
    }
}

package io.tidemark.broker.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A closed set of config keys. */
public final class ConfigDefinition {
    private final Map<String, ConfigKey> keys;

    ConfigDefinition(List<ConfigKey> keys) {
        Map<String, ConfigKey> byName = new LinkedHashMap<>(keys.size() * 2);
        for (ConfigKey key : keys) {
            if (byName.put(key.name(), key) != null) {
                throw new IllegalStateException("Config " + key.name() + " is defined twice");
            }
        }
        this.keys = Collections.unmodifiableMap(byName);
    }

    /** All keys, in the order of their definition. */
    public Collection<ConfigKey> keys() {
        return keys.values();
    }

    public @Nullable ConfigKey key(String name) {
        return keys.get(name);
    }

    /** The names that are not keys of this definition, sorted. */
    public List<String> unknownNames(Map<String, String> given) {
        List<String> unknown = new ArrayList<>();
        for (String name : given.keySet()) {
            if (!keys.containsKey(name)) {
                unknown.add(name);
            }
        }
        Collections.sort(unknown);
        return unknown;
    }

    /**
     * Reads and checks what is given; unknown names are ignored (ask {@link #unknownNames}).
     *
     * @throws InvalidConfigException if a value is not of its type or breaks its rule
     */
    public ConfigValues parse(Map<String, String> given) {
        Map<String, String> texts = new TreeMap<>();
        Map<String, Object> values = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : given.entrySet()) {
            ConfigKey key = keys.get(entry.getKey());
            if (key != null) {
                texts.put(key.name(), entry.getValue());
                values.put(key.name(), key.parse(entry.getValue()));
            }
        }
        return new ConfigValues(this, texts, values);
    }

    /** All defaults. */
    public ConfigValues defaults() {
        return parse(Map.of());
    }
}

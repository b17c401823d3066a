package io.tidemark.broker.config;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Typed, checked values of a definition's keys: what was given, and the defaults for the rest. Immutable. */
public final class ConfigValues {
    private final ConfigDefinition definition;
    private final Map<String, String> texts;
    private final Map<String, Object> values;

    ConfigValues(ConfigDefinition definition, Map<String, String> texts, Map<String, Object> values) {
        this.definition = definition;
        this.texts = Collections.unmodifiableMap(texts);
        this.values = values;
    }

    public ConfigDefinition definition() {
        return definition;
    }

    /** What was given, by name, in name order; defaults are not in it. */
    public Map<String, String> given() {
        return texts;
    }

    public boolean isGiven(String name) {
        return texts.containsKey(name);
    }

    /** True where there is a value, given or default. */
    public boolean isPresent(String name) {
        return value(name) != null;
    }

    /** The value as text, given or default; null where there is none. */
    public @Nullable String text(String name) {
        String text = texts.get(name);
        return text != null ? text : key(name).defaultText();
    }

    public int intValue(String name) {
        return ((Number) required(name)).intValue();
    }

    public long longValue(String name) {
        return ((Number) required(name)).longValue();
    }

    public double doubleValue(String name) {
        return ((Number) required(name)).doubleValue();
    }

    public boolean booleanValue(String name) {
        return (Boolean) required(name);
    }

    public String stringValue(String name) {
        return (String) required(name);
    }

    /** As {@link #stringValue}, but null where there is no value. */
    public @Nullable String stringOrNull(String name) {
        return (String) value(name);
    }

    /** The value, or the fallback where there is none. */
    public long longOr(String name, long fallback) {
        Object value = value(name);
        return value == null ? fallback : ((Number) value).longValue();
    }

    @SuppressWarnings("unchecked")
    public List<String> listValue(String name) {
        return (List<String>) required(name);
    }

    private Object required(String name) {
        Object value = value(name);
        if (value == null) {
            throw new InvalidConfigException("Config " + name + " has no value and no default; give it one");
        }
        return value;
    }

    private @Nullable Object value(String name) {
        Object value = values.get(name);
        return value != null ? value : key(name).defaultValue();
    }

    private ConfigKey key(String name) {
        ConfigKey key = definition.key(name);
        if (key == null) {
            throw new IllegalArgumentException("No config is named [" + name + "] in this definition");
        }
        return key;
    }

    @Override
    public String toString() {
        return "ConfigValues" + texts.keySet();
    }
}

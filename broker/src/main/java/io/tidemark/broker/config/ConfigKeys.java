package io.tidemark.broker.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the keys of a definition. */
final class ConfigKeys {
    private final List<ConfigKey> keys = new ArrayList<>();

    void add(String name, ConfigType type, @Nullable String defaultText) {
        add(name, type, defaultText, ConfigRule.NONE);
    }

    void add(String name, ConfigType type, @Nullable String defaultText, ConfigRule rule) {
        keys.add(ConfigKey.of(name, type, defaultText, rule, ""));
    }

    ConfigDefinition toDefinition() {
        return new ConfigDefinition(keys);
    }
}

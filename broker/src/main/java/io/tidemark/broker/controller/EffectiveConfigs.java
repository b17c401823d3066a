package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigKey;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.config.TopicConfigs;
import io.tidemark.broker.controller.ConfigEntry.Source;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a topic or a node, out of the layers that Kafka puts over one another: the topic's own configs, the
 * node's dynamic ones, the dynamic defaults of all brokers, the node's file, the defaults.
 */
public final class EffectiveConfigs {
    private static final ConfigResource ALL_BROKERS = ConfigResource.brokerDefault();

    private final ConfigResource node;
    private final ConfigValues nodeValues;

    /**
     * @param nodeId the node whose dynamic configs hold
     * @param nodeValues what the node's file says
     */
    public EffectiveConfigs(int nodeId, ConfigValues nodeValues) {
        this.node = ConfigResource.broker(nodeId);
        this.nodeValues = nodeValues;
    }

    public int minInsyncReplicas(MetadataImage image, String topic) {
        Object value = topicValue(image, topic, TopicConfigs.MIN_INSYNC_REPLICAS);
        return ((Number) value).intValue();
    }

    public boolean isUncleanElectionEnabled(MetadataImage image, String topic) {
        return (Boolean) topicValue(image, topic, TopicConfigs.UNCLEAN_LEADER_ELECTION_ENABLE);
    }

    /** All of a topic's configs as they hold; a value that was stored but is not valid is left out. */
    public ConfigValues topicValues(MetadataImage image, String topic) {
        Map<String, String> merged = new TreeMap<>();
        Map<String, String> overrides = image.configsOf(ConfigResource.topic(topic));
        List<Layer> layers = layers(image);
        for (ConfigKey key : TopicConfigs.DEFINITION.keys()) {
            String text = setText(key, overrides, layers);
            if (text != null && isValid(key, text)) {
                merged.put(key.name(), text);
            }
        }
        return TopicConfigs.DEFINITION.parse(merged);
    }

    /** What holds for the node itself; a value that was stored but is not valid is left out. */
    public ConfigValues nodeValues(MetadataImage image) {
        Map<String, String> merged = new TreeMap<>(nodeValues.given());
        for (ConfigResource resource : List.of(ALL_BROKERS, node)) {
            image.configsOf(resource).forEach((name, value) -> {
                ConfigKey key = nodeValues.definition().key(name);
                if (key != null && isValid(key, value)) {
                    merged.put(name, value);
                }
            });
        }
        return merged.equals(nodeValues.given())
                ? nodeValues
                : nodeValues.definition().parse(merged);
    }

    /** Every config of a topic with these configs of its own, in name order; internal ones where they are set. */
    public List<ConfigEntry> topic(Map<String, String> overrides, MetadataImage image) {
        List<ConfigEntry> entries = new ArrayList<>();
        List<Layer> layers = layers(image);
        for (ConfigKey key : TopicConfigs.DEFINITION.keys()) {
            ConfigEntry entry = topicEntry(key, overrides, layers);
            if (!key.isInternal() || entry.source() != Source.DEFAULT) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private static ConfigEntry topicEntry(ConfigKey key, Map<String, String> overrides, List<Layer> layers) {
        List<ConfigEntry.Synonym> synonyms = new ArrayList<>();
        String override = overrides.get(key.name());
        if (override != null) {
            synonyms.add(new ConfigEntry.Synonym(key.name(), override, Source.TOPIC));
        }
        for (Layer layer : layers) {
            for (ConfigKey.Synonym synonym : key.synonyms()) {
                String text = layer.values().get(synonym.name());
                if (text != null) {
                    synonyms.add(new ConfigEntry.Synonym(synonym.name(), text, layer.source()));
                }
            }
        }
        Source source = synonyms.isEmpty() ? Source.DEFAULT : synonyms.get(0).source();
        String set = setText(key, overrides, layers);
        String value = set == null ? key.defaultText() : set;
        for (ConfigKey.Synonym synonym : key.synonyms()) {
            ConfigKey brokerKey = BrokerConfigs.DEFINITION.key(synonym.name());
            if (brokerKey != null && brokerKey.defaultText() != null) {
                synonyms.add(new ConfigEntry.Synonym(synonym.name(), brokerKey.defaultText(), Source.DEFAULT));
            }
        }
        return new ConfigEntry(key, value, source, false, synonyms);
    }

    /** The nearest text that is set for a topic's config, in the config's own unit; null where none is. */
    private static @Nullable String setText(ConfigKey key, Map<String, String> overrides, List<Layer> layers) {
        String override = overrides.get(key.name());
        if (override != null) {
            return override;
        }
        for (Layer layer : layers) {
            for (ConfigKey.Synonym synonym : key.synonyms()) {
                String text = layer.values().get(synonym.name());
                if (text != null) {
                    return synonym.unit().convert(text);
                }
            }
        }
        return null;
    }

    /** Every config of this node, in the order of their definition; internal ones where they are set. */
    public List<ConfigEntry> node(MetadataImage image) {
        List<ConfigEntry> entries = new ArrayList<>();
        List<Layer> layers = layers(image);
        for (ConfigKey key : BrokerConfigs.DEFINITION.keys()) {
            List<ConfigEntry.Synonym> synonyms = new ArrayList<>();
            for (Layer layer : layers) {
                String text = layer.values().get(key.name());
                if (text != null) {
                    synonyms.add(new ConfigEntry.Synonym(key.name(), text, layer.source()));
                }
            }
            if (key.defaultText() != null) {
                synonyms.add(new ConfigEntry.Synonym(key.name(), key.defaultText(), Source.DEFAULT));
            }
            boolean set = !synonyms.isEmpty();
            if (key.isInternal() && (!set || synonyms.get(0).source() == Source.DEFAULT)) {
                continue;
            }
            entries.add(new ConfigEntry(
                    key,
                    set ? synonyms.get(0).value() : null,
                    set ? synonyms.get(0).source() : Source.DEFAULT,
                    !DynamicBrokerConfigs.contains(key.name()),
                    synonyms));
        }
        addDynamicOnly(entries, layers);
        return entries;
    }

    /** What is no config of a node's file shows only where it is set: the rates of throttled replication (KIP-73). */
    private static void addDynamicOnly(List<ConfigEntry> entries, List<Layer> layers) {
        for (ConfigKey key : DynamicBrokerConfigs.DYNAMIC_ONLY.keys()) {
            List<ConfigEntry.Synonym> synonyms = new ArrayList<>();
            for (Layer layer : layers) {
                String text = layer.source() == Source.STATIC_BROKER
                        ? null
                        : layer.values().get(key.name());
                if (text != null) {
                    synonyms.add(new ConfigEntry.Synonym(key.name(), text, layer.source()));
                }
            }
            if (!synonyms.isEmpty()) {
                entries.add(new ConfigEntry(
                        key, synonyms.get(0).value(), synonyms.get(0).source(), false, synonyms));
            }
        }
    }

    /** The dynamic defaults of all brokers: only what is set. */
    public List<ConfigEntry> brokerDefaults(MetadataImage image) {
        List<ConfigEntry> entries = new ArrayList<>();
        image.configsOf(ALL_BROKERS).forEach((name, value) -> {
            ConfigKey key = BrokerConfigs.DEFINITION.key(name);
            if (key == null) {
                key = DynamicBrokerConfigs.DYNAMIC_ONLY.key(name);
            }
            if (key != null) {
                entries.add(new ConfigEntry(
                        key,
                        value,
                        Source.DYNAMIC_DEFAULT_BROKER,
                        !DynamicBrokerConfigs.contains(name),
                        List.of(new ConfigEntry.Synonym(name, value, Source.DYNAMIC_DEFAULT_BROKER))));
            }
        });
        return entries;
    }

    private Object topicValue(MetadataImage image, String topic, String name) {
        ConfigKey key = TopicConfigs.DEFINITION.key(name);
        if (key == null || key.defaultValue() == null) {
            throw new IllegalArgumentException("Topic config [" + name + "] does not exist or has no default");
        }
        String text = setText(key, image.configsOf(ConfigResource.topic(topic)), layers(image));
        return text != null && isValid(key, text) ? key.parse(text) : key.defaultValue();
    }

    private List<Layer> layers(MetadataImage image) {
        return List.of(
                new Layer(Source.DYNAMIC_BROKER, image.configsOf(node)),
                new Layer(Source.DYNAMIC_DEFAULT_BROKER, image.configsOf(ALL_BROKERS)),
                new Layer(Source.STATIC_BROKER, nodeValues.given()));
    }

    private record Layer(Source source, Map<String, String> values) {}

    private static boolean isValid(ConfigKey key, @Nullable String text) {
        try {
            key.parse(text == null ? "" : text);
            return true;
        } catch (InvalidConfigException e) {
            return false;
        }
    }
}

package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigDefinition;
import io.tidemark.broker.config.ConfigKey;
import io.tidemark.broker.config.ConfigType;
import io.tidemark.broker.config.GroupConfigs;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.config.TopicConfigs;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterConfigsRequest;
import io.tidemark.broker.protocol.message.AlterConfigsResponse;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsResponse;
import io.tidemark.broker.protocol.metadata.ClearElrRecord;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Decides on changes of the configs of topics, brokers and groups. Each resource of a request stands or falls alone. */
final class ConfigChanges {
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final byte APPEND = 2;
    private static final byte SUBTRACT = 3;

    private final EffectiveConfigs configs;

    ConfigChanges(EffectiveConfigs configs) {
        this.configs = configs;
    }

    ControllerResult<IncrementalAlterConfigsResponse> alter(
            IncrementalAlterConfigsRequest request, MetadataImage image) {
        IncrementalAlterConfigsResponse response = new IncrementalAlterConfigsResponse();
        List<ApiMessage> records = new ArrayList<>();
        Set<ConfigResource> seen = new LinkedHashSet<>();
        for (IncrementalAlterConfigsRequest.AlterConfigsResource asked : request.resources()) {
            ConfigResource resource = new ConfigResource(asked.resourceType(), asked.resourceName());
            IncrementalAlterConfigsResponse.AlterConfigsResourceResponse result =
                    new IncrementalAlterConfigsResponse.AlterConfigsResourceResponse()
                            .setResourceType(resource.type())
                            .setResourceName(resource.name());
            response.responses().add(result);
            try {
                requireKnown(resource, image);
                requireFirst(seen, resource);
                SortedMap<String, String> wanted = new TreeMap<>(image.configsOf(resource));
                asked.configs().forEach(config -> apply(config, resource, wanted, image));
                records.addAll(change(resource, wanted, image));
            } catch (Rejection rejection) {
                result.setErrorCode(rejection.error().code()).setErrorMessage(rejection.reason());
            }
        }
        return new ControllerResult<>(request.validateOnly() ? List.of() : withElections(records, image), response);
    }

    /** The old request, which replaces all that is set. */
    ControllerResult<AlterConfigsResponse> replace(AlterConfigsRequest request, MetadataImage image) {
        AlterConfigsResponse response = new AlterConfigsResponse();
        List<ApiMessage> records = new ArrayList<>();
        Set<ConfigResource> seen = new LinkedHashSet<>();
        for (AlterConfigsRequest.AlterConfigsResource asked : request.resources()) {
            ConfigResource resource = new ConfigResource(asked.resourceType(), asked.resourceName());
            AlterConfigsResponse.AlterConfigsResourceResponse result =
                    new AlterConfigsResponse.AlterConfigsResourceResponse()
                            .setResourceType(resource.type())
                            .setResourceName(resource.name());
            response.responses().add(result);
            try {
                requireKnown(resource, image);
                requireFirst(seen, resource);
                SortedMap<String, String> wanted = new TreeMap<>();
                asked.configs()
                        .forEach(config ->
                                wanted.put(config.name(), requireValue(resource, config.name(), config.value())));
                records.addAll(change(resource, wanted, image));
            } catch (Rejection rejection) {
                result.setErrorCode(rejection.error().code()).setErrorMessage(rejection.reason());
            }
        }
        return new ControllerResult<>(request.validateOnly() ? List.of() : withElections(records, image), response);
    }

    static void requireValidTopicConfigs(String topic, Map<String, String> values) {
        requireValid(ConfigResource.topic(topic), TopicConfigs.DEFINITION, values);
    }

    private static void requireFirst(Set<ConfigResource> seen, ConfigResource resource) {
        if (!seen.add(resource)) {
            throw new Rejection(ErrorCode.INVALID_REQUEST, "The request names " + resource + " more than once");
        }
    }

    private static void requireKnown(ConfigResource resource, MetadataImage image) {
        switch (resource.type()) {
            case ConfigResource.TOPIC -> {
                if (image.topics().topic(resource.name()) == null) {
                    throw new Rejection(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "The " + resource + " does not exist");
                }
            }
            case ConfigResource.BROKER -> {
                if (!resource.name().isEmpty() && !isNode(resource.name(), image)) {
                    throw new Rejection(
                            ErrorCode.BROKER_ID_NOT_REGISTERED,
                            "No " + resource + " is registered; registered are "
                                    + image.cluster().brokers().keySet());
                }
            }
            case ConfigResource.GROUP -> {
                // The group need not be there: its configs wait for it.
                if (resource.name().isEmpty()) {
                    throw new Rejection(
                            ErrorCode.INVALID_REQUEST, "A group has no name; there are no defaults for all groups");
                }
            }
            default ->
                throw new Rejection(
                        ErrorCode.INVALID_REQUEST,
                        "Configs of a " + resource
                                + " cannot be changed here; expected a topic (2), a broker (4) or a group (32)");
        }
    }

    private static boolean isNode(String name, MetadataImage image) {
        try {
            int id = Integer.parseInt(name);
            return image.cluster().broker(id) != null
                    || image.cluster().controllers().containsKey(id);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String requireValue(ConfigResource resource, String name, @Nullable String value) {
        if (value == null) {
            throw new Rejection(
                    ErrorCode.INVALID_CONFIG, "Config " + name + " of " + resource + " is null; expected a value");
        }
        return value;
    }

    private void apply(
            IncrementalAlterConfigsRequest.AlterableConfig config,
            ConfigResource resource,
            SortedMap<String, String> wanted,
            MetadataImage image) {
        String name = config.name();
        switch (config.configOperation()) {
            case SET -> wanted.put(name, requireValue(resource, name, config.value()));
            case DELETE -> wanted.remove(name);
            case APPEND -> {
                List<String> items = items(resource, name, wanted, image);
                for (String item : split(requireValue(resource, name, config.value()))) {
                    if (!items.contains(item)) {
                        items.add(item);
                    }
                }
                wanted.put(name, String.join(",", items));
            }
            case SUBTRACT -> {
                List<String> items = items(resource, name, wanted, image);
                items.removeAll(split(requireValue(resource, name, config.value())));
                wanted.put(name, String.join(",", items));
            }
            default ->
                throw new Rejection(
                        ErrorCode.INVALID_REQUEST,
                        "Operation [" + config.configOperation() + "] on config " + name
                                + " is unknown; expected 0 (set), 1 (delete), 2 (append) or 3 (subtract)");
        }
    }

    /** The list as it holds before a change, so that appending to a default keeps the default. */
    private List<String> items(
            ConfigResource resource, String name, SortedMap<String, String> wanted, MetadataImage image) {
        ConfigKey key = definition(resource).key(name);
        if (key == null || key.type() != ConfigType.LIST) {
            throw new Rejection(
                    ErrorCode.INVALID_CONFIG, "Config " + name + " of " + resource + " is not a list; set it instead");
        }
        String current = wanted.get(name);
        if (current == null && resource.type() == ConfigResource.TOPIC) {
            for (ConfigEntry entry : configs.topic(Collections.emptyMap(), image)) {
                if (entry.key().name().equals(name)) {
                    current = entry.value();
                }
            }
        } else if (current == null) {
            current = key.defaultText();
        }
        return current == null ? new ArrayList<>() : new ArrayList<>(split(current));
    }

    private static List<String> split(String text) {
        List<String> items = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            if (!item.trim().isEmpty()) {
                items.add(item.trim());
            }
        }
        return items;
    }

    private static List<ApiMessage> change(
            ConfigResource resource, SortedMap<String, String> wanted, MetadataImage image) {
        requireValid(resource, definition(resource), wanted);
        SortedMap<String, String> before = image.configsOf(resource);
        List<ApiMessage> records = new ArrayList<>();
        for (String name : before.keySet()) {
            if (!wanted.containsKey(name)) {
                records.add(record(resource, name, null));
            }
        }
        wanted.forEach((name, value) -> {
            if (!value.equals(before.get(name))) {
                records.add(record(resource, name, value));
            }
        });
        if (ControllerFeatures.isElrEnabled(image)
                && resource.equals(ConfigResource.brokerDefault())
                && records.stream()
                        .anyMatch(change -> change instanceof ConfigRecord config
                                && config.value() == null
                                && config.name().equals(BrokerConfigs.MIN_INSYNC_REPLICAS))) {
            throw new Rejection(
                    ErrorCode.INVALID_CONFIG,
                    "The cluster's min.insync.replicas cannot be removed while " + ControllerFeatures.ELR_VERSION
                            + " is on: set another value instead");
        }
        return records;
    }

    static ConfigRecord record(ConfigResource resource, String name, @Nullable String value) {
        return new ConfigRecord()
                .setResourceType(resource.type())
                .setResourceName(resource.name())
                .setName(name)
                .setValue(value);
    }

    private static ConfigDefinition definition(ConfigResource resource) {
        return switch (resource.type()) {
            case ConfigResource.TOPIC -> TopicConfigs.DEFINITION;
            case ConfigResource.GROUP -> GroupConfigs.DEFINITION;
            default -> BrokerConfigs.DEFINITION;
        };
    }

    private static void requireValid(ConfigResource resource, ConfigDefinition definition, Map<String, String> values) {
        List<String> unknown = definition.unknownNames(values);
        if (resource.type() != ConfigResource.BROKER && !unknown.isEmpty()) {
            throw new Rejection(
                    ErrorCode.INVALID_CONFIG,
                    "Unknown config " + unknown + " for " + resource + "; check its spelling");
        }
        for (Map.Entry<String, String> entry : values.entrySet()) {
            ConfigKey key = definition.key(entry.getKey());
            if (key == null && resource.type() == ConfigResource.BROKER) {
                key = DynamicBrokerConfigs.DYNAMIC_ONLY.key(entry.getKey());
            }
            try {
                if (key != null) {
                    key.parse(entry.getValue());
                }
            } catch (InvalidConfigException e) {
                throw new Rejection(ErrorCode.INVALID_CONFIG, "For " + resource + ": " + e.getMessage());
            }
        }
    }

    /**
     * What follows at once. Another min.insync.replicas ends every ELR that it is for: its members were eligible by
     * another measure (KIP-966). And unclean election may give a partition a leader.
     */
    private List<ApiMessage> withElections(List<ApiMessage> records, MetadataImage image) {
        List<ApiMessage> all = new ArrayList<>(records);
        Set<String> topics = new LinkedHashSet<>();
        boolean everyTopic = false;
        for (ApiMessage record : records) {
            if (record instanceof ConfigRecord config && movesElections(config.name())) {
                boolean isForAll = config.resourceType() == ConfigResource.BROKER;
                everyTopic |= isForAll;
                topics.add(config.resourceName());
                if (config.name().equals(TopicConfigs.MIN_INSYNC_REPLICAS) && ControllerFeatures.isElrEnabled(image)) {
                    all.add(new ClearElrRecord().setTopicName(isForAll ? "" : config.resourceName()));
                }
            }
        }
        if (topics.isEmpty()) {
            return all;
        }
        MetadataDelta delta = new MetadataDelta(image);
        all.forEach(record -> delta.replay(image.lastOffset(), image.lastLeaderEpoch(), record));
        LeaderChanges changes = new LeaderChanges(delta.apply(), configs);
        if (everyTopic) {
            all.addAll(changes.onTopicConfigs(null));
        } else {
            topics.forEach(topic -> all.addAll(changes.onTopicConfigs(topic)));
        }
        return all;
    }

    private static boolean movesElections(String name) {
        return name.equals(TopicConfigs.MIN_INSYNC_REPLICAS)
                || name.equals(TopicConfigs.UNCLEAN_LEADER_ELECTION_ENABLE);
    }
}

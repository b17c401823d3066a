package io.tidemark.broker;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.controller.FeatureLevels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one node was told, read and checked as a whole. Immutable.
 *
 * @param nodeId the node's id
 * @param isBroker whether it has the broker role
 * @param isController whether it has the controller role
 * @param listeners every listener to bind, those of the controller role too
 * @param controllerListenerNames the names of the listeners of controllers, this node's or others'
 * @param interBrokerListenerName the listener that brokers reach one another by
 * @param voters the voters; where only bootstrap servers are given, each of them with node id -1
 * @param logDirs the folders of the partitions
 * @param metadataLogDir the folder of the metadata log
 * @param clusterId the cluster's id, where it was given
 * @param rack the node's rack, where it was given
 * @param unknownNames property names that nobody knows, sorted
 * @param values all values under {@link BrokerConfigs}' names
 */
public record BrokerConfig(
        int nodeId,
        boolean isBroker,
        boolean isController,
        List<ListenerConfig> listeners,
        List<String> controllerListenerNames,
        String interBrokerListenerName,
        List<Voter> voters,
        List<Path> logDirs,
        Path metadataLogDir,
        @Nullable String clusterId,
        @Nullable String rack,
        List<String> unknownNames,
        ConfigValues values) {
    /** What becomes of property names that nobody knows. */
    public enum UnknownNames {
        /** As Kafka has it: they are kept in {@link #unknownNames()}, for a warning. */
        TOLERATE,
        /** They are an error: a typing mistake in a test must not pass in silence. */
        REJECT
    }

    /**
     * A socket to bind, and what is told of it.
     *
     * @param name the listener's name
     * @param host the host to bind; empty for all interfaces
     * @param port the port to bind; 0 for any free one
     * @param advertisedHost the host that clients and peers are told
     * @param advertisedPort the port that they are told; 0 for the bound one
     */
    public record ListenerConfig(String name, String host, int port, String advertisedHost, int advertisedPort) {}

    /**
     * A voter of the metadata quorum, from {@code controller.quorum.voters}.
     *
     * @param nodeId its node id
     * @param host where it is reached
     * @param port its port on the controller listener
     */
    public record Voter(int nodeId, String host, int port) {}

    public BrokerConfig {
        listeners = List.copyOf(listeners);
        controllerListenerNames = List.copyOf(controllerListenerNames);
        voters = List.copyOf(voters);
        logDirs = List.copyOf(logDirs);
        unknownNames = List.copyOf(unknownNames);
    }

    /**
     * Reads Kafka's property names.
     *
     * @throws InvalidConfigException if something is missing, wrong, or not supported
     */
    public static BrokerConfig of(Map<String, String> properties, UnknownNames policy) {
        List<String> unknown = unknownNames(properties);
        if (policy == UnknownNames.REJECT && !unknown.isEmpty()) {
            throw new InvalidConfigException(
                    "No broker config is named " + unknown + "; use Apache Kafka's names, as in server.properties");
        }
        ConfigValues values = BrokerConfigs.DEFINITION.parse(withoutBlankLists(properties));
        Roles roles = Roles.of(values);
        // Read again when a folder is formatted; a mistake is to show before anything is opened.
        FeatureLevels.ofNewCluster(values);
        ListenerConfigs listeners = ListenerConfigs.of(values, roles);
        List<Voter> voters = VoterConfigs.of(values, roles);
        List<Path> logDirs = logDirs(values);
        String metadataLogDir = values.stringOrNull(BrokerConfigs.METADATA_LOG_DIR);
        return new BrokerConfig(
                roles.nodeId(),
                roles.isBroker(),
                roles.isController(),
                listeners.listeners(),
                listeners.controllerListenerNames(),
                listeners.interBrokerListenerName(),
                voters,
                logDirs,
                metadataLogDir == null ? logDirs.get(0) : folder(BrokerConfigs.METADATA_LOG_DIR, metadataLogDir),
                values.stringOrNull(BrokerConfigs.CLUSTER_ID),
                values.stringOrNull(BrokerConfigs.BROKER_RACK),
                unknown,
                values);
    }

    /** Per-listener and per-topic-of-plugin settings carry prefixes that Kafka takes in; they are not unknown. */
    private static List<String> unknownNames(Map<String, String> properties) {
        List<String> unknown = new ArrayList<>(BrokerConfigs.DEFINITION.unknownNames(properties));
        unknown.removeIf(name -> name.startsWith("listener.name.") || name.startsWith("config.providers."));
        return unknown;
    }

    /** A name with nothing behind it, as in {@code controller.quorum.bootstrap.servers=}, is as good as absent. */
    private static Map<String, String> withoutBlankLists(Map<String, String> properties) {
        Map<String, String> kept = new TreeMap<>(properties);
        for (String name : List.of(
                BrokerConfigs.CONTROLLER_QUORUM_VOTERS,
                BrokerConfigs.CONTROLLER_QUORUM_BOOTSTRAP_SERVERS,
                BrokerConfigs.ADVERTISED_LISTENERS,
                BrokerConfigs.LOG_DIRS)) {
            String text = kept.get(name);
            if (text != null && text.isBlank()) {
                kept.remove(name);
            }
        }
        return kept;
    }

    private static List<Path> logDirs(ConfigValues values) {
        String name = values.isGiven(BrokerConfigs.LOG_DIRS) ? BrokerConfigs.LOG_DIRS : BrokerConfigs.LOG_DIR;
        List<Path> folders = new ArrayList<>();
        for (String text : values.listValue(name)) {
            folders.add(folder(name, text));
        }
        return folders;
    }

    private static Path folder(String name, String text) {
        if (text.isBlank()) {
            throw new InvalidConfigException("Config " + name + " names a folder [" + text + "]; expected a path");
        }
        return Path.of(text).normalize();
    }

    /** The listener of a name, or null where the node has none such. */
    public @Nullable ListenerConfig listener(String name) {
        for (ListenerConfig listener : listeners) {
            if (listener.name().equals(name)) {
                return listener;
            }
        }
        return null;
    }
}

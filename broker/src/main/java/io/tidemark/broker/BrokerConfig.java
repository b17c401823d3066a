package io.tidemark.broker;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.InvalidConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one node was told, read and checked as a whole. Immutable. */
public final class BrokerConfig {
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

    private BrokerConfig() {}

    /**
     * Reads Kafka's property names.
     *
     * @throws InvalidConfigException if something is missing, wrong, or not supported
     */
    public static BrokerConfig of(Map<String, String> properties, UnknownNames unknownNames) {
        throw new UnsupportedOperationException("not written yet");
    }

    public int nodeId() {
        throw new UnsupportedOperationException("not written yet");
    }

    public boolean isBroker() {
        throw new UnsupportedOperationException("not written yet");
    }

    public boolean isController() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** All values under {@link BrokerConfigs}' names. */
    public ConfigValues values() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** Every listener, those of the controller role too. */
    public List<ListenerConfig> listeners() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** The names of the listeners of controllers, this node's or others'. */
    public List<String> controllerListenerNames() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** The listener that brokers reach one another by. */
    public String interBrokerListenerName() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** The voters; where only bootstrap servers are given, each of them with node id -1. */
    public List<Voter> voters() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** The folders of the partitions. */
    public List<Path> logDirs() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** The folder of the metadata log. */
    public Path metadataLogDir() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** The cluster's id, where it was given. */
    public @Nullable String clusterId() {
        throw new UnsupportedOperationException("not written yet");
    }

    public @Nullable String rack() {
        throw new UnsupportedOperationException("not written yet");
    }

    /** Property names that nobody knows, sorted. */
    public List<String> unknownNames() {
        throw new UnsupportedOperationException("not written yet");
    }
}

package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.clients.ConsumerProtocol;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** One combination of a {@link ClusterMatrix}. */
record Combination(
        Method method,
        int brokers,
        int controllers,
        boolean combined,
        OptionalInt transactionVersion,
        String config,
        ClientChoice client) {
    private static final String TRANSACTION_VERSION = "transaction.version";

    /** The clusters of the test: those of its method or of its class, or a plain one, as the combination wants them. */
    List<ClusterDeclaration> applyTo(Class<?> testClass) {
        List<ClusterDeclaration> own = new ArrayList<>(Declarations.ofMethod(method));
        if (own.stream().allMatch(ClusterDeclaration::aside)) {
            List<ClusterDeclaration> ofClass = Declarations.ofClass(testClass);
            own.addAll(
                    ofClass.isEmpty()
                            ? List.of(new ClusterDeclaration("", place(), "", false, false, builder -> {}))
                            : ofClass.stream()
                                    .map(declaration -> declaration.at(place()))
                                    .toList());
        }
        return own.stream()
                .map(declaration -> declaration.aside() ? declaration : declaration.with(this::apply))
                .toList();
    }

    /**
     * What every injected client has.
     *
     * @throws ExtensionConfigurationException if the clients do not know the protocol
     */
    Map<String, String> clientSettings(Class<?> testClass) {
        Map<String, String> settings = pairs(client.config(), "clientConfigs()");
        GroupProtocol protocol = client.protocol();
        if (protocol == null) {
            return settings;
        }
        ClientVersion tooOld = client.versionFor(testClass.getClassLoader())
                .filter(version -> !version.knowsGroupProtocol())
                .orElse(null);
        if (tooOld == null) {
            settings.put(GroupProtocol.SETTING, protocol.value());
        } else if (protocol != GroupProtocol.CLASSIC) {
            throw new ExtensionConfigurationException(place() + ": protocols() has [" + protocol
                    + "], and kafka-clients [" + tooOld + "] do not know the setting [" + GroupProtocol.SETTING
                    + "], which came with 3.7 (KIP-848); give the older clients a matrix of their own with [CLASSIC]");
        }
        return settings;
    }

    /**
     * Refuses a cluster whose brokers do not have the protocol of the combination.
     *
     * @throws ExtensionConfigurationException that says what to use in its place
     */
    void requireServed(Cluster cluster) {
        if (client.protocol() == GroupProtocol.CONSUMER) {
            try {
                ConsumerProtocol.requireServed(cluster);
            } catch (IllegalArgumentException e) {
                throw new ExtensionConfigurationException(
                        place() + ": cannot run with protocols() of [" + client.protocol() + "]: " + e.getMessage(), e);
            }
        }
    }

    private void apply(Cluster.Builder builder) {
        builder.brokers(brokers).controllers(controllers).combined(combined);
        transactionVersion.ifPresent(level -> builder.feature(TRANSACTION_VERSION, level));
        pairs(config, "configs()").forEach(builder::config);
    }

    private Map<String, String> pairs(String text, String where) {
        Map<String, String> pairs = new TreeMap<>();
        if (text.isBlank()) {
            return pairs;
        }
        // A comma may be in a value: one that no name follows is.
        for (String pair : text.split(",(?=\\s*[A-Za-z0-9._-]+=)", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new ExtensionConfigurationException(place() + ": " + where + " has [" + pair
                        + "], which is not a pair: write [name=value], several with commas");
            }
            pairs.put(
                    pair.substring(0, equals).strip(),
                    pair.substring(equals + 1).strip());
        }
        return pairs;
    }

    /** Where it is written, for messages. */
    String place() {
        return "@ClusterMatrix on method " + method.getName();
    }

    /** As reports show it. */
    @Override
    public String toString() {
        return "brokers=" + brokers + ", controllers=" + controllers + (combined ? " combined" : " apart")
                + (transactionVersion.isPresent()
                        ? ", " + TRANSACTION_VERSION + "=" + transactionVersion.getAsInt()
                        : "")
                + (config.isBlank() ? "" : ", " + config) + client;
    }
}

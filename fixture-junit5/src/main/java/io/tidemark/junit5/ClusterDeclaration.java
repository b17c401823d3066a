package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.TopicSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * A cluster that a test asks for.
 *
 * @param name what the test calls it; empty for nothing
 * @param place where it is declared, for messages; no two in one scope have the same place and name
 * @param systemProperty what holds its address; empty for none
 * @param shared true where it may be one that others had before, and others get after
 * @param aside true where it belongs to one parameter, and is no other's cluster unless asked for by name
 * @param settings what it shall be
 */
record ClusterDeclaration(
        String name,
        String place,
        String systemProperty,
        boolean shared,
        boolean aside,
        Consumer<Cluster.Builder> settings) {

    static ClusterDeclaration of(KafkaCluster annotation, String place, String fallbackName, boolean aside) {
        return new ClusterDeclaration(
                annotation.name().isEmpty() ? fallbackName : annotation.name(),
                "@KafkaCluster on " + place,
                annotation.systemProperty(),
                annotation.shared(),
                aside,
                builder -> apply(annotation, builder));
    }

    /** Place and name, as it is shown to the user. */
    String shown() {
        return name.isEmpty() ? place : place + " named [" + name + "]";
    }

    ClusterDeclaration at(String otherPlace) {
        return new ClusterDeclaration(name, otherPlace, systemProperty, shared, aside, settings);
    }

    ClusterDeclaration with(Consumer<Cluster.Builder> more) {
        return new ClusterDeclaration(name, place, systemProperty, shared, aside, settings.andThen(more));
    }

    /** The cluster, and what ends it for this test. */
    Lease start(SharedClusters sharedClusters) {
        try {
            Cluster.Builder builder = Cluster.builder();
            settings.accept(builder);
            if (shared) {
                return sharedClusters.lease(builder);
            }
            Cluster cluster = builder.start();
            return new Lease(cluster, cluster);
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException(place + ": " + e.getMessage(), e);
        }
    }

    /**
     * A cluster for a while.
     *
     * @param end closes it, or gives it back
     */
    record Lease(Cluster cluster, AutoCloseable end) {}

    private static void apply(KafkaCluster annotation, Cluster.Builder builder) {
        builder.brokers(annotation.brokers())
                .controllers(annotation.controllers())
                .combined(annotation.combined())
                .listeners(annotation.listeners())
                .racks(annotation.racks())
                .startTimeout(Duration.ofSeconds(annotation.startTimeoutSeconds()));
        if (annotation.seed() != 0) {
            builder.seed(annotation.seed());
        }
        eachPair(annotation.config(), builder::config);
        for (Topic topic : annotation.topics()) {
            if (topic.name().isEmpty()) {
                builder.topic(settingsOf(topic));
            } else {
                builder.topic(topic.name(), settingsOf(topic));
            }
        }
    }

    static Consumer<TopicSpec.Builder> settingsOf(Topic topic) {
        return builder -> {
            builder.partitions(topic.partitions());
            if (topic.replicationFactor() != 0) {
                builder.replicationFactor(topic.replicationFactor());
            }
            for (int partition = 0; partition < topic.replicas().length; partition++) {
                builder.replicas(partition, brokerIds(topic.replicas()[partition]));
            }
            eachPair(topic.config(), builder::config);
        };
    }

    private static int[] brokerIds(String list) {
        try {
            return Arrays.stream(list.split(",", -1))
                    .mapToInt(id -> Integer.parseInt(id.strip()))
                    .toArray();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Replicas [" + list + "] are not broker ids: write them with commas, for example [1,2]", e);
        }
    }

    private static void eachPair(String[] pairs, BiConsumer<String, String> take) {
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "Config [" + pair + "] is not a pair: write [name=value], for example [min.insync.replicas=2]");
            }
            take.accept(
                    pair.substring(0, equals).strip(),
                    pair.substring(equals + 1).strip());
        }
    }
}

package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.TopicSpec;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * A {@link KafkaCluster} where it stands.
 *
 * @param annotation what was declared
 * @param place where, for messages
 */
record ClusterDeclaration(KafkaCluster annotation, String place) {
    Cluster start() {
        try {
            Cluster.Builder builder = Cluster.builder()
                    .brokers(annotation.brokers())
                    .controllers(annotation.controllers())
                    .combined(annotation.combined())
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
            return builder.start();
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException("@KafkaCluster on " + place + ": " + e.getMessage(), e);
        }
    }

    static Consumer<TopicSpec.Builder> settingsOf(Topic topic) {
        return builder -> {
            builder.partitions(topic.partitions());
            if (topic.replicationFactor() != 0) {
                builder.replicationFactor(topic.replicationFactor());
            }
            eachPair(topic.config(), builder::config);
        };
    }

    private static void eachPair(String[] pairs, BiConsumer<String, String> take) {
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("Config [" + pair
                        + "] is not a pair: write [name=value], for example" + " [min.insync.replicas=2]");
            }
            take.accept(
                    pair.substring(0, equals).strip(),
                    pair.substring(equals + 1).strip());
        }
    }
}

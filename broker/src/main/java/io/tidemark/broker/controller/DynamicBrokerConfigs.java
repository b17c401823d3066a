package io.tidemark.broker.controller;

import io.tidemark.broker.config.ConfigDefinition;
import io.tidemark.broker.config.ConfigKey;
import io.tidemark.broker.config.ReplicationKeys;
import io.tidemark.broker.config.TopicConfigs;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which broker configs can be changed while the cluster runs: the defaults of topics, and a few of the broker itself. */
final class DynamicBrokerConfigs {
    /** Those that a node's file cannot hold. */
    static final ConfigDefinition DYNAMIC_ONLY = ReplicationKeys.dynamicOnly();

    private static final SortedSet<String> NAMES = names();

    private DynamicBrokerConfigs() {}

    static boolean contains(String name) {
        return NAMES.contains(name);
    }

    private static SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        for (ConfigKey key : TopicConfigs.DEFINITION.keys()) {
            if (!key.synonyms().isEmpty()) {
                names.add(key.synonyms().get(0).name());
            }
        }
        Collections.addAll(
                names,
                "log.cleaner.threads",
                "log.cleaner.dedupe.buffer.size",
                "log.cleaner.io.buffer.load.factor",
                "log.cleaner.io.buffer.size",
                "log.cleaner.io.max.bytes.per.second",
                "log.cleaner.backoff.ms",
                "num.io.threads",
                "num.network.threads",
                "num.recovery.threads.per.data.dir",
                "num.replica.fetchers",
                "background.threads",
                "max.connections",
                "max.connections.per.ip",
                "max.connections.per.ip.overrides",
                "max.connection.creation.rate",
                "producer.id.expiration.ms",
                "transaction.partition.verification.enable",
                "metric.reporters");
        DYNAMIC_ONLY.keys().forEach(key -> names.add(key.name()));
        return names;
    }
}

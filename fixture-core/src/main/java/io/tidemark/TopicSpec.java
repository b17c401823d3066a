package io.tidemark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A topic to create.
 *
 * <pre>{@code
 * Cluster.builder().topic("orders", t -> t.partitions(3).replicationFactor(3).config("min.insync.replicas", "2"))
 * }</pre>
 *
 * @param name its name; null asks for a random one
 * @param partitions how many partitions
 * @param replicationFactor how many replicas each partition has; 0 asks for three, or one per broker where there are fewer
 * @param config topic configs in Kafka's names
 * @param replicas the brokers of each partition, the preferred leader first; empty leaves that to the cluster
 */
public record TopicSpec(
        @Nullable String name,
        int partitions,
        int replicationFactor,
        SortedMap<String, String> config,
        List<List<Integer>> replicas) {
    private static final Pattern LEGAL_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    public TopicSpec {
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
        replicas = replicas.stream().map(List::copyOf).toList();
        if (name != null && (!LEGAL_NAME.matcher(name).matches() || name.equals(".") || name.equals(".."))) {
            throw new IllegalArgumentException("Topic name [" + name
                    + "] is not legal: use 1 to 249 characters of a-z, A-Z, 0-9, dot, underscore and dash");
        }
        if (partitions < 1) {
            throw new IllegalArgumentException(
                    "Topic " + shown(name) + " cannot have [" + partitions + "] partitions: ask for 1 or more");
        }
        if (replicationFactor < 0) {
            throw new IllegalArgumentException("Topic " + shown(name) + " cannot have a replication factor of ["
                    + replicationFactor + "]: ask for 1 up to the number of brokers");
        }
    }

    /** Throws where the topic cannot be in a cluster of so many brokers. */
    void checkAmong(Collection<Integer> brokerIds) {
        replicationFactorAmong(brokerIds.size());
        for (int partition = 0; partition < replicas.size(); partition++) {
            List<Integer> ids = replicas.get(partition);
            if (ids.isEmpty() || new HashSet<>(ids).size() < ids.size() || !brokerIds.containsAll(ids)) {
                throw new IllegalArgumentException("Topic " + shown(name) + " cannot have replicas " + ids
                        + " of partition " + partition + ": name different brokers out of " + brokerIds
                        + ", the preferred leader first, and leave no partition out");
            }
        }
    }

    /** The replication factor in a cluster of so many brokers. */
    int replicationFactorAmong(int brokers) {
        int wanted = replicationFactor == 0 ? Math.min(3, brokers) : replicationFactor;
        if (wanted > brokers) {
            throw new IllegalArgumentException(
                    "Topic " + shown(name) + " cannot have a replication factor of [" + wanted
                            + "] in a cluster of " + brokers + (brokers == 1 ? " broker" : " brokers")
                            + ": start at least " + wanted + " brokers or lower the replication factor");
        }
        return wanted;
    }

    TopicSpec named(String newName) {
        return new TopicSpec(newName, partitions, replicationFactor, config, replicas);
    }

    private static String shown(@Nullable String name) {
        return name == null ? "with a random name" : "[" + name + "]";
    }

    /** Collects a {@link TopicSpec}; every part has a default. Belongs to one thread. */
    public static final class Builder {
        private final @Nullable String name;
        private final SortedMap<String, String> config = new TreeMap<>();
        private final SortedMap<Integer, List<Integer>> replicas = new TreeMap<>();
        private int partitions = 1;
        private int replicationFactor;

        Builder(@Nullable String name) {
            this.name = name;
        }

        /** How many partitions; 1 where nothing is said. */
        public Builder partitions(int partitions) {
            this.partitions = partitions;
            return this;
        }

        /** How many replicas; where nothing is said three, or one per broker where there are fewer. */
        public Builder replicationFactor(int replicationFactor) {
            if (replicationFactor < 1) {
                throw new IllegalArgumentException("Topic " + shown(name) + " cannot have a replication factor of ["
                        + replicationFactor + "]: ask for 1 up to the number of brokers");
            }
            this.replicationFactor = replicationFactor;
            return this;
        }

        /**
         * Names the brokers of one partition, the preferred leader first, where else the cluster places them. Then every
         * partition has to be named, and there are so many as are named.
         */
        public Builder replicas(int partition, int... brokerIds) {
            if (partition < 0) {
                throw new IllegalArgumentException(
                        "Topic " + shown(name) + " cannot have a partition [" + partition + "]: count from 0");
            }
            replicas.put(partition, Arrays.stream(brokerIds).boxed().toList());
            return this;
        }

        /** Sets a topic config by Kafka's name, for example {@code min.insync.replicas}. */
        public Builder config(String key, String value) {
            config.put(key, value);
            return this;
        }

        TopicSpec build() {
            if (replicas.isEmpty()) {
                return new TopicSpec(name, partitions, replicationFactor, config, List.of());
            }
            int count = replicas.lastKey() + 1;
            if (replicationFactor != 0 || (partitions != 1 && partitions != count)) {
                throw new IllegalArgumentException("Topic " + shown(name) + " has its replicas named for " + count
                        + (count == 1 ? " partition" : " partitions") + " and asks for "
                        + (replicationFactor != 0
                                ? "a replication factor of [" + replicationFactor + "]"
                                : "[" + partitions + "] partitions")
                        + " too: say one of both");
            }
            List<List<Integer>> all = new ArrayList<>();
            for (int partition = 0; partition < count; partition++) {
                all.add(replicas.getOrDefault(partition, List.of()));
            }
            return new TopicSpec(name, count, 0, config, all);
        }
    }
}

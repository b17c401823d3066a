package io.tidemark;

import io.tidemark.broker.config.BrokerConfigs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that can be asked of a cluster, as {@link Cluster.Builder} collects it. Belongs to one thread.
 *
 * <pre>{@code
 * Cluster.builder().brokers(3).controllers(3).topic("orders", topic -> topic.partitions(6)).start();
 * }</pre>
 *
 * @param <B> the builder itself, which each method gives back
 */
public abstract class ClusterSettings<B extends ClusterSettings<B>> {
    private final List<TopicSpec> topics = new ArrayList<>();
    private final SortedMap<String, String> config = new TreeMap<>();
    private final SortedMap<String, Integer> features = new TreeMap<>();
    private List<String> listeners = List.of();
    private List<String> racks = List.of();
    private int brokers = 1;
    private int controllers = 1;
    private boolean combined;
    private @Nullable Long seed;
    private @Nullable Path directory;
    private @Nullable Path source;
    private boolean keepFiles;
    private Duration startTimeout = Duration.ofSeconds(30);

    ClusterSettings() {}

    /** How many brokers, with the ids 1 and up; 1 where nothing is said. */
    public B brokers(int brokers) {
        if (brokers < 1 || brokers > ClusterSpec.MOST_BROKERS) {
            throw new IllegalArgumentException(
                    "A cluster cannot have [" + brokers + "] brokers: ask for 1 to " + ClusterSpec.MOST_BROKERS);
        }
        this.brokers = brokers;
        return self();
    }

    /**
     * How many controllers, with the ids 1001 and up; 1 where nothing is said. A majority of them has to run for
     * anything to be decided, so three survive the death of one, and five that of two.
     */
    public B controllers(int controllers) {
        if (controllers < 1 || controllers > ClusterSpec.MOST_CONTROLLERS) {
            throw new IllegalArgumentException("A cluster cannot have [" + controllers + "] controllers: ask for 1 to "
                    + ClusterSpec.MOST_CONTROLLERS + ", best an odd number");
        }
        this.controllers = controllers;
        return self();
    }

    /** True makes the first brokers the controllers too, where else controllers are nodes of their own. */
    public B combined(boolean combined) {
        this.combined = combined;
        return self();
    }

    /**
     * Puts the brokers into racks ({@code broker.rack}), round robin: with two racks brokers 1 and 3 are in the
     * first, broker 2 is in the second. The replicas of topics that clients create are spread over the racks.
     */
    public B racks(String... racks) {
        this.racks = List.of(racks);
        return self();
    }

    /**
     * Gives every broker more listeners, each with a port of its own on this host, for clients that come in another
     * way: through a proxy, say, or from a network of their own. They speak plaintext. Brokers reach one another by
     * the default, {@code PLAINTEXT}.
     *
     * <pre>{@code
     * Cluster cluster = Cluster.builder().brokers(3).listeners("EXTERNAL").start();
     * String address = cluster.bootstrapServers("EXTERNAL");
     * }</pre>
     */
    public B listeners(String... names) {
        List<String> all = new ArrayList<>();
        for (String name : names) {
            all.add(ClusterListeners.checked(name, all));
        }
        this.listeners = all;
        return self();
    }

    /** Declares a topic of one partition. */
    public B topic(String name) {
        return topic(name, topic -> {});
    }

    /** Declares a topic; it is there, with its leaders and its full ISR, when {@link Cluster.Builder#start()} returns. */
    public B topic(String name, Consumer<TopicSpec.Builder> settings) {
        topics.add(Cluster.specOf(name, settings));
        return self();
    }

    /** Declares a topic with a random name, which {@link Cluster#topics()} tells. */
    public B topic(Consumer<TopicSpec.Builder> settings) {
        topics.add(Cluster.specOf(null, settings));
        return self();
    }

    /** Sets a broker config by Kafka's name, on every node. It goes before {@link FixtureDefaults}. */
    public B config(String name, String value) {
        ConfigCheck.broker(name, value);
        config.put(name, value);
        return self();
    }

    /**
     * Sets a feature of the new cluster to a level, as {@code kafka-features} has them: {@code transaction.version} 0 to
     * 2, {@code eligible.leader.replicas.version} 0 or 1, and so on. What is not said has Kafka's own level. It goes
     * before the same feature in {@code cluster.features}.
     */
    public B feature(String name, int level) {
        if (level < 0) {
            throw new IllegalArgumentException(
                    "Feature [" + name + "] cannot have the level [" + level + "]: levels begin at 0");
        }
        features.put(name, level);
        return self();
    }

    /** Makes a run repeatable as far as the cluster's own randomness goes; a random one where nothing is said. */
    public B seed(long seed) {
        this.seed = seed;
        return self();
    }

    /** Where the cluster makes its folder; {@code java.io.tmpdir} where nothing is said. */
    public B directory(Path directory) {
        this.directory = directory;
        return self();
    }

    /**
     * Starts with a copy of the data that {@link Cluster#saveTo(Path)} wrote, or that a cluster with
     * {@link #keepFiles(boolean)} left in its {@link Cluster#directory()}: its topics, records, groups and configs.
     * Brokers and controllers have to be as many as they were. Declared topics that are in the data stay as they are.
     */
    public B from(Path folder) {
        this.source = folder;
        return self();
    }

    /** True leaves the folder when the cluster is closed, with every node shut down in good order. */
    public B keepFiles(boolean keepFiles) {
        this.keepFiles = keepFiles;
        return self();
    }

    /** How long the start may take; 30 seconds where nothing is said. Also bounds a stop and a restart. */
    public B startTimeout(Duration startTimeout) {
        if (startTimeout.isNegative() || startTimeout.isZero()) {
            throw new IllegalArgumentException(
                    "A cluster cannot start within [" + startTimeout + "]: give it some seconds");
        }
        this.startTimeout = startTimeout;
        return self();
    }

    /** All that was asked for, the seed left out: two builders that say the same ask for equal clusters. */
    @Override
    public String toString() {
        return "Cluster of " + brokers + " brokers" + (racks.isEmpty() ? "" : " in racks " + racks)
                + (listeners.isEmpty() ? "" : " with listeners " + listeners) + ", "
                + controllers + (combined ? " of them controllers" : " controllers apart") + ", config " + config
                + (features.isEmpty() ? "" : ", features " + features)
                + ", topics " + topics + ", folder " + directory + (source == null ? "" : " from " + source)
                + (keepFiles ? " kept" : "") + ", start within "
                + startTimeout;
    }

    private String allFeatures() {
        StringJoiner all = new StringJoiner(",");
        for (String given :
                config.getOrDefault(BrokerConfigs.CLUSTER_FEATURES, "").split(",", -1)) {
            if (!given.isBlank() && !features.containsKey(given.split("=", 2)[0].strip())) {
                all.add(given.strip());
            }
        }
        features.forEach((name, level) -> all.add(name + "=" + level));
        return all.toString();
    }

    ClusterSpec spec() {
        SortedMap<String, String> all = FixtureDefaults.forBrokers(brokers);
        all.putAll(config);
        if (!features.isEmpty()) {
            all.put(BrokerConfigs.CLUSTER_FEATURES, allFeatures());
        }
        long actualSeed = seed == null ? new SplittableRandom().nextLong() : seed;
        return new ClusterSpec(
                brokers,
                controllers,
                combined,
                topics,
                all,
                listeners,
                racks,
                actualSeed,
                directory,
                source,
                keepFiles,
                startTimeout);
    }

    /** This builder. */
    abstract B self();
}

package io.tidemark;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster to start, checked as a whole.
 *
 * @param brokers how many brokers, with the ids 1 and up
 * @param controllers how many controllers: the voters of the metadata quorum
 * @param combined true where the first brokers are the controllers too; else they are nodes of their own
 * @param topics what to create before the cluster counts as ready
 * @param config the configs of every node
 * @param listeners the names of the listeners that each broker has besides the default, in upper case
 * @param racks the racks of the brokers, round robin; empty for none
 * @param seed where all randomness comes from
 * @param parentDirectory where its folder is made; null for {@code java.io.tmpdir}
 * @param source the folder whose data it starts with; null for none
 * @param keepFiles true where its folder outlives it
 * @param startTimeout how long it may take to be ready
 */
record ClusterSpec(
        int brokers,
        int controllers,
        boolean combined,
        List<TopicSpec> topics,
        SortedMap<String, String> config,
        List<String> listeners,
        List<String> racks,
        long seed,
        @Nullable Path parentDirectory,
        @Nullable Path source,
        boolean keepFiles,
        Duration startTimeout) {
    /** The id of the first controller that is a node of its own. */
    static final int CONTROLLER_ID = 1001;

    static final int MOST_BROKERS = 100;
    static final int MOST_CONTROLLERS = 9;

    ClusterSpec {
        topics = List.copyOf(topics);
        listeners = List.copyOf(listeners);
        racks = List.copyOf(racks);
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
        if (combined && controllers > brokers) {
            throw new IllegalArgumentException("A combined cluster cannot have [" + controllers + "] controllers on ["
                    + brokers + "] brokers: ask for more brokers, or leave combined() out");
        }
        Set<String> names = new HashSet<>();
        for (TopicSpec topic : topics) {
            check(topic, IntStream.rangeClosed(1, brokers).boxed().toList());
            if (topic.name() != null && !names.add(topic.name())) {
                throw new IllegalArgumentException(
                        "Topic [" + topic.name() + "] is declared twice: drop one, or give it another name");
            }
        }
    }

    /** Those of the controllers, in order. */
    List<Integer> controllerIds() {
        int first = combined ? 1 : CONTROLLER_ID;
        return IntStream.range(first, first + controllers).boxed().toList();
    }

    static void check(TopicSpec topic, Collection<Integer> brokerIds) {
        topic.checkAmong(brokerIds);
        ConfigCheck.topic(topic);
    }
}

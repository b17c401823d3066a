package io.tidemark;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster to start, checked as a whole.
 *
 * @param brokers how many brokers, with the ids 1 and up
 * @param combined true where broker 1 is the controller too; else a node of its own is
 * @param topics what to create before the cluster counts as ready
 * @param config the configs of every node
 * @param racks the racks of the brokers, round robin; empty for none
 * @param seed where all randomness comes from
 * @param parentDirectory where its folder is made; null for {@code java.io.tmpdir}
 * @param keepFiles true where its folder outlives it
 * @param startTimeout how long it may take to be ready
 */
record ClusterSpec(
        int brokers,
        boolean combined,
        List<TopicSpec> topics,
        SortedMap<String, String> config,
        List<String> racks,
        long seed,
        @Nullable Path parentDirectory,
        boolean keepFiles,
        Duration startTimeout) {
    /** The id of a controller that is a node of its own. */
    static final int CONTROLLER_ID = 1001;

    static final int MOST_BROKERS = 100;

    ClusterSpec {
        topics = List.copyOf(topics);
        racks = List.copyOf(racks);
        config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
        Set<String> names = new HashSet<>();
        for (TopicSpec topic : topics) {
            check(topic, brokers);
            if (topic.name() != null && !names.add(topic.name())) {
                throw new IllegalArgumentException(
                        "Topic [" + topic.name() + "] is declared twice: drop one, or give it another name");
            }
        }
    }

    int controllerId() {
        return combined ? 1 : CONTROLLER_ID;
    }

    static void check(TopicSpec topic, int brokers) {
        topic.replicationFactorAmong(brokers);
        ConfigCheck.topic(topic);
    }
}

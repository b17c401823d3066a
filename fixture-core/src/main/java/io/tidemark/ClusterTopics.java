package io.tidemark;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** The topics that were made through a cluster's handle, by their names. Safe from any thread. */
final class ClusterTopics {
    private static final String INTERNAL = "__";

    private final Collection<String> names = new TreeSet<>();
    private final SplittableRandom random;

    ClusterTopics(SplittableRandom random) {
        this.random = random;
    }

    /** The same with a random name for each that has none. */
    synchronized List<TopicSpec> named(List<TopicSpec> wanted) {
        return wanted.stream()
                .map(topic -> topic.name() == null
                        ? topic.named("topic-" + Long.toString(random.nextLong() >>> 1, 36))
                        : topic)
                .toList();
    }

    /** They are there now; their names. */
    synchronized List<String> created(List<TopicSpec> named) {
        List<String> created = named.stream()
                .map(topic -> Objects.requireNonNull(topic.name()))
                .toList();
        names.addAll(created);
        return created;
    }

    /** They came with the data that the cluster started with; internal ones do not count. */
    synchronized void found(Collection<String> all) {
        all.stream().filter(name -> !name.startsWith(INTERNAL)).forEach(names::add);
    }

    synchronized void forget() {
        names.clear();
    }

    synchronized List<String> names() {
        return List.copyOf(names);
    }
}

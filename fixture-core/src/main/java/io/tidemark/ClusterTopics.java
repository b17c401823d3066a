package io.tidemark;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The topics that were made through a cluster's handle, by their names. Safe from any thread. */
final class ClusterTopics {
    private static final String INTERNAL = "__";

    private final Collection<String> names = new TreeSet<>();
    private final SplittableRandom random;
    private final ClusterNodes nodes;
    private final Supplier<ClusterView> look;

    ClusterTopics(SplittableRandom random, ClusterNodes nodes, Supplier<ClusterView> look) {
        this.random = random;
        this.nodes = nodes;
        this.look = look;
    }

    /** On return they have their leaders and their full ISR, and every running broker knows them. */
    List<String> create(List<TopicSpec> wanted, long timeoutMs) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        List<Integer> running = nodes.runningBrokerIds();
        List<TopicSpec> named = named(wanted);
        if (!named.isEmpty()) {
            TopicCreation.create(
                    nodes.decider(running).current(),
                    named,
                    nodes.brokers().size(),
                    running,
                    Cluster.millisUntil(deadline));
        }
        List<String> created = created(named);
        Readiness.await(look, running, created, Cluster.millisUntil(deadline));
        return created;
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
    private synchronized List<String> created(List<TopicSpec> named) {
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

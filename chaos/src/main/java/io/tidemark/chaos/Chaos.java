package io.tidemark.chaos;

import io.tidemark.Cluster;
import io.tidemark.ClusterNode;
import io.tidemark.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Hurts the nodes of a cluster, and heals what it has hurt when it is closed. Each fault is done when its method returns;
 * one that cannot be done throws and says why. Safe from any thread.
 *
 * <pre>{@code
 * try (Chaos chaos = Chaos.on(cluster)) {
 *     chaos.kill(cluster.partition("orders", 0).leader()).pause(3);
 *     // what does the application do now?
 * }
 * // every broker is back, and every replica is in sync
 * }</pre>
 */
public final class Chaos implements AutoCloseable {
    private static final Duration HEAL_TIMEOUT = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final long startNanos = System.nanoTime();
    private final Set<Integer> hurt = new LinkedHashSet<>();
    private final List<Fault> timeline = new ArrayList<>();

    private Chaos(Cluster cluster) {
        this.cluster = cluster;
    }

    public static Chaos on(Cluster cluster) {
        return new Chaos(cluster);
    }

    /** Ends a node at once, mid-work, as {@code kill -9} does. Its port stays its own and refuses. */
    public Chaos kill(int nodeId) {
        return fault("kill", nodeId, ClusterNode::kill);
    }

    /** Shuts a node down in good order, as SIGTERM does: its leaderships move away first. */
    public Chaos stop(int nodeId) {
        return fault("stop", nodeId, ClusterNode::stop);
    }

    /**
     * Starts a killed or stopped node again, on its address and its data. On return a broker is registered, unfenced and
     * caught up with the metadata; its replicas join the ISR in their own time.
     */
    public Chaos restart(int nodeId) {
        return fault("restart", nodeId, ClusterNode::restart);
    }

    /** Halts a node with its sockets open, as SIGSTOP or a very long garbage collection does. */
    public Chaos pause(int nodeId) {
        return fault("pause", nodeId, ClusterNode::pause);
    }

    /** Lets a paused node go on. */
    public Chaos resume(int nodeId) {
        return fault("resume", nodeId, ClusterNode::resume);
    }

    /**
     * Resumes and restarts every node that this object has hurt, then waits until every replica of every partition is in
     * sync again. Does nothing where nothing is hurt.
     */
    public Chaos heal() {
        List<ClusterNode> broken = new ArrayList<>();
        synchronized (timeline) {
            hurt.forEach(id -> broken.add(cluster.node(id)));
        }
        if (broken.isEmpty()) {
            return this;
        }
        // A broker cannot register without its controller.
        broken.sort((a, b) -> Boolean.compare(a.isBroker(), b.isBroker()));
        for (ClusterNode node : broken) {
            if (node.state() == NodeState.PAUSED) {
                resume(node.id());
            } else if (node.state() == NodeState.KILLED || node.state() == NodeState.STOPPED) {
                restart(node.id());
            }
        }
        cluster.awaitHealthy(HEAL_TIMEOUT);
        synchronized (timeline) {
            broken.forEach(node -> hurt.remove(node.id()));
        }
        return this;
    }

    /** Everything that was done so far, in order. */
    public List<Fault> timeline() {
        synchronized (timeline) {
            return List.copyOf(timeline);
        }
    }

    /** {@link #heal() Heals}, unless the cluster is closed already. */
    @Override
    public void close() {
        if (!cluster.isClosed()) {
            heal();
        }
    }

    private Chaos fault(String kind, int nodeId, Consumer<ClusterNode> doIt) {
        doIt.accept(cluster.node(nodeId));
        long sinceStartMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        synchronized (timeline) {
            hurt.add(nodeId);
            timeline.add(new Fault(sinceStartMs, kind, nodeId));
        }
        return this;
    }

    @Override
    public String toString() {
        return "Chaos" + timeline();
    }
}

package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.broker.time.SystemClock;
import java.time.Duration;
import java.time.Instant;

/**
 * The time that all nodes of a cluster read: the system's, until it is pushed forward. What is due by then happens at
 * once: retention, compaction, sessions that time out. Clients have the system's time still, so that a record that is to
 * carry the cluster's needs it given, or {@code message.timestamp.type=LogAppendTime}. Safe from any thread.
 *
 * <pre>{@code
 * cluster.clock().advance(Duration.ofDays(8));
 * // Kafka keeps records for a week: at the next look they are gone.
 * }</pre>
 */
public final class ClusterClock {
    private final Cluster cluster;
    private final Backend backend;
    private final SystemClock clock;

    ClusterClock(Cluster cluster, Backend backend) {
        this.cluster = cluster;
        this.backend = backend;
        this.clock = backend.clock();
    }

    /** What the nodes take the time to be. */
    public Instant now() {
        return Instant.ofEpochMilli(clock.wallTimeMs());
    }

    /**
     * Pushes the time forward, for every node; it never goes back. On return, what is due is on its way, not done. Who
     * lives is not taken for dead by it: brokers keep their sessions with the controller, and followers have a second to
     * fetch before they count as lagging.
     *
     * @param by zero or more
     * @throws IllegalArgumentException if it is negative
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("The clock of " + cluster + " cannot go back by [" + by + "]");
        }
        clock.advance(by.toMillis());
        cluster.deeds().add("clock", "advanced by " + by);
    }

    /**
     * Sets the wall clock of one node wrong, by so much from the others', as where its time is not kept: what it stamps,
     * and the ages that it finds, are off. Its timeouts are not, since they count durations. Stays so over kills and
     * restarts; zero sets it right.
     *
     * @param by ahead, or behind where it is negative
     * @throws IllegalArgumentException if there is no such node
     * @throws UnsupportedOperationException if the backend cannot do that
     */
    public void skew(int nodeId, Duration by) {
        ClusterNode node = cluster.node(nodeId);
        backend.skewClock(nodeId, by.toMillis());
        node.did(by.isZero() ? "its clock is right" : "its clock is off by " + by);
    }

    @Override
    public String toString() {
        return "clock of " + cluster + " at " + now();
    }
}

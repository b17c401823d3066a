package io.tidemark;

/**
 * What becomes of the replicas that a broker holds when it is removed.
 *
 * <pre>{@code
 * cluster.removeBroker(3, HeldReplicas.MOVE);
 * }</pre>
 */
public enum HeldReplicas {
    /** The broker is not removed while it holds one. */
    REFUSE,
    /**
     * They are moved to other brokers first, one for one, as {@code kafka-reassign-partitions} does: each partition has as
     * many replicas as before, and all of them are in sync.
     */
    MOVE,
    /**
     * They are given up. The assignment still names the broker, so that their partitions are under-replicated, or have no
     * leader where nobody else has the records, until they are reassigned or a broker with that id is added.
     */
    ABANDON
}

package io.tidemark.backend;

/**
 * Something that a {@link Backend} may be able to do to a node. What it cannot do fails at once, by this name.
 *
 * <pre>{@code
 * boolean mayPause = backend.capabilities().contains(Capability.PAUSE);
 * }</pre>
 */
public enum Capability {
    /** End a node at once, mid-work, as {@code kill -9} does. */
    KILL,
    /** Shut a node down in good order. */
    STOP,
    /** Start a killed or stopped node again, on its address and its data. */
    RESTART,
    /** Halt a node with its sockets open, as SIGSTOP does, and let it go on. */
    PAUSE,
    /** Look at what a node holds inside: offsets, epochs, its view of the metadata. */
    INSPECT,
    /** Look at, drop and warm the page cache of a replica's segments. */
    PAGE_CACHE,
    /** Cut the links between nodes, and heal them. */
    CUT_LINKS,
    /** Have records in a partition that belong to a transaction which no coordinator knows. */
    ORPHAN_TRANSACTIONS,
    /** Cut a node off from power: it ends at once, and of what it never forced to disk some is lost. */
    LOSE_POWER,
    /** Have a node's disk fail, be full or be slow. */
    DISK_FAULTS,
    /** Hurt requests on their way into a node and back. */
    REQUEST_FAULTS,
    /** Push the time of all nodes forward. */
    ADVANCE_CLOCK,
    /** Set the wall clock of one node wrong. */
    SKEW_CLOCK
}

package io.tidemark.backend;

import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.LinkFaults;
import io.tidemark.journal.ClusterJournal;
import io.tidemark.requests.RequestFaultBoard;
import java.util.Set;

/**
 * A way to run the nodes of a cluster: in this JVM, as processes, in containers. Safe from any thread.
 *
 * <pre>{@code
 * if (backend.capabilities().contains(Capability.CUT_LINKS)) {
 *     backend.links();
 * }
 * }</pre>
 */
public interface Backend {
    /** The name in error messages, for example {@code in-process}. */
    String name();

    Set<Capability> capabilities();

    /** Makes a node and starts nothing. Called again with the same spec for each restart. */
    BackendNode create(NodeSpec spec);

    /** A node is gone for good: one that is made with its id later has nothing of it. Called when it has ended. */
    default void forget(int nodeId) {}

    /** The links between the nodes that it has made; only where it is capable of {@link Capability#CUT_LINKS}. */
    default LinkFaults links() {
        throw new UnsupportedOperationException(
                "The " + name() + " backend is not capable of " + Capability.CUT_LINKS + ", only of " + capabilities());
    }

    /** The faults of requests to its nodes; only where it is capable of {@link Capability#REQUEST_FAULTS}. */
    default RequestFaultBoard requestFaults() {
        throw new UnsupportedOperationException("The " + name() + " backend is not capable of "
                + Capability.REQUEST_FAULTS + ", only of " + capabilities());
    }

    /** What its nodes tell of themselves; empty where it cannot hear them. */
    default ClusterJournal journal() {
        return new ClusterJournal(System::currentTimeMillis);
    }

    /** The clock that its nodes read; only where it is capable of {@link Capability#ADVANCE_CLOCK}. */
    default SystemClock clock() {
        throw new UnsupportedOperationException("The " + name() + " backend is not capable of "
                + Capability.ADVANCE_CLOCK + ", only of " + capabilities());
    }

    /**
     * Sets the wall clock of one node wrong, over all its runs; only where it is capable of {@link Capability#SKEW_CLOCK}.
     *
     * @param ms ahead of the others', or behind where negative
     */
    default void skewClock(int nodeId, long ms) {
        throw new UnsupportedOperationException("The " + name() + " backend is not capable of " + Capability.SKEW_CLOCK
                + ", only of " + capabilities());
    }
}

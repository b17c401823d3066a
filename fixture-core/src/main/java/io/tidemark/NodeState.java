package io.tidemark;

/**
 * Where a node of a cluster stands, as the fixture has left it.
 *
 * <pre>{@code
 * assertThat(cluster.broker(2).state()).isEqualTo(NodeState.KILLED);
 * }</pre>
 */
public enum NodeState {
    /** Made, and not yet serving. */
    STARTING,
    /** Serving. */
    RUNNING,
    /** Halted with its sockets open; it does nothing until it is resumed. */
    PAUSED,
    /** Ended at once; its files are as it left them. */
    KILLED,
    /** Shut down in good order. */
    STOPPED,
    /** Ended by itself, as it could not go on: its disk failed, say. Its log tells why. */
    FAILED;

    /** True where there is a node that could answer sooner or later. */
    boolean isUp() {
        return this == RUNNING || this == PAUSED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

package io.tidemark.chaos.schedule;

/**
 * How much a deed asks of a cluster of three whose topics have {@code min.insync.replicas=2}, and of clients that retry what
 * may be retried.
 *
 * <pre>{@code
 * assertThat(Deed.KILL.harm()).isEqualTo(Harm.BROKER);
 * }</pre>
 */
public enum Harm {
    /** It mends something. */
    NONE,
    /** It passes by itself: to be survived at any time, by several clients and brokers at once. */
    PASSING,
    /**
     * It takes a broker, a part of what a broker does, or the followers of a partition away until the heal. To be survived of one broker at a time: two
     * replicas are left then, which is as many as an acknowledgement needs.
     */
    BROKER,
    /** Somebody may lose something by it, even where nothing else is done. */
    BEYOND
}

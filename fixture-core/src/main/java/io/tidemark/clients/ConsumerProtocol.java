package io.tidemark.clients;

import io.tidemark.Cluster;

/**
 * The newer protocol of consumer groups (KIP-848, {@code group.protocol=consumer}), where brokers serve it.
 *
 * <pre>{@code
 * ConsumerProtocol.requireServed(cluster);
 * Consumer<String, String> consumer =
 *         cluster.clients().consumer(String.class, String.class, Map.of("group.protocol", "consumer"));
 * }</pre>
 */
public final class ConsumerProtocol {
    static final String SETTING = "group.protocol";
    static final String VALUE = "consumer";

    private static final int CONSUMER_GROUP_HEARTBEAT = 68;

    private ConsumerProtocol() {}

    /**
     * Refuses a cluster on which such a consumer would find nobody to join.
     *
     * @throws IllegalArgumentException that says what to use in its place
     */
    public static void requireServed(Cluster cluster) {
        if (!cluster.serves(CONSUMER_GROUP_HEARTBEAT)) {
            throw new IllegalArgumentException(
                    "the brokers of " + cluster
                            + " serve no groups of the newer protocol (KIP-848: they do not advertise ConsumerGroupHeartbeat), so that"
                            + " a consumer with [group.protocol=consumer] could not join one; use [group.protocol=classic] for now");
        }
    }
}

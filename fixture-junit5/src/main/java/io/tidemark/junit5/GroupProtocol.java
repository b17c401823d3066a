package io.tidemark.junit5;

/**
 * How consumers of a group and its coordinator agree: the values of Kafka's {@code group.protocol}, for
 * {@link ClusterMatrix#protocols()}.
 *
 * <pre>{@code
 * @ClusterMatrix(protocols = GroupProtocol.CLASSIC)
 * void ordersAreBilled(Consumer<String, String> consumer) {}
 * // [1] brokers=1, controllers=1 apart, group.protocol=classic
 * }</pre>
 */
public enum GroupProtocol {
    /** Members join and sync, and one of them assigns; all that kafka-clients before 3.7 know. */
    CLASSIC("classic"),
    /** Members send heartbeats, and the coordinator assigns (KIP-848); known to kafka-clients from 3.7 on. */
    CONSUMER("consumer");

    static final String SETTING = "group.protocol";

    private final String value;

    GroupProtocol(String value) {
        this.value = value;
    }

    /** As the setting has it. */
    String value() {
        return value;
    }
}

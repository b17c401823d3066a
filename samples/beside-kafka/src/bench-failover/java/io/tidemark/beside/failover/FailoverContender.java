package io.tidemark.beside.failover;

/** A running cluster of three brokers and a controller of its own, whose brokers can be killed. */
interface FailoverContender extends AutoCloseable {
    String bootstrapServers();

    /** Ends a broker as {@code kill -9} does. */
    void kill(int brokerId) throws Exception;

    /** Starts a killed broker again; it need not be in sync on return. */
    void restart(int brokerId) throws Exception;

    /** What its processes have printed, for the case that they do not come up; empty where it has none. */
    default String output() {
        return "";
    }

    @Override
    void close() throws Exception;
}

package io.tidemark.junit5;

import java.util.List;

/** The kafka-clients that this class is linked with. */
final class LinkedClients {
    /** Where Kafka's own classes say their version; it is in another package since 4.4. */
    private static final List<String> TELLING = List.of(
            "org.apache.kafka.common.utils.AppInfoParser", "org.apache.kafka.common.utils.internals.AppInfoParser");

    private LinkedClients() {}

    static String version() {
        for (String name : TELLING) {
            try {
                return (String) Class.forName(name).getMethod("getVersion").invoke(null);
            } catch (ClassNotFoundException e) {
                // The other one, then.
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
        throw new AssertionError("None of " + TELLING + " is there");
    }
}

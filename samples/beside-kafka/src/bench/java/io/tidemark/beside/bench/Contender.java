package io.tidemark.beside.bench;

/** A way to have a cluster in this JVM. */
interface Contender {
    /** Starts a controller and so many brokers from nothing, and returns when all of them can serve. */
    Running start(int brokers) throws Exception;

    /** A cluster that serves. */
    interface Running extends AutoCloseable {
        String bootstrapServers();

        /** Stops all nodes and deletes what they left. */
        @Override
        void close() throws Exception;
    }

    static Contender named(String name) {
        return switch (name) {
            case "tidemark" -> new TidemarkContender();
            case "kafka-test-kit" -> new TestKitContender();
            default ->
                throw new IllegalArgumentException(
                        "Contender [" + name + "] is not known; expected tidemark or kafka-test-kit");
        };
    }
}

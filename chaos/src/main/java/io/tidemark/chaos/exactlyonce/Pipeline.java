package io.tidemark.chaos.exactlyonce;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One instance of the application under test. It is started, ended and started again under the same number, as a process is.
 *
 * <pre>{@code
 * ExactlyOnce.on(cluster).from("orders").to("bills")
 *         .pipeline(2, instance -> Pipeline.of(() -> new Billing(instance.bootstrapServers(), instance.number())));
 * }</pre>
 */
public interface Pipeline {
    /** Begins to read and write, in threads of its own. */
    void start();

    /** Ends in good order: what it has begun is done or taken back. On return it does nothing any more. */
    void stop();

    /** Ends as a process that is killed: nothing is committed, aborted or said. On return it does nothing any more. */
    void kill();

    /** A pipeline that works from when it is made until it is closed; it is killed by being closed, too. */
    static Pipeline of(Supplier<? extends AutoCloseable> application) {
        return new Pipeline() {
            private @Nullable AutoCloseable running;

            @Override
            public void start() {
                running = application.get();
            }

            @Override
            public void stop() {
                AutoCloseable ending = running;
                running = null;
                if (ending != null) {
                    try {
                        ending.close();
                    } catch (Exception e) {
                        throw new IllegalStateException("Cannot close the pipeline " + ending, e);
                    }
                }
            }

            @Override
            public void kill() {
                stop();
            }
        };
    }

    /**
     * What an instance is told.
     *
     * @param number from 0 on; the same over all its lives
     * @param bootstrapServers the cluster
     * @param input the topic to read
     * @param output the topic to write; empty where the test reads a sink of its own
     * @param group the consumer group
     */
    record Instance(int number, String bootstrapServers, String input, String output, String group) {}

    /** Makes an instance, which is not started yet. */
    @FunctionalInterface
    interface Factory {
        Pipeline create(Instance instance);
    }
}

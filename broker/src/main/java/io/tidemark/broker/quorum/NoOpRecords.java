package io.tidemark.broker.quorum;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.NoOpRecord;
import io.tidemark.broker.time.Loop;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has the active controller write a record that says nothing each {@code metadata.max.idle.interval.ms} (KIP-835), so
 * that each node's progress shows how far behind it is, also where nothing happens. On the node's loop only.
 */
final class NoOpRecords {
    private final Loop loop;
    private final long intervalMs;
    private final Consumer<List<ApiMessage>> append;
    private Loop.@Nullable Timer timer;

    /**
     * @param intervalMs 0 for never
     * @param append takes records where this node leads, and does nothing where it does not
     */
    NoOpRecords(Loop loop, long intervalMs, Consumer<List<ApiMessage>> append) {
        this.loop = loop;
        this.intervalMs = intervalMs;
        this.append = append;
    }

    void start() {
        if (intervalMs > 0) {
            timer = loop.schedule(intervalMs, () -> {
                append.accept(List.of(new NoOpRecord()));
                start();
            });
        }
    }

    void close() {
        if (timer != null) {
            timer.cancel();
        }
    }
}

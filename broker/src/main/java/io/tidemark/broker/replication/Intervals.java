package io.tidemark.broker.replication;

import io.tidemark.broker.time.Loop;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tasks that run again and again, each an interval after it last ended, until all are stopped. */
final class Intervals {
    private final Loop loop;
    private final Map<Runnable, Loop.Timer> timers = new LinkedHashMap<>();
    private boolean isStopped;

    Intervals(Loop loop) {
        this.loop = loop;
    }

    /**
     * @param intervalMs above 0; else the task never runs
     */
    void every(long intervalMs, Runnable task) {
        every(intervalMs, intervalMs, task);
    }

    /**
     * @param firstMs when the task runs for the first time
     * @param intervalMs above 0 and not {@link Long#MAX_VALUE}; else the task never runs
     */
    void every(long firstMs, long intervalMs, Runnable task) {
        if (intervalMs <= 0 || intervalMs == Long.MAX_VALUE || isStopped) {
            return;
        }
        timers.put(task, loop.schedule(firstMs, () -> {
            task.run();
            every(intervalMs, intervalMs, task);
        }));
    }

    void stop() {
        isStopped = true;
        timers.values().forEach(Loop.Timer::cancel);
        timers.clear();
    }
}

package io.tidemark.broker.time;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A node's one thread. Tasks run one at a time, in the order in which they were given; timers run when the node's
 * {@link Clock} says so. Once the loop is halted, as at a kill, nothing that was queued runs any more.
 *
 * <p>A task that throws is a fault of the node: the loop reports it and halts the node.
 */
public interface Loop {
    /** Runs the task on the loop, after those already queued. From any thread. */
    void execute(Runnable task);

    /** True on the loop's own thread. From any thread. */
    boolean inLoop();

    /**
     * Runs the task once, when the monotonic clock has moved on by {@code delayMs}. On the loop only.
     *
     * @return a handle that cancels it
     */
    Timer schedule(long delayMs, Runnable task);

    /**
     * Runs what may block for long (a force, a compaction, a deletion) beside the loop, then hands its outcome back on
     * the loop. On the loop only. Work given with the same {@code lane} runs in order, one piece at a time; there is
     * no order between lanes.
     *
     * @param done called on the loop with the result, or with the failure, one of which is null
     */
    <T> void runBeside(String lane, Callable<T> work, Completion<T> done);

    /** Takes the outcome of work that ran beside the loop. */
    @FunctionalInterface
    interface Completion<T> {
        void complete(@Nullable T result, @Nullable Throwable failure);
    }

    /** A task that waits for its time. */
    interface Timer {
        /** The task will not run, unless it already has. On the loop only. Harmless to repeat. */
        void cancel();
    }
}

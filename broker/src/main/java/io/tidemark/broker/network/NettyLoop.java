package io.tidemark.broker.network;

import io.netty.channel.EventLoop;
import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's loop on one Netty event loop with one thread.
 *
 * <p>Everything that runs on the thread, Netty's I/O callbacks too, passes {@link #mayRun()} first: it holds a paused
 * loop, and tells a halted one that nothing more is to be done. Timers follow the node's clock, not Netty's: Netty is
 * only asked to wake the loop when the nearest is due, and a push of the clock wakes it at once.
 */
final class NettyLoop implements Loop {
    private static final NodeLog LOG = NodeLog.of(NettyLoop.class);

    private final Clock clock;
    private final Consumer<Throwable> onFault;
    private final EventLoop eventLoop;
    private final BackgroundLanes lanes;
    private final PauseGate gate = new PauseGate();
    private final TimerHeap timers = new TimerHeap();
    /** Kept, because the clock lets go of the very one that it was given. */
    @SuppressWarnings("UnnecessaryLambda")
    private final Runnable pushListener = () -> execute(this::runDueTimers);

    private volatile boolean halted;
    private volatile @Nullable Thread thread;
    private volatile Runnable onEnd = () -> {};
    private volatile Runnable closeChannels = () -> {};
    private long wakeAtMs = Long.MAX_VALUE;
    private @Nullable Future<?> wake;

    /**
     * @param onFault told, on the loop, of an exception that a task let out; the loop is halted by then
     */
    NettyLoop(String threadName, Clock clock, Consumer<Throwable> onFault, NodeJournal journal) {
        this.clock = clock;
        this.onFault = onFault;
        this.lanes = new BackgroundLanes(this, threadName, journal);
        this.eventLoop = new QuietEventLoopGroup(task -> newThread(task, threadName, journal)).eventLoop();
        clock.addPushListener(pushListener);
    }

    private Thread newThread(Runnable task, String threadName, NodeJournal journal) {
        Thread created = new JournaledThread(
                () -> {
                    task.run();
                    lanes.end();
                    onEnd.run();
                },
                threadName,
                threadName,
                journal);
        created.setDaemon(true);
        thread = created;
        return created;
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    /** @param closing closes every channel of this loop; run on the loop at its end, however that comes */
    void closeChannelsAtEnd(Runnable closing) {
        closeChannels = closing;
    }

    @Override
    public void execute(Runnable task) {
        if (halted) {
            return;
        }
        try {
            eventLoop.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.trace("The loop has ended; a task is dropped", e);
        }
    }

    @Override
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    @Override
    public Timer schedule(long delayMs, Runnable task) {
        long deadlineMs = saturatedAdd(clock.monotonicMs(), Math.max(0, delayMs));
        Timer timer = timers.add(deadlineMs, task);
        wakeAt(deadlineMs);
        return timer;
    }

    @Override
    public <T> void runBeside(String lane, Callable<T> work, Completion<T> done) {
        lanes.run(lane, work, done);
    }

    /** Runs a task, unless the loop is halted; a task that throws halts it. On the loop. */
    void run(Runnable task) {
        if (!mayRun()) {
            return;
        }
        try {
            task.run();
        } catch (Throwable e) {
            fault(e);
        }
    }

    /** Waits while the loop is paused; false once it is halted. On the loop. */
    boolean mayRun() {
        gate.pass();
        return !halted;
    }

    /** From any thread. */
    boolean isHalted() {
        return halted;
    }

    /** The node cannot go on. On the loop. */
    void fault(Throwable cause) {
        if (halted) {
            return;
        }
        LOG.error("{} is halted by a fault", Thread.currentThread().getName(), cause);
        halt();
        onFault.accept(cause);
    }

    private void wakeAt(long deadlineMs) {
        if (deadlineMs >= wakeAtMs || halted) {
            return;
        }
        Future<?> earlier = wake;
        if (earlier != null) {
            earlier.cancel(false);
        }
        wakeAtMs = deadlineMs;
        long delayMs = deadlineMs - clock.monotonicMs();
        wake = eventLoop.schedule(() -> run(this::runDueTimers), Math.max(0, delayMs), TimeUnit.MILLISECONDS);
    }

    private void runDueTimers() {
        long nowMs = clock.monotonicMs();
        long endSequence = timers.nextSequence();
        for (TimerHeap.Entry next = timers.peek();
                next != null && next.deadlineMs <= nowMs && next.sequence < endSequence;
                next = timers.peek()) {
            next.cancel();
            if (!mayRun()) {
                return;
            }
            next.task.run();
        }
        wakeAtMs = Long.MAX_VALUE;
        TimerHeap.Entry nearest = timers.peek();
        if (nearest != null) {
            wakeAt(nearest.deadlineMs);
        }
    }

    void pause() {
        gate.shut();
        // An idle loop must meet the gate too, before the next thing that the network brings.
        execute(() -> {});
    }

    void resume() {
        gate.open();
    }

    /** Nothing that was queued runs any more. On the loop it returns at once, elsewhere when the threads are gone. */
    void halt() {
        halted = true;
        gate.open();
        end();
        if (!inLoop()) {
            join();
        }
    }

    /**
     * Ends after the tasks already queued; returns at once.
     *
     * @param whenEnded the last thing that the loop's thread runs, when the background threads are gone
     */
    void close(Runnable whenEnded) {
        onEnd = whenEnded;
        gate.open();
        end();
    }

    private void end() {
        clock.removePushListener(pushListener);
        try {
            // Netty 4.2 closes no channel of a loop that is told to end while it runs its tasks: a dead node's listener
            // would go on taking connections, which nobody answers.
            eventLoop.execute(closeChannels);
        } catch (RejectedExecutionException e) {
            LOG.trace("The loop has ended already", e);
        }
        eventLoop.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
    }

    private void join() {
        Thread ending = thread;
        boolean interrupted = false;
        while (ending != null && ending.isAlive()) {
            try {
                ending.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static long saturatedAdd(long one, long other) {
        long sum = one + other;
        return sum < 0 && one > 0 ? Long.MAX_VALUE : sum;
    }
}

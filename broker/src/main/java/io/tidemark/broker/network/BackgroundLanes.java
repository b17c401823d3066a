package io.tidemark.broker.network;

import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.time.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Work beside a loop: a few threads that are started at need and end when they are idle; the work of one lane runs in
 * order, one piece at a time. On the loop only, except for {@link #end()}.
 */
final class BackgroundLanes {
    private static final int THREADS = 2;
    private static final long IDLE_SECONDS = 5;
    private static final long END_SECONDS = 10;

    private final Loop loop;
    private final String threadName;
    private final NodeJournal journal;
    private final Map<String, Queue<Runnable>> lanes = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable ThreadPoolExecutor pool;
    private volatile boolean ended;
    private int threadCount;

    BackgroundLanes(Loop loop, String threadName, NodeJournal journal) {
        this.loop = loop;
        this.threadName = threadName;
        this.journal = journal;
    }

    <T> void run(String lane, Callable<T> work, Loop.Completion<T> done) {
        Runnable piece = () -> runPiece(lane, work, done);
        Queue<Runnable> waiting = lanes.get(lane);
        if (waiting != null) {
            waiting.add(piece);
            return;
        }
        lanes.put(lane, new ArrayDeque<>());
        submit(piece);
    }

    private <T> void runPiece(String lane, Callable<T> work, Loop.Completion<T> done) {
        T result = null;
        Throwable failure = null;
        try {
            result = work.call();
        } catch (Throwable e) {
            failure = e;
        }
        T outcome = result;
        Throwable cause = failure;
        loop.execute(() -> {
            next(lane);
            done.complete(outcome, cause);
        });
    }

    private void next(String lane) {
        Queue<Runnable> waiting = lanes.get(lane);
        Runnable piece = waiting == null ? null : waiting.poll();
        if (piece == null) {
            lanes.remove(lane);
        } else {
            submit(piece);
        }
    }

    private synchronized void submit(Runnable piece) {
        if (ended) {
            return;
        }
        ThreadPoolExecutor executor = pool;
        if (executor == null) {
            executor = new ThreadPoolExecutor(
                    THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::newThread);
            executor.allowCoreThreadTimeOut(true);
            pool = executor;
        }
        executor.execute(piece);
    }

    private synchronized Thread newThread(Runnable task) {
        Thread thread = new JournaledThread(task, threadName + "-beside-" + ++threadCount, threadName, journal);
        thread.setDaemon(true);
        threads.removeIf(earlier -> earlier.getState() == Thread.State.TERMINATED);
        threads.add(thread);
        return thread;
    }

    /** Drops what waits, and returns when what runs is done and no thread is left. From any thread but a lane's. */
    void end() {
        ThreadPoolExecutor executor;
        List<Thread> ending;
        synchronized (this) {
            ended = true;
            executor = pool;
            ending = new ArrayList<>(threads);
        }
        if (executor == null) {
            return;
        }
        executor.getQueue().clear();
        executor.shutdown();
        try {
            if (!executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
            // A pool counts as ended a moment before its threads are.
            for (Thread thread : ending) {
                thread.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

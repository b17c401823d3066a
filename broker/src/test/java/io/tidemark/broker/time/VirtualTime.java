package io.tidemark.broker.time;

import java.util.PriorityQueue;
import java.util.concurrent.Callable;

/** A clock that stands still until it is told, and loops whose tasks all run in the test's thread, in one order. */
public final class VirtualTime implements Clock {
    private static final long WALL_OFFSET_MS = 1_700_000_000_000L;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long nowMs = 1_000;
    private long nextSequence;

    @Override
    public long wallTimeMs() {
        return WALL_OFFSET_MS + nowMs;
    }

    @Override
    public long monotonicMs() {
        return nowMs;
    }

    /** A new loop on this time. */
    public VirtualLoop newLoop() {
        return new VirtualLoop(this);
    }

    /** Runs what is due, and what comes due from that, without moving the time. */
    public void runDue() {
        runFor(0);
    }

    /** Moves the time on, and runs everything that comes due on the way. */
    public void runFor(long durationMs) {
        long endMs = nowMs + durationMs;
        int steps = 0;
        while (!tasks.isEmpty() && tasks.peek().dueMs <= endMs) {
            Task task = tasks.remove();
            nowMs = Math.max(nowMs, task.dueMs);
            if (++steps > 1_000_000) {
                throw new AssertionError("A million tasks in " + durationMs + " ms: something goes round in circles");
            }
            if (!task.isCancelled && !task.loop.isHalted()) {
                task.work.run();
            }
        }
        nowMs = endMs;
    }

    /** Lets time pass in which nothing runs, as while a machine is asleep. */
    public void stallFor(long durationMs) {
        nowMs += durationMs;
    }

    /** The whole machine stands still: time goes on, and nothing runs. */
    public void stall(long durationMs) {
        nowMs += durationMs;
    }

    private Task add(VirtualLoop loop, long delayMs, Runnable work) {
        Task task = new Task(nowMs + delayMs, nextSequence++, loop, work);
        tasks.add(task);
        return task;
    }

    /** How many timers and tasks have yet to run. */
    public long pending() {
        return tasks.stream().filter(task -> !task.isCancelled).count();
    }

    private static final class Task implements Comparable<Task>, Loop.Timer {
        private final long dueMs;
        private final long sequence;
        private final VirtualLoop loop;
        private final Runnable work;
        private boolean isCancelled;

        private Task(long dueMs, long sequence, VirtualLoop loop, Runnable work) {
            this.dueMs = dueMs;
            this.sequence = sequence;
            this.loop = loop;
            this.work = work;
        }

        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(dueMs, other.dueMs);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        @Override
        public void cancel() {
            isCancelled = true;
        }
    }

    /** One node's loop. */
    public static final class VirtualLoop implements Loop {
        private final VirtualTime time;
        private boolean isHalted;

        private VirtualLoop(VirtualTime time) {
            this.time = time;
        }

        /** Nothing of this loop runs any more. */
        public void halt() {
            isHalted = true;
        }

        boolean isHalted() {
            return isHalted;
        }

        @Override
        public void execute(Runnable task) {
            time.add(this, 0, task);
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public Timer schedule(long delayMs, Runnable task) {
            return time.add(this, delayMs, task);
        }

        @Override
        public <T> void runBeside(String lane, Callable<T> work, Completion<T> done) {
            execute(() -> {
                T result;
                try {
                    result = work.call();
                } catch (Exception e) {
                    done.complete(null, e);
                    return;
                }
                done.complete(result, null);
            });
        }
    }
}

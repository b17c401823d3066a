package io.tidemark.broker.simulation;

import io.tidemark.broker.time.Loop;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * One life's loop. A task is an event of the world; the next waits until it is done, which takes a little time, and
 * more where the disk made it wait. A paused loop keeps what comes; a halted one forgets it.
 */
final class SimulatedLoop implements Loop {
    /** The name of the one kind of event in which a node does something. */
    static final String TASK = "task";

    private static final long TASK_US = 4;

    private final World world;
    private final Machine machine;
    private final Consumer<Throwable> onFault;
    private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private final Map<String, ArrayDeque<Runnable>> lanes = new TreeMap<>();
    private boolean isScheduled;
    private boolean isRunning;
    private boolean isPaused;
    private boolean isHalted;

    SimulatedLoop(World world, Machine machine, Consumer<Throwable> onFault) {
        this.world = world;
        this.machine = machine;
        this.onFault = onFault;
    }

    @Override
    public void execute(Runnable task) {
        if (!isHalted) {
            ready.add(task);
            wake();
        }
    }

    private void wake() {
        if (!isScheduled && !isRunning && !isPaused && !isHalted && !ready.isEmpty()) {
            isScheduled = true;
            world.after(machine.takeStallUs() + TASK_US, machine.id(), TASK, this::runNext);
        }
    }

    private void runNext() {
        isScheduled = false;
        if (isPaused || isHalted || ready.isEmpty()) {
            return;
        }
        isRunning = true;
        try {
            ready.remove().run();
        } catch (Violation e) {
            throw e;
        } catch (Throwable e) {
            isHalted = true;
            onFault.accept(e);
        } finally {
            isRunning = false;
        }
        wake();
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public Timer schedule(long delayMs, Runnable task) {
        DueTask due = new DueTask(task);
        due.event = world.after(
                machine.clock().delayUs(Math.max(0, delayMs)), machine.id(), "timer", () -> execute(due::run));
        return due;
    }

    /** A timer that was cancelled after its time, but before its turn, does not run either. */
    private static final class DueTask implements Timer {
        private final Runnable task;
        private World.Event event;
        private boolean isCancelled;

        private DueTask(Runnable task) {
            this.task = task;
        }

        private void run() {
            if (!isCancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            isCancelled = true;
            event.cancel();
        }
    }

    @Override
    public <T> void runBeside(String lane, Callable<T> work, Completion<T> done) {
        ArrayDeque<Runnable> queue = lanes.computeIfAbsent(lane, name -> new ArrayDeque<>());
        queue.add(() -> {
            T result = null;
            Throwable failure = null;
            try {
                result = work.call();
            } catch (Exception e) {
                failure = e;
            }
            T outcome = result;
            Throwable thrown = failure;
            execute(() -> done.complete(outcome, thrown));
        });
        if (queue.size() == 1) {
            runLane(queue);
        }
    }

    private void runLane(ArrayDeque<Runnable> queue) {
        long latencyUs = world.between(20, 400) + machine.trouble().forceUs();
        world.after(latencyUs, machine.id(), "beside", () -> {
            if (isHalted) {
                return;
            }
            if (isPaused) {
                runLane(queue);
                return;
            }
            queue.peek().run();
            queue.remove();
            if (!queue.isEmpty()) {
                runLane(queue);
            }
        });
    }

    void pause() {
        isPaused = true;
    }

    void resume() {
        isPaused = false;
        wake();
    }

    void halt() {
        isHalted = true;
        ready.clear();
    }

    boolean isHalted() {
        return isHalted;
    }
}

package io.tidemark.broker.log;

import io.tidemark.broker.time.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A loop that the test moves by hand; work beside it is done when the time for it has come. */
final class ManualLoop implements Loop {
    private final List<Entry> timers = new ArrayList<>();
    private long nowMs;

    private record Entry(long dueMs, Runnable task) implements Timer {
        @Override
        public void cancel() {}
    }

    /** Lets time pass and runs what is due. */
    void advance(long byMs) {
        nowMs += byMs;
        for (Entry entry : new ArrayList<>(timers)) {
            if (entry.dueMs() <= nowMs) {
                timers.remove(entry);
                entry.task().run();
            }
        }
    }

    /** What a killed node had still to do, it does not do. */
    void forgetTimers() {
        timers.clear();
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public Timer schedule(long delayMs, Runnable task) {
        Entry entry = new Entry(nowMs + delayMs, task);
        timers.add(entry);
        return new Timer() {
            @Override
            public void cancel() {
                timers.remove(entry);
            }
        };
    }

    @Override
    public <T> void runBeside(String lane, Callable<T> work, Completion<T> done) {
        T result;
        try {
            result = work.call();
        } catch (Exception e) {
            done.complete(null, e);
            return;
        }
        done.complete(result, null);
    }
}

package io.tidemark.broker.time;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The system's clock plus an offset that a test may let grow, and may drop for the wall time alone: durations never run
 * backwards. Safe from any thread.
 */
public final class SystemClock implements Clock {
    private final AtomicLong wallOffsetMs = new AtomicLong();
    private final AtomicLong monotonicOffsetMs = new AtomicLong();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @Override
    public long wallTimeMs() {
        return System.currentTimeMillis() + wallOffsetMs.get();
    }

    @Override
    public long monotonicMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) + monotonicOffsetMs.get();
    }

    @Override
    public long pushedMs() {
        return monotonicOffsetMs.get();
    }

    /**
     * Pushes the time forward, for every node that reads this clock; their timers that are due fire at once.
     *
     * @param ms milliseconds, 0 or more
     */
    public void advance(long ms) {
        if (ms < 0) {
            throw new IllegalArgumentException("A clock never runs backwards: asked to advance by [" + ms + "] ms");
        }
        wallOffsetMs.addAndGet(ms);
        monotonicOffsetMs.addAndGet(ms);
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    /** The wall time is the system's again. Timers that run stay as they are, since they count durations. */
    public void reset() {
        wallOffsetMs.set(0);
    }

    @Override
    public void addPushListener(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void removePushListener(Runnable listener) {
        listeners.remove(listener);
    }
}

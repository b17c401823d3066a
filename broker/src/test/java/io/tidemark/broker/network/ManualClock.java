package io.tidemark.broker.network;

import io.tidemark.broker.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until it is pushed. */
final class ManualClock implements Clock {
    private final AtomicLong nowMs = new AtomicLong(1_000);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @Override
    public long wallTimeMs() {
        return nowMs.get();
    }

    @Override
    public long monotonicMs() {
        return nowMs.get();
    }

    void push(long ms) {
        nowMs.addAndGet(ms);
        listeners.forEach(Runnable::run);
    }

    @Override
    public void addPushListener(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void removePushListener(Runnable listener) {
        listeners.remove(listener);
    }

    int listenerCount() {
        return listeners.size();
    }
}

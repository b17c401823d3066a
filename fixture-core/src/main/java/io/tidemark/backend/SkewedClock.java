package io.tidemark.backend;

import io.tidemark.broker.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock of one node, whose wall time is off.
 *
 * @param real what the other nodes read
 * @param skewMs how far it is ahead
 */
record SkewedClock(Clock real, AtomicLong skewMs) implements Clock {
    @Override
    public long wallTimeMs() {
        return real.wallTimeMs() + skewMs.get();
    }

    @Override
    public long monotonicMs() {
        return real.monotonicMs();
    }

    @Override
    public long pushedMs() {
        return real.pushedMs();
    }

    @Override
    public void addPushListener(Runnable listener) {
        real.addPushListener(listener);
    }

    @Override
    public void removePushListener(Runnable listener) {
        real.removePushListener(listener);
    }
}

package io.tidemark.broker.simulation;

import io.tidemark.broker.time.Clock;

/** One machine's clock: the wall time is off by some, and it runs a little fast or slow. It never runs backwards. */
final class SimulatedClock implements Clock {
    private static final long EPOCH_MS = 1_700_000_000_000L;

    private final World world;
    private final long offsetMs;
    private final double rate;

    /**
     * @param offsetMs how far the wall time is off
     * @param rate how many of its microseconds go by in one of the world's
     */
    SimulatedClock(World world, long offsetMs, double rate) {
        this.world = world;
        this.offsetMs = offsetMs;
        this.rate = rate;
    }

    @Override
    public long wallTimeMs() {
        return EPOCH_MS + offsetMs + monotonicMs();
    }

    @Override
    public long monotonicMs() {
        return (long) (world.nowUs() * rate) / World.MS;
    }

    /** The world's microseconds until this clock has moved on to so many milliseconds more. */
    long delayUs(long delayMs) {
        double limitedMs = Math.min(delayMs, 1_000_000_000L);
        double dueMs = monotonicMs() + limitedMs;
        return Math.max(0, (long) Math.ceil(dueMs * World.MS / rate) - world.nowUs()) + (rate == 1.0 ? 0 : 1);
    }
}

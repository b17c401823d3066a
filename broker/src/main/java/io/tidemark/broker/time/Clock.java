package io.tidemark.broker.time;

/**
 * The time, as one node sees it. A test may push it forward. The monotonic time never runs backwards; the wall time does
 * when what was pushed is taken back. Readable from any thread.
 */
public interface Clock {
    /** Milliseconds since 1970-01-01 UTC: for record timestamps and everything else that is stored or shown. */
    long wallTimeMs();

    /** Milliseconds since some fixed moment: for timeouts and durations. Moves together with a pushed wall time. */
    long monotonicMs();

    /** How much of the monotonic time was pushed, and did not pass for the machine, in milliseconds. */
    default long pushedMs() {
        return 0;
    }

    /** Has the listener called, on whatever thread, each time the clock was pushed, so that timers are looked at again. */
    default void addPushListener(Runnable listener) {}

    /** Takes a listener away. */
    default void removePushListener(Runnable listener) {}
}

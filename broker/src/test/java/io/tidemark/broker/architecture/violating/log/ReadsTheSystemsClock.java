package io.tidemark.broker.architecture.violating.log;

import java.util.function.LongSupplier;

/** Asks the system for the time, and does so by a reference too. */
public class ReadsTheSystemsClock {
    final LongSupplier nanos = System::nanoTime;

    long now() {
        return System.currentTimeMillis();
    }
}

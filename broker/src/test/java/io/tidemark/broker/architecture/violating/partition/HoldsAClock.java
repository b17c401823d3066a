package io.tidemark.broker.architecture.violating.partition;

import io.tidemark.broker.time.Clock;

/** A pure package that asks for the time. */
public class HoldsAClock {
    final Clock clock;

    HoldsAClock(Clock clock) {
        this.clock = clock;
    }
}

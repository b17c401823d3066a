package io.tidemark.broker.architecture.violating.record;

import io.tidemark.broker.architecture.violating.log.Segment;

/** Layer 1 uses layer 2. */
public class ReachesUp {
    public Segment segment() {
        return new Segment();
    }
}

package io.tidemark.broker.architecture.violating.record;

import io.tidemark.broker.architecture.violating.log.Segment;

/** Layer 2 uses layer 3. */
public class ReachesUp {
    public Segment segment() {
        return new Segment();
    }
}

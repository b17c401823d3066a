package io.tidemark.broker.time;

import java.util.HashMap;
import java.util.Map;

/** Asks {@link Stalls} again and again, and says what is new since the last time. For one thread. */
public final class StallCount {
    private final Map<Integer, Long> knownMs = new HashMap<>();

    /**
     * How long a node stood still since this was asked last, in milliseconds. 0 the first time, and where the node is in
     * another life than it was.
     */
    public long sinceLast(Stalls stalls, int nodeId) {
        long nowMs = stalls.stalledMs(nodeId);
        Long beforeMs = knownMs.put(nodeId, nowMs);
        return beforeMs == null ? 0 : Math.max(0, nowMs - beforeMs);
    }
}

package io.tidemark.broker.architecture.violating.partition;

import java.util.concurrent.ConcurrentHashMap;

/** A pure package that prepares for a second thread. */
public class Synchronizes {
    final ConcurrentHashMap<Integer, Long> endOffsets = new ConcurrentHashMap<>();
}

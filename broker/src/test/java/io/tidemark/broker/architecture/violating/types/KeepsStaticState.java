package io.tidemark.broker.architecture.violating.types;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps state that all clusters of a JVM would share. */
public class KeepsStaticState {
    static int count;
    static final AtomicInteger NEXT_ID = new AtomicInteger();
    static final ConcurrentHashMap<String, String> CACHE = new ConcurrentHashMap<>();
}

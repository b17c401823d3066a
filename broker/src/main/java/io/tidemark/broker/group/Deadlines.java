package io.tidemark.broker.group;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Times at which something is due, one for each key. Due keys come in the order of their times. */
final class Deadlines<K> {
    private final Map<K, Long> times = new LinkedHashMap<>();
    private final TreeMap<Long, Set<K>> keys = new TreeMap<>();

    /** Sets the key's time, in place of an earlier one. */
    void set(K key, long atMs) {
        cancel(key);
        times.put(key, atMs);
        keys.computeIfAbsent(atMs, at -> new LinkedHashSet<>()).add(key);
    }

    void cancel(K key) {
        Long atMs = times.remove(key);
        if (atMs == null) {
            return;
        }
        Set<K> sameTime = keys.get(atMs);
        if (sameTime != null) {
            sameTime.remove(key);
            if (sameTime.isEmpty()) {
                keys.remove(atMs);
            }
        }
    }

    boolean isSet(K key) {
        return times.containsKey(key);
    }

    /** The earliest time, or {@code Long.MAX_VALUE}. */
    long nextMs() {
        return keys.isEmpty() ? Long.MAX_VALUE : keys.firstKey();
    }

    /** Takes out the earliest key whose time has come, or null where there is none. */
    @Nullable
    K pollDue(long nowMs) {
        if (nextMs() > nowMs) {
            return null;
        }
        K due = keys.firstEntry().getValue().iterator().next();
        cancel(due);
        return due;
    }
}

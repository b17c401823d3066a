package io.tidemark.broker.purgatory;

import io.tidemark.broker.time.Loop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Operations that wait, by key.
 *
 * @param <K> what events are about, for example a partition
 */
public final class Purgatory<K> {
    private final Loop loop;
    private final Map<K, Set<Entry<K>>> watchers = new HashMap<>();
    private int size;

    public Purgatory(Loop loop) {
        this.loop = loop;
    }

    /**
     * Ends the operation at once where it is ready or has no time to wait, else watches it under each key.
     *
     * @param keys whose events may make it ready
     * @param timeoutMs how long it may wait
     */
    public void completeOrWatch(DelayedOperation operation, Collection<K> keys, long timeoutMs) {
        if (operation.isReady()) {
            operation.onComplete(false);
            return;
        }
        if (timeoutMs <= 0) {
            operation.onComplete(true);
            return;
        }
        Entry<K> entry = new Entry<>(operation, List.copyOf(keys));
        for (K key : entry.keys) {
            watchers.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(entry);
        }
        size++;
        entry.timer = loop.schedule(timeoutMs, () -> complete(entry, true));
    }

    /**
     * Something has happened to the key: ends who waits under it and is ready, the oldest first.
     *
     * @return how many ended
     */
    public int onEvent(K key) {
        Set<Entry<K>> watching = watchers.get(key);
        if (watching == null) {
            return 0;
        }
        int completed = 0;
        // A copy: an operation that ends may bring others in or out.
        for (Entry<K> entry : new ArrayList<>(watching)) {
            if (!entry.isCompleted && entry.operation.isReady()) {
                complete(entry, false);
                completed++;
            }
        }
        return completed;
    }

    /** How many operations wait. */
    public int size() {
        return size;
    }

    /** How many keys somebody waits under. */
    public int watchedKeys() {
        return watchers.size();
    }

    private void complete(Entry<K> entry, boolean isExpired) {
        if (entry.isCompleted) {
            return;
        }
        entry.isCompleted = true;
        size--;
        if (entry.timer != null) {
            entry.timer.cancel();
        }
        for (K key : entry.keys) {
            Set<Entry<K>> watching = watchers.get(key);
            if (watching != null) {
                watching.remove(entry);
                if (watching.isEmpty()) {
                    watchers.remove(key);
                }
            }
        }
        entry.operation.onComplete(isExpired);
    }

    private static final class Entry<K> {
        private final DelayedOperation operation;
        private final List<K> keys;
        private Loop.@Nullable Timer timer;
        private boolean isCompleted;

        private Entry(DelayedOperation operation, List<K> keys) {
            this.operation = operation;
            this.keys = keys;
        }
    }
}

package io.tidemark;

import io.tidemark.TimelineEvent.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** What was done to a cluster from outside, the newest so many. Safe from any thread. */
final class Deeds {
    private static final int MOST = 1_000;

    private final Deque<TimelineEvent> events = new ArrayDeque<>();
    private final LongSupplier clockMs;

    Deeds(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    synchronized void add(String subject, String text) {
        if (events.size() == MOST) {
            events.removeFirst();
        }
        events.addLast(new TimelineEvent(clockMs.getAsLong(), Kind.FAULT, subject, text));
    }

    synchronized List<TimelineEvent> all() {
        return List.copyOf(events);
    }
}

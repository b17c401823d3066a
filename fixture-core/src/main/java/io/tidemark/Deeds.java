package io.tidemark;

import io.tidemark.TimelineEvent.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** What was done to a cluster from outside, the newest so many. Safe from any thread. */
final class Deeds {
    private static final int MOST = 1_000;
    private static final int MOST_STANDING = 100;

    private final Deque<TimelineEvent> events = new ArrayDeque<>();
    private final Deque<LinkFault> standing = new ArrayDeque<>();
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

    /** A fault that goes on until it is healed. */
    synchronized void standing(LinkFault fault) {
        standing.removeIf(LinkFault::isHealed);
        if (standing.size() == MOST_STANDING) {
            standing.removeFirst();
        }
        standing.addLast(fault);
    }

    /** What was done, in its order, then what goes on now. */
    synchronized List<TimelineEvent> all() {
        List<TimelineEvent> all = new ArrayList<>(events);
        for (LinkFault fault : standing) {
            if (!fault.isHealed()) {
                all.add(new TimelineEvent(
                        clockMs.getAsLong(),
                        Kind.FAULT,
                        "links",
                        fault + " still on, struck " + fault.strikes() + (fault.strikes() == 1 ? " time" : " times")));
            }
        }
        return all;
    }
}

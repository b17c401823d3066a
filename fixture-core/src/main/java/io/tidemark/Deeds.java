package io.tidemark;

import io.tidemark.TimelineEvent.Kind;
import io.tidemark.requests.FaultWitness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** What was done to a cluster from outside and what that has struck, the newest so many. Safe from any thread. */
final class Deeds implements FaultWitness {
    private static final int MOST = 1_000;
    private static final int MOST_STANDING = 100;

    private final Deque<TimelineEvent> events = new ArrayDeque<>();
    private final Deque<LinkFault> standing = new ArrayDeque<>();
    private final Strikes strikes = new Strikes();
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

    @Override
    public void did(String subject, String text) {
        add(subject, text);
    }

    @Override
    public synchronized void struck(Object fault, String place, String text) {
        strikes.add(clockMs.getAsLong(), fault, place, text);
    }

    /** A fault that goes on until it is healed. */
    synchronized void standing(LinkFault fault) {
        standing.removeIf(LinkFault::isHealed);
        if (standing.size() == MOST_STANDING) {
            standing.removeFirst();
        }
        standing.addLast(fault);
    }

    /** What was done, in its order, what it has struck, then what goes on now. */
    synchronized List<TimelineEvent> all() {
        List<TimelineEvent> all = new ArrayList<>(events);
        all.addAll(strikes.events());
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

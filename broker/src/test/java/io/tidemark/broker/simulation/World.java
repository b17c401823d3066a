package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One queue, one thread, virtual time in microseconds, and the randomness of everything that is not a node. Events of
 * the same time run in the order in which they were given.
 */
final class World {
    static final long MS = 1_000;
    static final long SECOND = 1_000_000;

    private final Trace trace = new Trace();
    private final SplittableRandom random;
    private PriorityQueue<Event> queue = new PriorityQueue<>();
    private long nowUs = SECOND;
    private long nextSequence;
    private long eventCount;
    private int cancelled;
    private Consumer<Event> observer = event -> {};

    World(long seed) {
        random = new SplittableRandom(seed);
    }

    SplittableRandom random() {
        return random;
    }

    Trace trace() {
        return trace;
    }

    long nowUs() {
        return nowUs;
    }

    long eventCount() {
        return eventCount;
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** A number from the first to the second, both included. */
    long between(long least, long most) {
        return least >= most ? least : random.nextLong(least, most + 1);
    }

    /** Looks on after each event. */
    void observe(Consumer<Event> newObserver) {
        observer = newObserver;
    }

    /**
     * @param place whose event it is: a machine's number, or 0 for the world's own
     */
    Event after(long delayUs, int place, String what, Runnable work) {
        Event event = new Event(this, nowUs + Math.max(0, delayUs), nextSequence++, place, what, work);
        queue.add(event);
        return event;
    }

    /** Runs everything that comes due until then. */
    void runUntil(long endUs) {
        while (!queue.isEmpty() && queue.peek().dueUs <= endUs) {
            Event event = queue.remove();
            if (event.isCancelled) {
                cancelled--;
                continue;
            }
            event.isDone = true;
            nowUs = event.dueUs;
            eventCount++;
            trace.add(nowUs, event.place, event.what);
            event.work.run();
            observer.accept(event);
        }
        nowUs = Math.max(nowUs, endUs);
    }

    void runFor(long durationUs) {
        runUntil(nowUs + durationUs);
    }

    /** Most timers are called off, and would otherwise lie in the queue until their time. */
    private void onCancel() {
        if (++cancelled > 256 && cancelled > queue.size() / 2) {
            List<Event> kept = new ArrayList<>();
            for (Event event : queue) {
                if (!event.isCancelled) {
                    kept.add(event);
                }
            }
            queue = new PriorityQueue<>(kept);
            cancelled = 0;
        }
    }

    /** Something that happens at one moment. */
    static final class Event implements Comparable<Event> {
        private final World world;
        private final long dueUs;
        private final long sequence;
        private final int place;
        private final String what;
        private final Runnable work;
        private boolean isCancelled;
        private boolean isDone;

        private Event(World world, long dueUs, long sequence, int place, String what, Runnable work) {
            this.world = world;
            this.dueUs = dueUs;
            this.sequence = sequence;
            this.place = place;
            this.what = what;
            this.work = work;
        }

        String what() {
            return what;
        }

        int place() {
            return place;
        }

        void cancel() {
            if (!isCancelled && !isDone) {
                isCancelled = true;
                world.onCancel();
            }
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(dueUs, other.dueUs);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}

package io.tidemark.requests;

import io.tidemark.broker.time.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A fault of requests that was declared, from {@link RequestRule}: it counts whom it strikes, and lasts until it is healed.
 * Safe from any thread.
 *
 * <pre>{@code
 * RequestFault held = cluster.requests().on(ApiKey.JOIN_GROUP).group("billing").once().hold();
 * held.awaitStruck(Duration.ofSeconds(10));
 * // the member waits; what does the rest of the group do?
 * held.release();
 * }</pre>
 */
public final class RequestFault implements AutoCloseable {
    private static final int MOST_STRIKES = 1_000;

    private final RequestFaultBoard board;
    private final String name;
    private final RequestScope scope;
    private final RequestAction action;
    private final FaultWitness witness;
    private final Trigger.Count count;
    private final List<RequestStrike> strikes = new ArrayList<>();
    private final Deque<Parked> parked = new ArrayDeque<>();
    private final List<Parked> onHeal = new ArrayList<>();
    private long struck;
    private boolean isHealed;
    private boolean mayMiss;

    private record Parked(Loop loop, Runnable then) {
        void run() {
            loop.execute(then);
        }
    }

    RequestFault(
            RequestFaultBoard board,
            String name,
            RequestScope scope,
            Trigger trigger,
            RequestAction action,
            FaultWitness witness) {
        this.board = board;
        this.name = name;
        this.scope = scope;
        this.action = action;
        this.witness = witness;
        this.count = trigger.count();
    }

    RequestScope scope() {
        return scope;
    }

    RequestAction action() {
        return action;
    }

    /** Whether it is for this one, and its turn. */
    boolean strikes(Passage passage) {
        // A request that came before the fault was not read.
        boolean isReadLater = action.readsAnswer() && !passage.knows(this);
        if (!scope.coversEnvelope(passage.request())
                || (scope.asksForContent()
                        && !isReadLater
                        && !scope.coversContent(passage.facts(), passage.topicNames()))
                || !action.canStrike(passage)) {
            return false;
        }
        synchronized (this) {
            return !isHealed && count.strikesNext();
        }
    }

    /** Counts a strike. */
    void tell(Passage passage) {
        RequestStrike strike = passage.strike();
        synchronized (this) {
            struck++;
            if (strikes.size() < MOST_STRIKES) {
                strikes.add(strike);
            }
            notifyAll();
        }
        witness.struck(this, "node " + strike.nodeId(), strike.toString());
    }

    /** True where the request waits from now on, which is a strike; false where the fault is healed. */
    boolean park(Passage passage, Runnable then) {
        synchronized (this) {
            if (isHealed) {
                return false;
            }
            parked.add(new Parked(passage.request().loop(), then));
        }
        tell(passage);
        return true;
    }

    void onHeal(Loop loop, Runnable then) {
        synchronized (this) {
            if (!isHealed) {
                onHeal.add(new Parked(loop, then));
                return;
            }
        }
        loop.execute(then);
    }

    /** How many requests it has struck so far; 0 means that it never did anything. */
    public synchronized long struck() {
        return struck;
    }

    /** Whom it has struck, in order: the first 1,000. */
    public synchronized List<RequestStrike> strikes() {
        return List.copyOf(strikes);
    }

    /** How many requests or answers wait until they are let go. */
    public synchronized int waiting() {
        return parked.size();
    }

    /**
     * Waits until it has struck once.
     *
     * @throws AssertionError if it has not when the time is up
     */
    public RequestFault awaitStruck(Duration timeout) {
        return awaitStruck(1, timeout);
    }

    /**
     * Waits until it has struck so many times.
     *
     * @throws AssertionError if it has not when the time is up
     */
    public synchronized RequestFault awaitStruck(long times, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (struck < times) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (leftMs <= 0) {
                throw new AssertionError("Fault [" + name + "] has struck " + struck + " times within " + timeout
                        + "; expected " + times + ". Is anything sent that it covers?");
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while waiting for [" + name + "] to strike", e);
            }
        }
        return this;
    }

    /** Lets go what waits now, in order; those that come later wait again. */
    public void release() {
        List<Parked> going;
        synchronized (this) {
            going = List.copyOf(parked);
            parked.clear();
        }
        if (!going.isEmpty()) {
            witness.did("requests", name + " released " + going.size());
        }
        going.forEach(Parked::run);
    }

    /** Lets go the one that has waited longest; false where none waits. */
    public boolean releaseOne() {
        Parked first;
        synchronized (this) {
            first = parked.poll();
        }
        if (first != null) {
            first.run();
        }
        return first != null;
    }

    /** Ends it: what waits goes on, and nothing is struck any more. Harmless to repeat. */
    public void heal() {
        List<Parked> ending;
        synchronized (this) {
            if (isHealed) {
                return;
            }
            isHealed = true;
            ending = new ArrayList<>(parked);
            ending.addAll(onHeal);
            parked.clear();
            onHeal.clear();
        }
        board.remove(this);
        ending.forEach(Parked::run);
        witness.did("requests", "healed " + name);
    }

    public synchronized boolean isHealed() {
        return isHealed;
    }

    /** Says that it need not strike: a fault that never struck fails the test else, where {@code Chaos} looks after it. */
    public synchronized RequestFault maybe() {
        mayMiss = true;
        return this;
    }

    /** Whether it need not strike. */
    public synchronized boolean isMaybe() {
        return mayMiss;
    }

    /** {@link #heal() Heals}. */
    @Override
    public void close() {
        heal();
    }

    /** For example {@code lose the answer: PRODUCE from [orders-app] topic orders once}. */
    @Override
    public String toString() {
        return name;
    }
}

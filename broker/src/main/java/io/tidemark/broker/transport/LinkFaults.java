package io.tidemark.broker.transport;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The links between the nodes of one cluster, to be cut on purpose. A cut link behaves as TCP does over a network that
 * loses every packet: nothing is refused or closed, what was sent arrives when the cut is healed, unless one end has
 * given the link up by then, and a connect runs into its time limit.
 *
 * <p>It covers the links that the nodes open to one another, in both directions; clients' links are not its business.
 * Safe from any thread.
 */
public final class LinkFaults {
    /** Which node listens on a port. All nodes of a cluster in one JVM are on one machine. */
    private final Map<Integer, Integer> listening = new ConcurrentHashMap<>();

    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Makes the links of a node hurtable: the same host, with a network that asks here before anything passes. */
    public NodeHost on(int nodeId, NodeHost host, int connectTimeoutMs) {
        return new FaultyHost(host, new FaultyNetwork(nodeId, host.network(), host.loop(), this, connectTimeoutMs));
    }

    /** Holds everything of a scope back, until the hold is released. */
    public Hold hold(LinkScope scope) {
        return hold(scope, (from, to, purpose) -> {});
    }

    /** As {@link #hold(LinkScope)}, with somebody who hears of each strike. */
    public Hold hold(LinkScope scope, StrikeListener onStrike) {
        Hold hold = new Hold(scope, onStrike);
        holds.add(hold);
        return hold;
    }

    /** Releases every hold. */
    public void releaseAll() {
        holds.forEach(Hold::release);
    }

    /** What is held back now. */
    public List<Hold> holds() {
        return List.copyOf(holds);
    }

    /** True where nothing that one node sends reaches another, or nothing comes back. */
    public boolean isCut(int nodeId, int otherId) {
        return isHeld(nodeId, otherId, nodeId, "") || isHeld(otherId, nodeId, nodeId, "");
    }

    boolean isHeld(int from, int to, int opener, String purpose) {
        for (Hold hold : holds) {
            if (hold.scope.covers(from, to, opener, purpose)) {
                return true;
            }
        }
        return false;
    }

    void struck(int from, int to, int opener, String purpose) {
        for (Hold hold : holds) {
            if (hold.scope.covers(from, to, opener, purpose)) {
                hold.strikes.incrementAndGet();
                hold.onStrike.onStrike(from, to, purpose);
            }
        }
    }

    void nodeListens(int port, int nodeId) {
        listening.put(port, nodeId);
    }

    /** The node that listens on a port, -1 where none of the cluster ever did. */
    int nodeAt(int port) {
        return listening.getOrDefault(port, -1);
    }

    void addListener(Runnable onRelease) {
        listeners.add(onRelease);
    }

    void removeListener(Runnable onRelease) {
        listeners.remove(onRelease);
    }

    /** Hears of what is held back, on the thread of the node that is; answers at once. */
    @FunctionalInterface
    public interface StrikeListener {
        /**
         * A frame or a connect is held back.
         *
         * @param from the node that sends it; -1 where that is not known
         * @param to the node that is to get it; -1 where that is not known
         * @param purpose of the link
         */
        void onStrike(int from, int to, String purpose);
    }

    /** One thing that is held back. Safe from any thread. */
    public final class Hold {
        private final LinkScope scope;
        private final StrikeListener onStrike;
        private final AtomicLong strikes = new AtomicLong();

        private Hold(LinkScope scope, StrikeListener onStrike) {
            this.scope = scope;
            this.onStrike = onStrike;
        }

        public LinkScope scope() {
            return scope;
        }

        /** How many frames and connects it has held back so far; 0 means that it never did anything. */
        public long strikes() {
            return strikes.get();
        }

        /** True until it is released. */
        public boolean isActive() {
            return holds.contains(this);
        }

        /** Lets pass what it held, in order, and all that follows. Harmless to repeat. */
        public void release() {
            if (holds.remove(this)) {
                listeners.forEach(Runnable::run);
            }
        }

        @Override
        public String toString() {
            return "hold " + scope + ", struck " + strikes() + " times";
        }
    }
}

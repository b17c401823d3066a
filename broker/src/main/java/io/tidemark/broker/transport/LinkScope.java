package io.tidemark.broker.transport;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A set of what passes between nodes, by who sends it to whom and what its link is for. Requests and responses count
 * alike: each goes from the node that sends it.
 *
 * @param from the ids of the nodes that send; empty for every node
 * @param to the ids of the nodes that it goes to; empty for every node
 * @param purpose the {@link Network.FrameHandler#purpose purpose} of the link; empty for any
 */
public record LinkScope(SortedSet<Integer> from, SortedSet<Integer> to, String purpose) {
    /** The purpose of the links over which followers fetch from their leaders. */
    public static final String REPLICA_FETCHER = "replica-fetcher";

    /**
     * The purpose of the links over which transaction coordinators tell partition leaders how transactions ended. A
     * coordinator has one to its own node too.
     */
    public static final String TRANSACTION_MARKERS = "transaction-markers";

    public LinkScope {
        from = Collections.unmodifiableSortedSet(new TreeSet<>(from));
        to = Collections.unmodifiableSortedSet(new TreeSet<>(to));
    }

    /** All that goes from some nodes to others, one way. */
    public static LinkScope between(Collection<Integer> from, Collection<Integer> to) {
        return new LinkScope(new TreeSet<>(from), new TreeSet<>(to), "");
    }

    /** The same for the links of one purpose only. */
    public LinkScope on(String linkPurpose) {
        return new LinkScope(from, to, linkPurpose);
    }

    boolean covers(int sender, int receiver, String linkPurpose) {
        return (from.isEmpty() || from.contains(sender))
                && (to.isEmpty() || to.contains(receiver))
                && (purpose.isEmpty() || purpose.equals(linkPurpose));
    }

    /** For example {@code [3] -> [1, 2] on replica-fetcher}. */
    @Override
    public String toString() {
        return named(from) + " -> " + named(to) + (purpose.isEmpty() ? "" : " on " + purpose);
    }

    private static String named(SortedSet<Integer> nodes) {
        return nodes.isEmpty() ? "[any]" : nodes.toString();
    }
}

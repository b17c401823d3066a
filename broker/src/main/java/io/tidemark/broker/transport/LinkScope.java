package io.tidemark.broker.transport;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A set of what passes between nodes.
 *
 * <ul>
 *   <li>Of links of any purpose it has what goes one way: requests and responses alike, each from the node that sends
 *       it.
 *   <li>Of links of one purpose it has what passes both ways. A purpose belongs to the node that opened the link: a
 *       follower opens one to fetch, and the same two nodes may have another link of that purpose, the other way round.
 * </ul>
 *
 * @param from the ids of the nodes that send or, with a purpose, that opened the link; empty for every node
 * @param to the ids of the nodes at the other end; empty for every node
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

    /** The links of one purpose that these nodes opened to those, both ways. */
    public LinkScope on(String linkPurpose) {
        return new LinkScope(from, to, linkPurpose);
    }

    boolean covers(int sender, int receiver, int opener, String linkPurpose) {
        if (purpose.isEmpty()) {
            return joins(sender, receiver);
        }
        return purpose.equals(linkPurpose) && joins(opener, opener == sender ? receiver : sender);
    }

    private boolean joins(int near, int far) {
        return (from.isEmpty() || from.contains(near)) && (to.isEmpty() || to.contains(far));
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

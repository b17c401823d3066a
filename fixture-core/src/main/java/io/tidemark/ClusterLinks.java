package io.tidemark;

import io.tidemark.broker.transport.LinkFaults;
import io.tidemark.broker.transport.LinkScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The links between the nodes of a cluster, to be cut on purpose. A cut link behaves as TCP does over a network that
 * loses every packet: nothing is refused, and what one end has sent and not given up arrives after the heal. Clients'
 * links are not touched. Safe from any thread.
 *
 * <pre>{@code
 * try (LinkFault cut = cluster.links().isolate(1)) {
 *     // broker 1 hears of nobody; clients reach it still
 * }
 * }</pre>
 *
 * <p>Every method throws an {@link IllegalArgumentException} that names a node which is not there.
 */
public final class ClusterLinks {
    private final Cluster cluster;
    private final LinkFaults faults;

    ClusterLinks(Cluster cluster, LinkFaults faults) {
        this.cluster = cluster;
        this.faults = faults;
    }

    /** Cuts every link between the nodes of one group and those of another, both ways. */
    public LinkFault cut(Collection<Integer> some, Collection<Integer> others) {
        SortedSet<Integer> left = known(some);
        SortedSet<Integer> right = known(others);
        return hold(
                "cut(" + left + " <-> " + right + ")", LinkScope.between(left, right), LinkScope.between(right, left));
    }

    /**
     * Cuts every link between nodes of different groups, both ways.
     *
     * @throws IllegalArgumentException if there are fewer than two groups, or one is empty
     */
    public LinkFault split(List<? extends Collection<Integer>> groups) {
        List<SortedSet<Integer>> parts = groups.stream().map(this::known).toList();
        if (parts.size() < 2) {
            throw new IllegalArgumentException("A split needs two groups of nodes or more; given are " + parts);
        }
        List<LinkScope> scopes = new ArrayList<>();
        for (SortedSet<Integer> from : parts) {
            for (SortedSet<Integer> to : parts) {
                if (from != to) {
                    scopes.add(LinkScope.between(from, to));
                }
            }
        }
        String name = parts.stream().map(Object::toString).collect(Collectors.joining(" <-> ", "split(", ")"));
        return hold(name, scopes.toArray(new LinkScope[0]));
    }

    /** Nothing that a node of one group sends reaches one of the other any more; the way back is open. */
    public LinkFault cutOneWay(Collection<Integer> from, Collection<Integer> to) {
        SortedSet<Integer> senders = known(from);
        SortedSet<Integer> receivers = known(to);
        return hold("cutOneWay(" + senders + " -> " + receivers + ")", LinkScope.between(senders, receivers));
    }

    /** Cuts a node off from all others, controllers included. */
    public LinkFault isolate(int nodeId) {
        SortedSet<Integer> alone = known(List.of(nodeId));
        SortedSet<Integer> others =
                cluster.nodes().stream().map(ClusterNode::id).collect(Collectors.toCollection(TreeSet::new));
        others.removeAll(alone);
        if (others.isEmpty()) {
            throw new IllegalArgumentException("Cannot isolate node [" + nodeId + "]: the cluster has no other");
        }
        return hold("isolate(" + nodeId + ")", LinkScope.between(alone, others), LinkScope.between(others, alone));
    }

    /**
     * Cuts a broker off from the controllers alone: clients and other brokers reach it. A leader does not hear that it was
     * replaced, and goes on as it was until it learns from others.
     *
     * @throws IllegalArgumentException if it is a controller itself
     */
    public LinkFault isolateFromControllers(int brokerId) {
        SortedSet<Integer> broker = known(List.of(cluster.broker(brokerId).id()));
        SortedSet<Integer> controllers =
                cluster.controllers().stream().map(ClusterNode::id).collect(Collectors.toCollection(TreeSet::new));
        if (controllers.contains(brokerId)) {
            throw new IllegalArgumentException("Broker [" + brokerId
                    + "] is a controller itself; leave out combined(true), or isolate(" + brokerId + ")");
        }
        return hold(
                "isolateFromControllers(" + brokerId + ")",
                LinkScope.between(broker, controllers),
                LinkScope.between(controllers, broker));
    }

    /**
     * The replicas that follow on a broker get nothing from their leaders any more. Those that lead on it are still
     * followed, and its other links, to the controller too, are open.
     */
    public LinkFault stallReplication(int brokerId) {
        SortedSet<Integer> follower =
                new TreeSet<>(List.of(cluster.broker(brokerId).id()));
        return hold(
                "stallReplication(" + brokerId + ")",
                LinkScope.between(follower, List.of()).on(LinkScope.REPLICA_FETCHER));
    }

    /** What one broker's transaction coordinator tells partition leaders of the ends of transactions; empty for all. */
    LinkFault holdMarkers(int coordinatorId, Collection<Integer> leaderIds) {
        SortedSet<Integer> coordinator =
                new TreeSet<>(List.of(cluster.broker(coordinatorId).id()));
        SortedSet<Integer> leaders = leaderIds.isEmpty() ? new TreeSet<>() : known(leaderIds);
        return hold(
                "holdMarkers(" + coordinatorId + " -> " + (leaders.isEmpty() ? "any" : leaders) + ")",
                LinkScope.between(coordinator, leaders).on(LinkScope.TRANSACTION_MARKERS));
    }

    /** Heals every link. */
    public void heal() {
        faults.releaseAll();
        cluster.deeds().add("links", "healed");
    }

    private LinkFault hold(String name, LinkScope... scopes) {
        // Faults of one name are still several.
        Object which = new Object() {
            @Override
            public String toString() {
                return name;
            }
        };
        List<LinkFaults.Hold> holds = List.of(scopes).stream()
                .map(scope -> faults.hold(scope, (from, to, purpose) -> cluster.deeds()
                        .struck(which, "link " + named(from) + " -> " + named(to), purpose)))
                .toList();
        LinkFault fault = new LinkFault(name, holds, struck -> cluster.deeds()
                .add("links", "healed " + name + ", struck " + struck + (struck == 1 ? " time" : " times")));
        cluster.deeds().add("links", name);
        cluster.deeds().standing(fault);
        return fault;
    }

    private static String named(int nodeId) {
        return nodeId < 0 ? "?" : String.valueOf(nodeId);
    }

    private SortedSet<Integer> known(Collection<Integer> ids) {
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("A cut needs at least one node on each side; one side is empty");
        }
        return ids.stream().map(id -> cluster.node(id).id()).collect(Collectors.toCollection(TreeSet::new));
    }
}

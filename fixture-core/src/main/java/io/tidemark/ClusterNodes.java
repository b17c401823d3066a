package io.tidemark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The nodes that a cluster has now. Safe from any thread. */
final class ClusterNodes {
    private static final Comparator<ClusterNode> BROKERS_FIRST =
            Comparator.<ClusterNode, Boolean>comparing(node -> !node.isBroker()).thenComparing(ClusterNode::id);

    private final ClusterLayout layout;
    private final Supplier<ClusterView> look;
    private final Duration timeout;
    private final BiPredicate<Integer, Integer> isCut;
    private volatile List<ClusterNode> all = List.of();

    /**
     * @param timeout how long an election of a controller may take
     * @param isCut whether the links between two nodes are cut on purpose, by their ids
     */
    ClusterNodes(
            ClusterLayout layout, Supplier<ClusterView> look, Duration timeout, BiPredicate<Integer, Integer> isCut) {
        this.layout = layout;
        this.look = look;
        this.timeout = timeout;
        this.isCut = isCut;
    }

    /** The brokers, then the controllers that are nodes of their own, in the order of the ids. */
    List<ClusterNode> all() {
        return all;
    }

    /** As they are best stopped: a broker that leaves in good order asks a controller for it. */
    List<ClusterNode> votersLast() {
        List<Integer> voters = layout.voterIds();
        return all.stream()
                .sorted(Comparator.comparing(node -> voters.contains(node.id())))
                .toList();
    }

    synchronized void add(List<ClusterNode> added) {
        List<ClusterNode> more = new ArrayList<>(all);
        more.addAll(added);
        more.sort(BROKERS_FIRST);
        all = List.copyOf(more);
    }

    synchronized void remove(ClusterNode removed) {
        all = all.stream().filter(node -> node != removed).toList();
    }

    List<ClusterNode> brokers() {
        return all.stream().filter(ClusterNode::isBroker).toList();
    }

    List<Integer> brokerIds() {
        return brokers().stream().map(ClusterNode::id).toList();
    }

    List<Integer> runningBrokerIds() {
        return brokers().stream()
                .filter(node -> node.state() == NodeState.RUNNING)
                .map(ClusterNode::id)
                .toList();
    }

    /** Those that vote. */
    List<ClusterNode> controllers() {
        return layout.voterIds().stream().map(this::node).toList();
    }

    boolean has(int id) {
        return all.stream().anyMatch(node -> node.id() == id);
    }

    ClusterNode broker(int id) {
        return brokers().stream()
                .filter(node -> node.id() == id)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no broker [" + id + "]; the cluster has the brokers " + brokerIds()));
    }

    ClusterNode node(int id) {
        return all.stream()
                .filter(node -> node.id() == id)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("There is no node [" + id + "]; the cluster has " + all));
    }

    ClusterNode controller() {
        List<Integer> ids = layout.voterIds();
        return node(ids.size() == 1 ? ids.get(0) : Readiness.awaitController(look, ids, timeout.toMillis()));
    }

    /**
     * Where to send what the controller decides: of several, a broker finds the active one, and its successor. One that
     * is cut off from controllers finds them less well than others do.
     */
    ClusterNode decider(List<Integer> runningBrokers) {
        List<Integer> voters = layout.voterIds();
        if (voters.size() == 1 || runningBrokers.isEmpty()) {
            return controller();
        }
        return runningBrokers.stream()
                .min(Comparator.comparingLong(id -> voters.stream()
                        .filter(voter -> !voter.equals(id) && isCut.test(id, voter))
                        .count()))
                .map(this::broker)
                .orElseThrow();
    }

    String bootstrapServers(String listener) {
        return brokers().stream().map(broker -> broker.address(listener)).collect(Collectors.joining(","));
    }

    boolean serves(int apiKey) {
        return brokers().stream()
                .filter(broker -> broker.state() == NodeState.RUNNING)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No broker of the cluster at "
                        + bootstrapServers(ClusterListeners.DEFAULT) + " runs; restart one first"))
                .serves(apiKey);
    }
}

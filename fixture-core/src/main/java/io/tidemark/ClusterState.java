package io.tidemark;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A whole cluster at one moment: its nodes, each as it told itself, and all partitions. Immutable.
 *
 * <pre>{@code
 * ClusterState now = cluster.snapshot();
 * System.out.println(now.controller() + " " + now.underReplicated());
 * }</pre>
 *
 * @param clusterId the cluster's id
 * @param nodes every node: the brokers, then the controllers that are nodes of their own
 * @param controller the active controller; empty while none is elected
 * @param partitions every partition, internal ones too, in the order of the names
 * @param seed the seed of the cluster
 */
public record ClusterState(
        String clusterId, List<NodeStatus> nodes, OptionalInt controller, List<PartitionState> partitions, long seed) {
    public ClusterState {
        nodes = List.copyOf(nodes);
        partitions = List.copyOf(partitions);
    }

    static ClusterState of(String clusterId, List<ClusterNode> nodes, ClusterView view) {
        return new ClusterState(
                clusterId,
                nodes.stream()
                        .map(node -> NodeStatus.of(
                                node.id(),
                                view.states().getOrDefault(node.id(), NodeState.STOPPED),
                                view.snapshots().get(node.id())))
                        .toList(),
                view.activeController(),
                view.partitions(),
                view.seed());
    }

    /** Those whose ISR lacks a replica. */
    public List<PartitionState> underReplicated() {
        return partitions.stream()
                .filter(state -> state.isr().size() < state.replicas().size())
                .toList();
    }

    /** Those that no broker leads. */
    public List<PartitionState> offline() {
        return partitions.stream().filter(state -> state.leader().isEmpty()).toList();
    }

    /** Several lines: the cluster, its nodes, then each partition with its replicas. */
    @Override
    public String toString() {
        return "cluster " + clusterId + ", controller "
                + (controller.isPresent() ? controller.getAsInt() : "none")
                + nodes.stream().map(node -> "\n  " + node).collect(Collectors.joining())
                + partitions.stream().map(state -> "\n" + state).collect(Collectors.joining());
    }
}

package io.tidemark;

import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PartitionSnapshot;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One node at one moment, taken on its own loop between two of its tasks. Immutable.
 *
 * <pre>{@code
 * NodeStatus second = cluster.broker(2).snapshot();
 * System.out.println(second.state() + " leads " + second.leads());
 * }</pre>
 *
 * @param nodeId its id
 * @param state where it stands
 * @param metadataOffset the offset in the log of the metadata up to which it has applied it; empty where it cannot be
 *     asked
 * @param controllerEpoch the epoch in which it takes itself for the active controller; empty where it does not
 * @param leads the partitions that it leads, each as {@code topic-partition}, in order
 * @param follows the partitions that it has a replica of and does not lead
 */
public record NodeStatus(
        int nodeId,
        NodeState state,
        OptionalLong metadataOffset,
        OptionalInt controllerEpoch,
        List<String> leads,
        List<String> follows) {
    public NodeStatus {
        leads = List.copyOf(leads);
        follows = List.copyOf(follows);
    }

    static NodeStatus of(int nodeId, NodeState state, @Nullable NodeSnapshot snapshot) {
        if (snapshot == null) {
            return new NodeStatus(nodeId, state, OptionalLong.empty(), OptionalInt.empty(), List.of(), List.of());
        }
        return new NodeStatus(
                nodeId,
                state,
                OptionalLong.of(snapshot.metadata().lastOffset()),
                snapshot.controllerEpoch() < 0 ? OptionalInt.empty() : OptionalInt.of(snapshot.controllerEpoch()),
                names(snapshot, true),
                names(snapshot, false));
    }

    private static List<String> names(NodeSnapshot snapshot, boolean leader) {
        return snapshot.partitions().values().stream()
                .filter(partition -> partition.leader() == leader)
                .map(PartitionSnapshot::topicPartition)
                .map(Object::toString)
                .toList();
    }

    /** For example {@code node 2: running, metadata up to 41, leads [orders-1], follows [orders-0]}. */
    @Override
    public String toString() {
        return "node " + nodeId + ": " + state
                + (metadataOffset.isPresent() ? ", metadata up to " + metadataOffset.getAsLong() : "")
                + (controllerEpoch.isPresent() ? ", active controller of epoch " + controllerEpoch.getAsInt() : "")
                + (leads.isEmpty() ? "" : ", leads " + leads)
                + (follows.isEmpty() ? "" : ", follows " + follows);
    }
}

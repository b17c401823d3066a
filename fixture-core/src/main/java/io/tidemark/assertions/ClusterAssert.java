package io.tidemark.assertions;

import io.tidemark.Cluster;
import io.tidemark.ClusterState;
import io.tidemark.NodeState;
import io.tidemark.NodeStatus;
import io.tidemark.PartitionState;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a whole cluster. Each judges it as it is at that moment; after {@link #eventually()} each waits until it
 * holds.
 *
 * <pre>{@code
 * // passes when the restarted broker has caught up everywhere
 * assertThat(cluster).eventually().hasRunningNodes(1, 2, 3, 1001).hasNoUnderReplicatedPartitions();
 *
 * // fails while a partition's brokers are all down, and names it
 * assertThat(cluster).hasNoOfflinePartitions();
 * }</pre>
 */
public final class ClusterAssert extends WaitingAssert<ClusterAssert, Cluster> {
    ClusterAssert(Cluster cluster, @Nullable Eventually eventually) {
        super(cluster, ClusterAssert.class, eventually);
    }

    @Override
    ClusterAssert waiting(@Nullable Eventually patience) {
        return new ClusterAssert(actual, patience);
    }

    /**
     * The ISR of every partition has all its replicas, internal topics too. With all brokers at work it passes, soon after
     * the death of one that has a replica it fails.
     */
    public ClusterAssert hasNoUnderReplicatedPartitions() {
        return check("under-replicated partitions", List.of(), state -> names(state.underReplicated()));
    }

    /**
     * The partitions whose ISR lacks a replica, in any order. Where broker 3 is down and has a replica of "orders-0" alone
     * {@code hasUnderReplicatedPartitions("orders-0")} passes and {@code hasUnderReplicatedPartitions()} fails.
     */
    public ClusterAssert hasUnderReplicatedPartitions(String... partitions) {
        return check(
                "under-replicated partitions",
                Arrays.stream(partitions).sorted().toList(),
                state -> names(state.underReplicated()));
    }

    /** Every partition has a leader. While all replicas' brokers of one are down it fails, else it passes. */
    public ClusterAssert hasNoOfflinePartitions() {
        return check("offline partitions", List.of(), state -> names(state.offline()));
    }

    /** The active controller. Where 1001 is it, it passes for 1001 and fails for 1002. */
    public ClusterAssert hasController(int nodeId) {
        return check(
                "active controller",
                Integer.toString(nodeId),
                state -> state.controller().isPresent()
                        ? Integer.toString(state.controller().getAsInt())
                        : "none");
    }

    /**
     * The nodes that run, controllers too, in any order. Where broker 2 of two is dead {@code hasRunningNodes(1, 1001)}
     * passes and {@code hasRunningNodes(1, 2, 1001)} fails.
     */
    public ClusterAssert hasRunningNodes(int... nodeIds) {
        return check("running nodes", Arrays.stream(nodeIds).sorted().boxed().toList(), state -> state.nodes().stream()
                .filter(node -> node.state() == NodeState.RUNNING)
                .map(NodeStatus::nodeId)
                .sorted()
                .toList());
    }

    /**
     * Every running node has applied the metadata up to an offset, or further. With the offset that a node has told before
     * it passes as soon as all others have that; with one that the log does not have yet it fails.
     */
    public ClusterAssert hasMetadataUpTo(long offset) {
        return check("nodes that lack metadata up to " + offset, List.of(), state -> state.nodes().stream()
                .filter(node -> node.metadataOffset().isPresent()
                        && node.metadataOffset().getAsLong() < offset)
                .map(NodeStatus::nodeId)
                .toList());
    }

    private static List<String> names(List<PartitionState> partitions) {
        return partitions.stream().map(PartitionState::name).sorted().toList();
    }

    private ClusterAssert check(String what, Object expected, Function<ClusterState, Object> actualOf) {
        isNotNull();
        return check(
                new Subject<>("the cluster", "cluster", actual, () -> Optional.of(actual.snapshot()), seen -> null),
                new Expectation<>(what, expected.toString(), state -> {
                    Object seen = actualOf.apply(state);
                    return seen.equals(expected) ? new Met() : new NotYet(seen.toString());
                }));
    }
}

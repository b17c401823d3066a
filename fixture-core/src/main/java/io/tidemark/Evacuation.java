package io.tidemark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Moves the replicas that a broker holds to those that have the fewest. */
final class Evacuation {
    private final Cluster cluster;
    private final int brokerId;

    Evacuation(Cluster cluster, int brokerId) {
        this.cluster = cluster;
        this.brokerId = brokerId;
    }

    /** The partitions whose assignment names the broker. */
    List<PartitionState> held() {
        return cluster.view().partitions().stream()
                .filter(state -> replicasOf(state).contains(brokerId))
                .toList();
    }

    /** For example {@code orders-0, orders-2}. */
    static String names(List<PartitionState> partitions) {
        return partitions.stream()
                .map(state -> state.topic() + "-" + state.partition())
                .collect(Collectors.joining(", "));
    }

    /** On return the broker holds nothing, and every moved replica is in sync. */
    void run() {
        List<PartitionState> moving = held();
        Map<PartitionState, List<Integer>> plan = plan(moving);
        plan.forEach((state, replicas) -> cluster.leadership().assign(state.topic(), state.partition(), replicas));
        Readiness.awaitNothing(
                () -> plan.entrySet().stream()
                        .map(move -> unfinished(move.getKey(), move.getValue()))
                        .filter(text -> !text.isEmpty())
                        .toList(),
                "Broker " + brokerId + " still holds replicas",
                cluster.startTimeout().toMillis());
    }

    private String unfinished(PartitionState before, List<Integer> replicas) {
        PartitionState now = cluster.view().partitionOrNull(before.topic(), before.partition());
        return now == null || (replicasOf(now).equals(replicas) && now.isr().size() == replicas.size())
                ? ""
                : "of " + replicas + " for " + now;
    }

    private Map<PartitionState, List<Integer>> plan(List<PartitionState> moving) {
        Map<Integer, Integer> loads = new TreeMap<>();
        for (ClusterNode broker : cluster.brokers()) {
            if (broker.id() != brokerId && broker.state() == NodeState.RUNNING) {
                loads.put(broker.id(), 0);
            }
        }
        cluster.view().partitions().forEach(state -> replicasOf(state)
                .forEach(id -> loads.computeIfPresent(id, (key, count) -> count + 1)));
        Map<PartitionState, List<Integer>> plan =
                new TreeMap<>(Comparator.comparing(PartitionState::topic).thenComparing(PartitionState::partition));
        for (PartitionState state : moving) {
            List<Integer> replicas = new ArrayList<>(replicasOf(state));
            int target = loads.entrySet().stream()
                    .filter(load -> !replicas.contains(load.getKey()))
                    .min(Map.Entry.comparingByValue())
                    .orElseThrow(() -> new IllegalStateException("Broker [" + brokerId + "] cannot be removed: no other"
                            + " broker that runs is free to take its replica of " + names(List.of(state))
                            + "; add a broker first.\n" + state))
                    .getKey();
            loads.merge(target, 1, Integer::sum);
            replicas.set(replicas.indexOf(brokerId), target);
            plan.put(state, replicas);
        }
        return plan;
    }

    private static List<Integer> replicasOf(PartitionState state) {
        return state.replicas().stream().map(ReplicaState::brokerId).toList();
    }
}

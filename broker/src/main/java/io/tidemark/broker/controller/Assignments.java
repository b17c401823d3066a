package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ClusterImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableReplicaAssignment;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks replica assignments that were given by hand. */
final class Assignments {
    private Assignments() {}

    /** The replicas of partition 0, 1, ... as the request has them. */
    static List<List<Integer>> explicit(CreatableTopic topic, ClusterImage cluster) {
        if (topic.replicationFactor() != -1) {
            throw new Rejection(
                    ErrorCode.INVALID_REQUEST,
                    "Topic [" + topic.name()
                            + "] has replica assignments, so its replication factor must be -1; it is ["
                            + topic.replicationFactor() + "]");
        }
        if (topic.numPartitions() != -1) {
            throw new Rejection(
                    ErrorCode.INVALID_REQUEST,
                    "Topic [" + topic.name()
                            + "] has replica assignments, so its number of partitions must be -1; it is ["
                            + topic.numPartitions() + "]");
        }
        SortedMap<Integer, List<Integer>> byPartition = new TreeMap<>();
        int expectedSize = topic.assignments().get(0).brokerIds().size();
        for (CreatableReplicaAssignment assignment : topic.assignments()) {
            requireValid(assignment.partitionIndex(), assignment.brokerIds(), expectedSize, cluster);
            if (byPartition.put(assignment.partitionIndex(), assignment.brokerIds()) != null) {
                throw new Rejection(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        "Partition " + assignment.partitionIndex() + " of topic [" + topic.name()
                                + "] is assigned twice");
            }
        }
        if (byPartition.firstKey() != 0 || byPartition.lastKey() != byPartition.size() - 1) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "Partitions of topic [" + topic.name() + "] are " + byPartition.keySet()
                            + "; expected all from 0 to " + (byPartition.size() - 1));
        }
        return new ArrayList<>(byPartition.values());
    }

    static void requireValid(int partition, List<Integer> replicas, int expectedSize, ClusterImage cluster) {
        if (replicas.isEmpty()) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT, "Partition " + partition + " is assigned to no broker");
        }
        if (new LinkedHashSet<>(replicas).size() != replicas.size()) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "Partition " + partition + " is assigned to " + replicas + ", which names a broker twice");
        }
        for (int replica : replicas) {
            if (cluster.broker(replica) == null) {
                throw new Rejection(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        "Partition " + partition + " is assigned to " + replicas + ", but broker " + replica
                                + " is not registered; registered are "
                                + cluster.brokers().keySet());
            }
        }
        if (replicas.size() != expectedSize) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "Partition " + partition + " is assigned to " + replicas + "; expected " + expectedSize
                            + " replicas, as its neighbours have");
        }
    }

    /** The only directory of the broker, or none yet where it has several to choose from. */
    static Uuid directory(@Nullable BrokerRegistration broker) {
        return broker != null && broker.logDirectories().size() == 1
                ? broker.logDirectories().get(0)
                : PartitionRegistration.UNASSIGNED_DIRECTORY;
    }
}

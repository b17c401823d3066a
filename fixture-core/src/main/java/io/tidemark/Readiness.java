package io.tidemark;

import io.tidemark.ReplicaState.ReplicaLog;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * What a cluster still lacks before a test may rely on it: every broker unfenced in the eyes of every other, every topic
 * with its leaders and its full ISR, known to every broker, and every replica in office under the epoch it was given.
 */
final class Readiness {
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private Readiness() {}

    /** Waits until nothing is missing. The exception names what still is when the time is up. */
    static void await(
            Supplier<ClusterView> look, Collection<Integer> brokerIds, Collection<String> topics, long timeoutMs) {
        awaitNothing(() -> missing(look.get(), brokerIds, topics), "The cluster is not ready", timeoutMs);
    }

    /** Waits until a list is empty. The exception shows it when the time is up. */
    static void awaitNothing(Supplier<List<String>> missing, String failure, long timeoutMs) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            List<String> still = missing.get();
            if (still.isEmpty()) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new ClusterException(
                        failure + " after " + timeoutMs + " ms. Missing:\n  " + String.join("\n  ", still));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** The id of the active controller, as soon as there is one. */
    static int awaitController(Supplier<ClusterView> look, Collection<Integer> controllerIds, long timeoutMs) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            ClusterView view = look.get();
            OptionalInt active = view.activeController();
            if (active.isPresent()) {
                return active.getAsInt();
            }
            if (System.nanoTime() > deadline) {
                throw new ClusterException("None of the controllers " + controllerIds + " is the active one after "
                        + timeoutMs + " ms; a majority of them has to run. The nodes are " + view.states());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Waits until every node that answers has applied the metadata up to an offset. */
    static void awaitMetadata(Supplier<ClusterView> look, long offset, long timeoutMs) {
        awaitNothing(
                () -> look.get().snapshots().values().stream()
                        .filter(node -> node.metadata().lastOffset() < offset)
                        .map(node -> "node " + node.nodeId() + " is at metadata offset "
                                + node.metadata().lastOffset())
                        .toList(),
                "Not every node has the metadata up to offset " + offset,
                timeoutMs);
    }

    /** Waits until every ISR has all replicas. */
    static void awaitNoUnderReplicated(Supplier<ClusterState> look, long timeoutMs) {
        awaitNothing(
                () -> look.get().underReplicated().stream()
                        .map(PartitionState::toString)
                        .toList(),
                "Not every replica is in sync",
                timeoutMs);
    }

    /** What one node lacks by itself and in the eyes of the brokers that answer. */
    static List<String> missingOf(ClusterView view, int nodeId, boolean broker) {
        List<String> missing = new ArrayList<>();
        if (view.states().get(nodeId) != NodeState.RUNNING || !view.snapshots().containsKey(nodeId)) {
            missing.add(
                    "an answer of node " + nodeId + "; it is " + view.states().get(nodeId));
        }
        if (broker) {
            view.snapshots().forEach((other, snapshot) -> {
                if (!snapshot.metadata().cluster().isActive(nodeId)) {
                    missing.add("node " + other + " does not see broker " + nodeId + " registered and unfenced");
                }
            });
        }
        return missing;
    }

    static List<String> missing(ClusterView view, Collection<Integer> brokerIds, Collection<String> topics) {
        List<String> missing = new ArrayList<>();
        for (int brokerId : brokerIds) {
            NodeSnapshot snapshot = view.snapshots().get(brokerId);
            if (snapshot == null) {
                missing.add("broker " + brokerId + " does not answer; it is "
                        + view.states().get(brokerId));
                continue;
            }
            MetadataImage metadata = snapshot.metadata();
            for (int other : brokerIds) {
                if (!metadata.cluster().isActive(other)) {
                    missing.add("broker " + brokerId + " does not see broker " + other + " registered and unfenced");
                }
            }
            for (String topic : topics) {
                addMissing(missing, view, brokerId, topic, metadata);
            }
        }
        return missing;
    }

    private static void addMissing(
            List<String> missing, ClusterView view, int brokerId, String topic, MetadataImage metadata) {
        TopicImage image = metadata.topics().topic(topic);
        if (image == null) {
            missing.add("broker " + brokerId + " does not know topic " + topic);
            return;
        }
        image.partitions().forEach((number, registration) -> {
            String name = topic + "-" + number;
            if (!registration.hasLeader()) {
                missing.add("broker " + brokerId + " sees no leader of " + name);
            } else if (registration.isr().size() < registration.replicas().size()) {
                missing.add("broker " + brokerId + " sees ISR " + registration.isr() + " of replicas "
                        + registration.replicas() + " for " + name);
            } else if (registration.replicas().contains(brokerId)
                    && !inOffice(view, brokerId, topic, number, registration)) {
                missing.add("broker " + brokerId + " has not taken up its replica of " + name + " under leader epoch "
                        + registration.leaderEpoch());
            }
        });
    }

    private static boolean inOffice(
            ClusterView view, int brokerId, String topic, int partition, PartitionRegistration registration) {
        PartitionState state = view.partitionOrNull(topic, partition);
        ReplicaState replica = state == null ? null : state.replica(brokerId);
        ReplicaLog log = replica == null ? null : replica.log();
        return log != null
                && log.leaderEpoch() == registration.leaderEpoch()
                && log.leads() == (registration.leader() == brokerId);
    }
}

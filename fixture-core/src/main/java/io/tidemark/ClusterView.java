package io.tidemark;

import io.tidemark.ReplicaState.ReplicaLog;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PartitionSnapshot;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The whole cluster as its nodes tell it, each at a moment of its own. The newest metadata that any of them has counts
 * as what the controller has decided.
 *
 * @param states where each node stands
 * @param snapshots what each node that answered told
 * @param brokerConfig the configs given for all brokers
 * @param seed the cluster's seed
 */
record ClusterView(
        SortedMap<Integer, NodeState> states,
        SortedMap<Integer, NodeSnapshot> snapshots,
        Map<String, String> brokerConfig,
        long seed) {
    private static final String UNCLEAN_ELECTION = "unclean.leader.election.enable";
    private static final long ANSWER_TIMEOUT_MS = 5_000;

    /** Asks all nodes at once and waits for those that can answer. */
    static ClusterView of(Collection<ClusterNode> nodes, Map<String, String> brokerConfig, long seed) {
        Map<ClusterNode, CompletableFuture<NodeSnapshot>> asked = new LinkedHashMap<>();
        SortedMap<Integer, NodeState> states = new TreeMap<>();
        for (ClusterNode node : nodes) {
            states.put(node.id(), node.state());
            CompletableFuture<NodeSnapshot> answer = node.beginSnapshot();
            if (answer != null) {
                asked.put(node, answer);
            }
        }
        SortedMap<Integer, NodeSnapshot> snapshots = new TreeMap<>();
        asked.forEach((node, answer) -> {
            NodeSnapshot snapshot = answerOf(node, answer);
            if (snapshot != null) {
                snapshots.put(node.id(), snapshot);
            }
        });
        return new ClusterView(states, snapshots, brokerConfig, seed);
    }

    private static @Nullable NodeSnapshot answerOf(ClusterNode node, CompletableFuture<NodeSnapshot> answer) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_TIMEOUT_MS);
        while (System.nanoTime() < deadline) {
            try {
                return answer.get(10, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // Paused after it was asked, by another thread: it will not answer.
                if (node.state() == NodeState.PAUSED) {
                    return null;
                }
            } catch (ExecutionException e) {
                // Killed after it was asked: it has nothing to tell.
                return null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("Interrupted while asking " + node, e);
            }
        }
        return null;
    }

    /** The newest metadata, or null where no node could be asked. */
    @Nullable
    MetadataImage metadata() {
        MetadataImage newest = null;
        for (NodeSnapshot snapshot : snapshots.values()) {
            if (newest == null || snapshot.metadata().lastOffset() > newest.lastOffset()) {
                newest = snapshot.metadata();
            }
        }
        return newest;
    }

    /** Of those that take themselves for the active controller, the one of the newest epoch. */
    OptionalInt activeController() {
        NodeSnapshot newest = null;
        for (NodeSnapshot snapshot : snapshots.values()) {
            if (snapshot.controllerEpoch() >= 0
                    && (newest == null || snapshot.controllerEpoch() > newest.controllerEpoch())) {
                newest = snapshot;
            }
        }
        return newest == null ? OptionalInt.empty() : OptionalInt.of(newest.nodeId());
    }

    PartitionState partition(String topic, int partition) {
        MetadataImage metadata = requiredMetadata();
        TopicImage image = metadata.topics().topic(topic);
        if (image == null) {
            throw new IllegalArgumentException("Topic [" + topic + "] does not exist; the cluster has "
                    + metadata.topics().byName().keySet());
        }
        PartitionState state = partitionOrNull(metadata, topic, partition);
        if (state == null) {
            throw new IllegalArgumentException("Topic " + topic + " has no partition [" + partition + "]; it has 0 to "
                    + (image.partitions().size() - 1));
        }
        return state;
    }

    /** The partition, or null where there is none of that name. */
    @Nullable
    PartitionState partitionOrNull(String topic, int partition) {
        return partitionOrNull(requiredMetadata(), topic, partition);
    }

    /** True where the newest metadata is past an offset and has no topic of a name. */
    boolean isDeletedSince(long metadataOffset, String topic) {
        MetadataImage metadata = metadata();
        return metadata != null
                && metadata.lastOffset() > metadataOffset
                && metadata.topics().topic(topic) == null;
    }

    List<PartitionState> partitions() {
        List<PartitionState> all = new ArrayList<>();
        MetadataImage metadata = metadata();
        if (metadata != null) {
            for (TopicImage topic : metadata.topics().byName().values()) {
                topic.partitions()
                        .forEach((number, registration) -> all.add(state(metadata, topic, number, registration)));
            }
        }
        return all;
    }

    private MetadataImage requiredMetadata() {
        MetadataImage metadata = metadata();
        if (metadata == null) {
            throw new IllegalStateException(
                    "No node of the cluster can be asked: " + states + "; restart or resume one of them");
        }
        return metadata;
    }

    private @Nullable PartitionState partitionOrNull(MetadataImage metadata, String topic, int partition) {
        TopicImage image = metadata.topics().topic(topic);
        PartitionRegistration registration = image == null ? null : image.partition(partition);
        return image == null || registration == null ? null : state(metadata, image, partition, registration);
    }

    private PartitionState state(
            MetadataImage metadata, TopicImage topic, int partition, PartitionRegistration registration) {
        List<ReplicaState> replicas = new ArrayList<>();
        for (int brokerId : registration.replicas()) {
            replicas.add(new ReplicaState(
                    brokerId,
                    states.getOrDefault(brokerId, NodeState.STOPPED),
                    log(topic, partition, snapshots.get(brokerId))));
        }
        String unclean = metadata.configsOf(ConfigResource.topic(topic.name()))
                .getOrDefault(UNCLEAN_ELECTION, brokerConfig.getOrDefault(UNCLEAN_ELECTION, "false"));
        return new PartitionState(
                topic.name(),
                partition,
                topic.id().toString(),
                registration.hasLeader() ? OptionalInt.of(registration.leader()) : OptionalInt.empty(),
                registration.leaderEpoch(),
                registration.partitionEpoch(),
                registration.isr(),
                registration.elr(),
                replicas,
                Boolean.parseBoolean(unclean),
                metadata.lastOffset(),
                seed);
    }

    private static @Nullable ReplicaLog log(TopicImage topic, int partition, @Nullable NodeSnapshot snapshot) {
        PartitionSnapshot replica = snapshot == null ? null : snapshot.partition(topic.name(), partition);
        if (replica == null || !replica.topicId().equals(topic.id())) {
            return null;
        }
        return new ReplicaLog(
                replica.leader(),
                replica.leaderEpoch(),
                replica.logStartOffset(),
                replica.logEndOffset(),
                replica.highWatermark(),
                replica.lastStableOffset());
    }
}

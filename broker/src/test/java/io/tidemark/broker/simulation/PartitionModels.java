package io.tidemark.broker.simulation;

import io.tidemark.broker.Broker;
import io.tidemark.broker.NodeInsight;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The models of all partitions that there ever were, and where the replicas of one are to be found. */
final class PartitionModels {
    private final Map<Integer, SimulatedNode> nodes;
    private final Map<Uuid, Map<Integer, PartitionModel>> models = new LinkedHashMap<>();
    private final Set<Uuid> deleted = new LinkedHashSet<>();

    /** @param nodes every node by its id, those too that are yet to come */
    PartitionModels(Map<Integer, SimulatedNode> nodes) {
        this.nodes = nodes;
    }

    PartitionModel model(Uuid topicId, TopicPartition name) {
        return models.computeIfAbsent(topicId, id -> new HashMap<>())
                .computeIfAbsent(name.partition(), number -> new PartitionModel(name, topicId));
    }

    void forEach(Consumer<PartitionModel> action) {
        models.values().forEach(partitions -> partitions.values().forEach(action));
    }

    void delete(Uuid topicId) {
        deleted.add(topicId);
    }

    boolean isDeleted(Uuid topicId) {
        return deleted.contains(topicId);
    }

    /** A broker's replica of a partition, or null where it is down or has none. */
    @Nullable
    HostedPartition replica(int brokerId, PartitionModel model) {
        SimulatedNode node = nodes.get(brokerId);
        Broker broker = node == null ? null : node.broker();
        HostedPartitions hosted = broker == null ? null : NodeInsight.partitions(broker);
        HostedPartition replica = hosted == null ? null : hosted.partition(model.name);
        return replica != null && replica.id().topicId().equals(model.topicId) ? replica : null;
    }
}

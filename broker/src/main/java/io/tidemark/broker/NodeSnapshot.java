package io.tidemark.broker;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.types.TopicPartition;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node at one moment, taken between two tasks of its loop. Immutable.
 *
 * @param nodeId the node
 * @param metadata the metadata image that the node has applied
 * @param partitions every replica that the node hosts
 * @param controllerEpoch the epoch in which the node takes itself for the active controller, -1 where it does not
 */
public record NodeSnapshot(
        int nodeId, MetadataImage metadata, Map<TopicPartition, PartitionSnapshot> partitions, int controllerEpoch) {
    /** A node that is not the active controller. */
    public NodeSnapshot(int nodeId, MetadataImage metadata, Map<TopicPartition, PartitionSnapshot> partitions) {
        this(nodeId, metadata, partitions, -1);
    }

    public NodeSnapshot {
        partitions = Collections.unmodifiableMap(new TreeMap<>(partitions));
    }

    /** The replica of a partition, or null where the node hosts none. */
    public @Nullable PartitionSnapshot partition(String topic, int partition) {
        return partitions.get(new TopicPartition(topic, partition));
    }
}

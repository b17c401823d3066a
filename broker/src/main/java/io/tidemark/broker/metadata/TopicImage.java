package io.tidemark.broker.metadata;

import io.tidemark.broker.types.Uuid;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One topic.
 *
 * @param name its name
 * @param id its id
 * @param partitions by partition number, immutable
 */
public record TopicImage(String name, Uuid id, SortedMap<Integer, PartitionRegistration> partitions) {
    public TopicImage {
        partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
    }

    public @Nullable PartitionRegistration partition(int partition) {
        return partitions.get(partition);
    }
}

package io.tidemark.broker.log;

import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Kafka's names of partition folders: {@code topic-partition}, and what they are renamed to on their way out. */
final class PartitionFolder {
    static final String DELETE_SUFFIX = "-delete";
    private static final String FUTURE_SUFFIX = "-future";
    private static final String STRAY_SUFFIX = "-stray";
    private static final int MAX_NAME_LENGTH = 255;

    private PartitionFolder() {}

    static boolean isOnItsWayOut(Path folder) {
        return folder.getFileName().toString().endsWith(DELETE_SUFFIX);
    }

    /** The partition that a folder holds, or null where it is no partition's, or none that is in service. */
    static @Nullable TopicPartition partitionOf(Path folder) {
        String name = folder.getFileName().toString();
        int dash = name.lastIndexOf('-');
        if (dash <= 0 || name.endsWith(DELETE_SUFFIX) || name.endsWith(FUTURE_SUFFIX) || name.endsWith(STRAY_SUFFIX)) {
            return null;
        }
        String number = name.substring(dash + 1);
        try {
            int partition = Integer.parseInt(number);
            // Only the one way to write a number: "-7" and "007" would be other folders of the same partition.
            return partition >= 0 && Integer.toString(partition).equals(number)
                    ? new TopicPartition(name.substring(0, dash), partition)
                    : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * The name on the way out.
     *
     * @param attempt tells apart folders of the same partition and topic id that are deleted one after the other
     */
    static String deletedName(TopicPartition partition, Uuid topicId, int attempt) {
        return suffixed(partition, topicId, attempt, DELETE_SUFFIX);
    }

    /** The name of a replica that is to take the place of one in another log directory (KIP-113). */
    static String futureName(TopicPartition partition, Uuid topicId) {
        return suffixed(partition, topicId, 0, FUTURE_SUFFIX);
    }

    static boolean isFuture(Path folder) {
        return folder.getFileName().toString().endsWith(FUTURE_SUFFIX);
    }

    /** The name of a folder that should not be here; as {@link #deletedName}. */
    static String strayName(TopicPartition partition, Uuid topicId, int attempt) {
        return suffixed(partition, topicId, attempt, STRAY_SUFFIX);
    }

    private static String suffixed(TopicPartition partition, Uuid topicId, int attempt, String kind) {
        String suffix = String.format(
                        "-%d.%016x%016x",
                        partition.partition(), topicId.mostSignificantBits(), topicId.leastSignificantBits() + attempt)
                + kind;
        String topic = partition.topic();
        return topic.substring(0, Math.min(topic.length(), MAX_NAME_LENGTH - suffix.length())) + suffix;
    }
}

package io.tidemark.broker.replication;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Takes out of the log directories what the metadata does not want there. */
final class UnwantedLogs {
    private static final NodeLog LOG = NodeLog.of(UnwantedLogs.class);

    private final int brokerId;
    private final List<LogDirectory> directories;

    UnwantedLogs(int brokerId, List<LogDirectory> directories) {
        this.brokerId = brokerId;
        this.directories = directories;
    }

    /** From whichever directory has it. */
    void delete(TopicPartition partition) {
        for (LogDirectory directory : directories) {
            if (!directory.health().isOnline()) {
                continue;
            }
            try {
                directory.deletePartition(partition);
            } catch (IOException e) {
                directory.health().fail("delete the log of " + partition, e);
            }
        }
    }

    /**
     * Topics that were deleted, or replicas that were moved away, while this broker was down. As in Kafka they are put
     * aside, not deleted: a broker that comes up beside the wrong metadata is to lose nothing.
     *
     * @param gone told of each
     */
    void putStraysAside(MetadataImage image, Consumer<TopicPartition> gone) {
        for (LogDirectory directory : directories) {
            for (PartitionLog log : new ArrayList<>(directory.partitions().values())) {
                TopicPartition name = log.topicPartition();
                PartitionRegistration known = image.topics().partition(log.topicId(), name.partition());
                boolean isOurs = known != null && known.replicas().contains(brokerId);
                if (!isOurs && !name.equals(LogDirectory.METADATA_PARTITION)) {
                    LOG.warn("Put the log of {} aside, which is no partition of this broker any more", name);
                    putAside(directory, name);
                    gone.accept(name);
                }
            }
        }
    }

    private static void putAside(LogDirectory directory, TopicPartition partition) {
        try {
            directory.putAsideStray(partition);
        } catch (IOException e) {
            directory.health().fail("put the log of " + partition + " aside", e);
        }
    }
}

package io.tidemark.broker.replication;

import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.MetaProperties;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** In which log directory a replica of this broker lies, or is to lie (KIP-858). */
final class DirectoryChoice {
    private final int brokerId;
    private final List<LogDirectory> directories;

    DirectoryChoice(int brokerId, List<LogDirectory> directories) {
        this.brokerId = brokerId;
        this.directories = directories;
    }

    /**
     * Where its log is open; else where the controller knows it to be; else, for a replica that nobody has a place for
     * yet, the online directory with the fewest logs.
     *
     * @return possibly one that is offline; null where none may be chosen: a replica that is not new may lie in a
     *     directory that is offline, and an empty log in its place would lose what it holds
     */
    @Nullable
    LogDirectory directoryOf(TopicIdPartition id, PartitionRegistration registration) {
        for (LogDirectory directory : directories) {
            if (directory.partition(id.topicPartition()) != null) {
                return directory;
            }
        }
        LogDirectory assigned = byId(registration.directory(brokerId));
        if (assigned != null) {
            return assigned;
        }
        boolean isNew = registration.partitionEpoch() == 0;
        return isNew
                        || directories.stream()
                                .allMatch(directory -> directory.health().isOnline())
                ? emptiest()
                : null;
    }

    private @Nullable LogDirectory byId(Uuid id) {
        for (LogDirectory directory : directories) {
            if (id.equals(idOf(directory))) {
                return directory;
            }
        }
        return null;
    }

    private @Nullable LogDirectory emptiest() {
        LogDirectory emptiest = null;
        for (LogDirectory directory : directories) {
            if (directory.health().isOnline()
                    && (emptiest == null
                            || directory.partitions().size()
                                    < emptiest.partitions().size())) {
                emptiest = directory;
            }
        }
        return emptiest;
    }

    /** The id of a directory, null where it is not formatted. */
    static @Nullable Uuid idOf(LogDirectory directory) {
        MetaProperties identity = directory.metaProperties();
        return identity == null ? null : identity.directoryId();
    }
}

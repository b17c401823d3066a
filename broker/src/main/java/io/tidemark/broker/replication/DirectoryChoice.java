package io.tidemark.broker.replication;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.MetaProperties;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** In which log directory a replica of this broker lies, or is to lie (KIP-858). */
final class DirectoryChoice {
    private static final NodeLog LOG = NodeLog.of(DirectoryChoice.class);

    private final int brokerId;
    private final List<LogDirectory> directories;

    /** Where replicas shall come up that do not exist yet. */
    private final Map<TopicPartition, LogDirectory> preferred = new HashMap<>();

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
        LogDirectory wanted = preferred.remove(id.topicPartition());
        if (wanted != null && wanted.health().isOnline()) {
            return wanted;
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

    /** Where a replica of this broker shall come up, if it ever does. */
    void prefer(TopicPartition partition, LogDirectory directory) {
        preferred.put(partition, directory);
    }

    /**
     * A move that a crash interrupted at its very end leaves the log in two directories, both of them whole. The one
     * that the controller does not know of is put aside.
     */
    void removeTwins(MetadataImage image) {
        Map<TopicPartition, LogDirectory> first = new HashMap<>();
        for (LogDirectory directory : directories) {
            for (TopicPartition name : List.copyOf(directory.partitions().keySet())) {
                LogDirectory other = first.putIfAbsent(name, directory);
                if (other != null) {
                    PartitionRegistration known = image.topics().partition(name);
                    boolean isKnownHere =
                            known != null && known.directory(brokerId).equals(idOf(directory));
                    putAside(isKnownHere ? other : directory, name);
                    first.put(name, isKnownHere ? directory : other);
                }
            }
        }
    }

    private static void putAside(LogDirectory directory, TopicPartition partition) {
        LOG.warn("Put {} in {} aside, since it is in another log directory too", partition, directory.path());
        try {
            directory.putAsideStray(partition);
        } catch (IOException e) {
            directory.health().fail("put the log of " + partition + " aside", e);
        }
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

package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One folder of {@code log.dirs}: the node's identity, its partitions' folders, and the checkpoints over all of them. On
 * the node's loop only, except {@link #abandon}.
 */
public final class LogDirectory {
    /** The metadata quorum's only partition. {@link #openPartitions} leaves its folder alone. */
    public static final TopicPartition METADATA_PARTITION = new TopicPartition("__cluster_metadata", 0);

    private LogDirectory() {}

    /**
     * Creates the folder where there is none, locks it against other nodes, and reads what kind of stop the last one was.
     *
     * @param producerIdExpirationMs {@code producer.id.expiration.ms}
     * @throws IOException if another node has the folder; the message names it
     */
    public static LogDirectory open(Disk disk, Path directory, Loop loop, long producerIdExpirationMs)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    public Path path() {
        throw new UnsupportedOperationException();
    }

    /** Null where the folder is not formatted yet. */
    public @Nullable MetaProperties metaProperties() {
        throw new UnsupportedOperationException();
    }

    /** Writes {@code meta.properties}, durably. */
    public void format(MetaProperties properties) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** True where the node before this one closed the folder in good order. */
    public boolean wasCleanlyShutDown() {
        throw new UnsupportedOperationException();
    }

    /** The broker epoch in the clean-shutdown file, or -1 (KIP-966: tells the controller that nothing was lost). */
    public long previousBrokerEpoch() {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens (and after an unclean stop recovers) every partition folder. Folders that were being deleted are deleted.
     *
     * @param configs the config of each partition found
     */
    public void openPartitions(Function<TopicPartition, LogConfig> configs, long nowMs) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The open partitions, in order. */
    public SortedMap<TopicPartition, PartitionLog> partitions() {
        throw new UnsupportedOperationException();
    }

    public @Nullable PartitionLog partition(TopicPartition partition) {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens one partition, and creates it where there is none. Cheap: nothing is forced.
     *
     * @param topicId its topic's id; {@link Uuid#ZERO} for the metadata log, which has no {@code partition.metadata}
     * @throws IOException also if the folder belongs to another topic id
     */
    public PartitionLog openPartition(TopicPartition partition, Uuid topicId, LogConfig config, long nowMs)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Takes a partition out: its folder is renamed to {@code name.id-delete} at once, and goes beside the loop after
     * {@code file.delete.delay.ms}. Does nothing where there is no such partition.
     */
    public void deletePartition(TopicPartition partition) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The high watermarks as last written down; empty where they never were. */
    public Map<TopicPartition, Long> readHighWatermarks() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Writes {@code replication-offset-checkpoint}. */
    public void writeHighWatermarks(Map<TopicPartition, Long> highWatermarks) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Writes the checkpoints of recovery points and log starts. */
    public void writeCheckpoints() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Flushes and closes every log, writes the checkpoints and the clean-shutdown file, and gives up the lock. */
    public void close(long brokerEpoch) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Lets go of everything as a killed process does: files are closed as they are, nothing is written. From any thread,
     * once the loop is gone. Harmless to repeat.
     */
    public void abandon() {
        throw new UnsupportedOperationException();
    }
}

package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The open files of a log, and where it stands by them.
 *
 * @param topicId from {@code partition.metadata}, zero for none
 * @param segments at least one
 * @param epochs the leader epochs
 * @param snapshots the producer snapshots
 * @param logStartOffset the first offset that may be read
 * @param logEndOffset the offset that the next record will get
 * @param recoveryPoint everything below is durable
 * @param folderUnforced whether files beside the segments may not be durable yet
 */
record LoadedLog(
        Uuid topicId,
        NavigableMap<Long, LogSegment> segments,
        LeaderEpochs epochs,
        ProducerSnapshots snapshots,
        long logStartOffset,
        long logEndOffset,
        long recoveryPoint,
        boolean folderUnforced) {

    /** Makes the files of a log that was not there. Forces nothing and maps nothing. */
    static LoadedLog create(Disk disk, Path directory, Uuid topicId, LogConfig config, long nowMs) throws IOException {
        disk.createDirectories(directory);
        if (!topicId.isZero()) {
            PartitionMetadata.write(disk, directory.resolve(LogFiles.PARTITION_METADATA), topicId);
        }
        NavigableMap<Long, LogSegment> segments = new TreeMap<>();
        segments.put(0L, LogSegment.create(disk, directory, 0, config, nowMs));
        return new LoadedLog(
                topicId,
                segments,
                LeaderEpochs.empty(disk, directory.resolve(LogFiles.LEADER_EPOCHS)),
                new ProducerSnapshots(disk, directory),
                0,
                0,
                0,
                true);
    }
}

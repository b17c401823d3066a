package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.metadata.ImageRecords;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.RecordFormat;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.message.SnapshotFooterRecord;
import io.tidemark.broker.protocol.message.SnapshotHeaderRecord;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.record.ControlRecordType;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a snapshot file (KIP-630): batches as in a log, whose offsets count from 0.
 *
 * <pre>
 *   control batch   SnapshotHeader, with the timestamp of the last record that the snapshot stands for;
 *                   and where the voters are in the log (kraft.version 1): KRaftVersion, KRaftVoters
 *   batches         the image's records, 1024 to a batch
 *   control batch   SnapshotFooter
 * </pre>
 *
 * <p>Blocks: to be run beside the loop. Changes nothing but its file.
 */
final class SnapshotWriter {
    private static final int RECORDS_IN_BATCH = 1024;

    private final Disk disk;
    private final Path folder;
    private final long nowMs;

    /**
     * @param folder the folder of the metadata log
     * @param nowMs the timestamp of what is written
     */
    SnapshotWriter(Disk disk, Path folder, long nowMs) {
        this.disk = disk;
        this.folder = folder;
        this.nowMs = nowMs;
    }

    /**
     * The quorum as it stands at a snapshot's end.
     *
     * @param kraftVersion 0 where voters are given by configuration
     * @param voters the voters, null with kraft.version 0
     */
    record QuorumState(short kraftVersion, @Nullable VoterSet voters) {
        static final QuorumState BY_CONFIGURATION = new QuorumState((short) 0, null);
    }

    /**
     * Writes a snapshot of an image and makes it durable.
     *
     * @param lastTimestampMs the timestamp of the last record in the image
     * @return the size in bytes
     */
    long write(SnapshotId id, MetadataImage image, long lastTimestampMs, QuorumState quorum) throws IOException {
        short metadataVersion = image.featureLevel(ImageRecords.METADATA_VERSION);
        return write(
                id,
                ImageRecords.of(image),
                metadataVersion == 0 ? RecordFormat.NEWEST : metadataVersion,
                lastTimestampMs,
                quorum);
    }

    long write(SnapshotId id, List<ApiMessage> records, short metadataVersion, long lastTimestampMs, QuorumState quorum)
            throws IOException {
        Path part = SnapshotFiles.part(folder, id);
        disk.delete(part);
        long size;
        try (DiskFile file = disk.open(part)) {
            Target target = new Target(file, id.leaderEpoch());
            target.append(header(lastTimestampMs, quorum));
            for (int first = 0; first < records.size(); first += RECORDS_IN_BATCH) {
                RecordBatchBuilder batch = new RecordBatchBuilder();
                for (ApiMessage record : records.subList(first, Math.min(records.size(), first + RECORDS_IN_BATCH))) {
                    batch.add(nowMs, null, RecordFormat.write(record, metadataVersion));
                }
                target.append(batch);
            }
            target.append(new RecordBatchBuilder()
                    .control(ControlRecordType.SNAPSHOT_FOOTER, nowMs, value(new SnapshotFooterRecord())));
            size = target.position;
            file.force(true);
        }
        SnapshotFiles.finish(disk, folder, id);
        return size;
    }

    private RecordBatchBuilder header(long lastTimestampMs, QuorumState quorum) {
        RecordBatchBuilder batch = new RecordBatchBuilder()
                .control(
                        ControlRecordType.SNAPSHOT_HEADER,
                        nowMs,
                        value(new SnapshotHeaderRecord().setLastContainedLogTimestamp(lastTimestampMs)));
        VoterSet voters = quorum.voters();
        if (quorum.kraftVersion() > 0) {
            batch.control(ControlRecordType.KRAFT_VERSION, nowMs, VoterRecords.write(quorum.kraftVersion()));
        }
        if (voters != null) {
            batch.control(ControlRecordType.KRAFT_VOTERS, nowMs, VoterRecords.write(voters));
        }
        return batch;
    }

    private static byte[] value(ApiMessage message) {
        MessageWriter value = new MessageWriter();
        message.write(value, message.lowestSupportedVersion());
        return value.toByteArray();
    }

    /** The file, to which batch after batch is appended. */
    private static final class Target {
        private final DiskFile file;
        private final int leaderEpoch;
        private long position;
        private long nextOffset;

        Target(DiskFile file, int leaderEpoch) {
            this.file = file;
            this.leaderEpoch = leaderEpoch;
        }

        void append(RecordBatchBuilder batch) throws IOException {
            int records = batch.recordCount();
            ByteBuf bytes =
                    batch.baseOffset(nextOffset).leaderEpoch(leaderEpoch).build();
            nextOffset += records;
            int size = bytes.readableBytes();
            file.write(bytes.nioBuffer(), position);
            position += size;
        }
    }
}

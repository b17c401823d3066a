package io.tidemark.beside.logbench;

import io.netty.buffer.Unpooled;
import io.tidemark.beside.IdleLoop;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.disk.FaultyDisk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.disk.PowerLossDisk;
import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.LogSlice;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.log.TimestampedOffset;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Ours, on the file system itself or as it is in the fixture: on disks that can be hurt. */
class TidemarkLog implements LogContender {
    private static final TopicPartition PARTITION = new TopicPartition("measured", 0);
    private static final Uuid TOPIC_ID = new Uuid(1, 2);

    private final LogDirectory directory;
    private final PartitionLog log;

    private TidemarkLog(Disk disk, Path folder, long recoveryPoint, int segmentBytes) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve("recovery-point-offset-checkpoint"), "0\n1\nmeasured 0 " + recoveryPoint + "\n");
        directory = LogDirectory.open(disk, folder, new IdleLoop());
        LogConfig config = LogConfig.fromTopicConfigs(
                name -> name.equals("segment.bytes") ? Integer.toString(segmentBytes) : null);
        log = directory.openPartition(PARTITION, TOPIC_ID, config, System.currentTimeMillis());
    }

    static TidemarkLog open(Path folder, long recoveryPoint, int segmentBytes) throws IOException {
        return new TidemarkLog(new FileSystemDisk(), folder, recoveryPoint, segmentBytes);
    }

    /** On a disk that keeps account of what was never forced, and looks for a fault before each operation. */
    static LogContender openInFixture(Path folder, long recoveryPoint, int segmentBytes) throws IOException {
        PowerLossDisk power =
                new PowerLossDisk(new FileSystemDisk(), folder.resolveSibling(folder.getFileName() + ".aside"));
        Disk disk = new FaultyDisk(power, new DiskFaults());
        return new TidemarkLog(disk, folder, recoveryPoint, segmentBytes) {
            @Override
            public void close() throws IOException {
                super.close();
                power.settleNames();
            }
        };
    }

    @Override
    public void append(ByteBuffer batch) throws IOException {
        log.appendAsLeader(Unpooled.wrappedBuffer(batch), 0, AppendOrigin.CLIENT, System.currentTimeMillis());
    }

    @Override
    public long endOffset() {
        return log.logEndOffset();
    }

    @Override
    public int read(long offset, int maxBytes, @Nullable FileChannel target) throws IOException {
        LogSlice slice = log.read(offset, maxBytes, log.logEndOffset(), true);
        if (target != null) {
            long moved = 0;
            while (moved < slice.sizeInBytes()) {
                moved += slice.transferTo(target, moved, slice.sizeInBytes() - moved);
            }
        }
        return slice.sizeInBytes();
    }

    @Override
    public long offsetForTimestamp(long timestampMs) throws IOException {
        TimestampedOffset found = log.offsetForTimestamp(timestampMs);
        if (found == null) {
            throw new IllegalStateException("No record at or after " + timestampMs);
        }
        return found.offset();
    }

    @Override
    public void close() throws IOException {
        directory.abandon();
    }
}

package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a start reads of the disk, counted at the disk's door. The property {@code recovery.cost.mib} makes the log larger
 * than a quick test wants, for example 1024.
 *
 * <p>Of 1,078,777,175 bytes in 1,033 segments, 1,091,270,198 are read where nothing was flushed, 548,531,297 where half was,
 * 5,941,485 where all was, and 5,480,459 after a stop in good order; 5,279 of one segment of 1,000 MiB.
 */
class RecoveryCostTest {
    private static final int LOG_MIB = Integer.getInteger("recovery.cost.mib", 24);
    private static final int UNFLUSHED_MIB = LOG_MIB / 2;
    private static final int SEGMENT_BYTES = 1 << 20;

    /** A bit less than the default of {@code segment.bytes}. */
    private static final int LARGEST_SEGMENT_MIB = 1000;

    private static final int BATCH_BYTES = 16_000;

    /** The tail behind a trusted segment's last index entry, and where the replay of the producers begins to read. */
    private static final int PER_SEGMENT_BYTES = 16 * 1024;

    /** A header of each batch within the reach of that replay. */
    private static final int REPLAY_BYTES = 128 * 1024;

    @TempDir
    Path folder;

    private final ReadCounter reads = new ReadCounter();
    private final Disk disk = reads.of(new FileSystemDisk());
    private int sequence;

    @Test
    void aLogOfWhichNothingWasFlushedIsReadOnce() throws IOException {
        try (LogBench bench = bench()) {
            fill(bench, LOG_MIB);

            long bytesRead = readByACrash(bench);

            assertReadAbout(bytesRead, bench.log.sizeInBytes(), bench);
        }
    }

    @Test
    void ofALogThatIsFlushedInPartTheSegmentsFromTheRecoveryPointOnAreRead() throws IOException {
        try (LogBench bench = bench()) {
            fill(bench, LOG_MIB - UNFLUSHED_MIB);
            bench.log.flush();
            bench.directory.writeCheckpoints();
            long recoveryPoint = bench.log.recoveryPoint();
            fill(bench, UNFLUSHED_MIB);

            long bytesRead = readByACrash(bench);

            long above = bench.log.segments().from(recoveryPoint).stream()
                    .mapToLong(LogSegment::sizeInBytes)
                    .sum();
            assertThat(above).isBetween((long) UNFLUSHED_MIB << 20, (UNFLUSHED_MIB + UNFLUSHED_MIB / 100 + 2L) << 20);
            assertReadAbout(bytesRead, above, bench);
        }
    }

    @Test
    void ofALogThatIsFlushedToItsEndOnlyTheLastSegmentIsRead() throws IOException {
        try (LogBench bench = bench()) {
            fill(bench, LOG_MIB);
            bench.log.flush();
            bench.directory.writeCheckpoints();

            long bytesRead = readByACrash(bench);

            List<LogSegment> segments = List.copyOf(bench.log.segments().from(0));
            assertReadAbout(bytesRead, segments.get(segments.size() - 1).sizeInBytes(), bench);
        }
    }

    @Test
    void afterAStopInGoodOrderNextToNothingIsRead() throws IOException {
        try (LogBench bench = bench()) {
            fill(bench, LOG_MIB);
            bench.directory.close(5);
            reads.bytesRead = 0;

            bench.open();

            assertThat(bench.log.sizeInBytes()).isGreaterThan((LOG_MIB - 1L) << 20);
            assertReadAbout(reads.bytesRead, 0, bench);
        }
    }

    @Test
    void ofOneLargeSegmentOnlyTheTailIsReadAfterAStopInGoodOrder() throws IOException {
        try (LogBench bench = new LogBench(folder, disk)) {
            fill(bench, Math.min(LOG_MIB, LARGEST_SEGMENT_MIB));
            bench.directory.close(5);
            reads.bytesRead = 0;

            bench.open();

            assertThat(bench.log.segmentCount()).isOne();
            assertThat(reads.bytesRead).isLessThan(2 * PER_SEGMENT_BYTES);
        }
    }

    @Test
    void alsoALogWithoutIdempotentProducersIsNotReadAfterAStopInGoodOrder() throws IOException {
        try (LogBench bench = bench()) {
            for (int i = 0; i < (LOG_MIB << 20) / BATCH_BYTES; i++) {
                bench.log.appendAsLeader(
                        new RecordBatchBuilder()
                                .add(NOW, LogBench.bytes("key"), new byte[BATCH_BYTES])
                                .build(),
                        0,
                        AppendOrigin.CLIENT,
                        NOW);
            }
            bench.directory.close(5);
            reads.bytesRead = 0;

            bench.open();

            assertReadAbout(reads.bytesRead, 0, bench);
        }
    }

    private LogBench bench() throws IOException {
        return new LogBench(folder, disk, "segment.bytes", Integer.toString(SEGMENT_BYTES));
    }

    private void fill(LogBench bench, int mib) throws IOException {
        for (long bytes = 0; bytes < (long) mib << 20; bytes += BATCH_BYTES) {
            ByteBuf batch = new RecordBatchBuilder()
                    .producer(9, (short) 0, sequence++)
                    .add(NOW, LogBench.bytes("key"), new byte[BATCH_BYTES])
                    .build();
            bench.log.appendAsLeader(batch, 0, AppendOrigin.CLIENT, NOW);
        }
    }

    private long readByACrash(LogBench bench) throws IOException {
        long endOffset = bench.log.logEndOffset();
        bench.directory.abandon();
        reads.bytesRead = 0;
        bench.open();
        assertThat(bench.log.logEndOffset()).isEqualTo(endOffset);
        return reads.bytesRead;
    }

    private static void assertReadAbout(long bytesRead, long expected, LogBench bench) {
        assertThat(bytesRead)
                .isBetween(expected, expected + (long) PER_SEGMENT_BYTES * bench.log.segmentCount() + REPLAY_BYTES);
    }
}

package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.CompressionType;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lookups find in batches that are much larger than an index interval, and how little of the file they read. */
class SegmentSearchTest {
    private static final int RECORDS_EACH = 150;
    private static final int BATCHES = 200;

    @TempDir
    Path folder;

    private final ReadCounter reads = new ReadCounter();
    private LogBench bench;

    @BeforeEach
    void openAnewSoThatNothingIsRemembered() throws IOException {
        bench = new LogBench(folder, reads.of(new FileSystemDisk()));
        append(CompressionType.NONE, BATCHES);
        bench.restart();
        reads.bytesRead = 0;
    }

    private void append(CompressionType type, int batches) throws IOException {
        for (int i = 0; i < batches; i++) {
            RecordBatchBuilder builder = new RecordBatchBuilder().compression(type);
            long firstOffset = bench.log.logEndOffset();
            for (int record = 0; record < RECORDS_EACH; record++) {
                builder.add(NOW + firstOffset + record, LogBench.bytes("key"), new byte[100]);
            }
            bench.log.appendAsLeader(builder.build(), 0, AppendOrigin.CLIENT, NOW);
        }
    }

    @Test
    void anOffsetIsFoundByHeadersAlone() throws IOException {
        for (long offset = 0; offset < (long) BATCHES * RECORDS_EACH; offset += 97) {
            LogSlice slice = bench.log.read(offset, 1, Long.MAX_VALUE, true);
            assertThat(slice.endOffset(0)).isEqualTo(offset / RECORDS_EACH * RECORDS_EACH + RECORDS_EACH);
        }
        reads.bytesRead = 0;
        bench.log.read(100 * RECORDS_EACH + 75, 1, Long.MAX_VALUE, true);
        assertThat(reads.bytesRead).isEqualTo(2L * RecordBatch.HEADER_BYTES);
    }

    @Test
    void aTimestampOfABatchsFirstRecordIsFoundWithoutTheRest() throws IOException {
        assertThat(bench.log.offsetForTimestamp(NOW + 100 * RECORDS_EACH)).isEqualTo(found(100 * RECORDS_EACH));
        assertThat(reads.bytesRead).isLessThan(3000);
    }

    @Test
    void aTimestampIsFoundWhereverInABatchItIs() throws IOException {
        for (int record = 0; record < RECORDS_EACH; record++) {
            int offset = 100 * RECORDS_EACH + record;
            assertThat(bench.log.offsetForTimestamp(NOW + offset)).isEqualTo(found(offset));
        }
    }

    @Test
    void aTimestampIsFoundInACompressedBatch() throws IOException {
        append(CompressionType.GZIP, 3);
        bench.restart();

        for (int record = 0; record < RECORDS_EACH; record++) {
            int offset = (BATCHES + 1) * RECORDS_EACH + record;
            assertThat(bench.log.offsetForTimestamp(NOW + offset)).isEqualTo(found(offset));
        }
    }

    @Test
    void aBatchThatMustBeReadWholeIsHeldAgainstItsChecksum() throws IOException {
        int batchBytes = (int) (bench.log.sizeInBytes() / BATCHES);
        try (DiskFile file = bench.disk.open(bench.file("00000000000000000000.log"))) {
            file.write(ByteBuffer.wrap(new byte[] {1}), 101L * batchBytes - 10);
        }

        assertThatThrownBy(() -> bench.log.offsetForTimestamp(NOW + 101 * RECORDS_EACH - 1))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("does not fit its checksum");
        assertThat(bench.log.offsetForTimestamp(NOW + 102 * RECORDS_EACH - 1)).isEqualTo(found(102 * RECORDS_EACH - 1));
    }

    @Test
    void theFirstRecordsEndWhereTheNextIsNotWhole() {
        ByteBuf batch = LogBench.batch(NOW, "a", "b", "c");
        RecordBatch header = new RecordBatch(batch, 0);
        int each = (header.sizeInBytes() - RecordBatch.HEADER_BYTES) / 3;
        for (int bytes = RecordBatch.HEADER_BYTES; bytes <= header.sizeInBytes(); bytes++) {
            assertThat(header.firstRecords(bytes)).hasSize((bytes - RecordBatch.HEADER_BYTES) / each);
        }
    }

    private static TimestampedOffset found(long offset) {
        return new TimestampedOffset(offset, NOW + offset, 0);
    }
}

package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static io.tidemark.broker.log.LogBench.ORDERS;
import static io.tidemark.broker.log.LogBench.ORDERS_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own classes and ours on the same files. */
class KafkaFilesTest {
    private static final String FIRST_LOG = "00000000000000000000.log";

    @TempDir
    Path folder;

    @Test
    void anIdempotentBatchOfTwoSmallRecordsMakesAFileOf123Bytes() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.log.appendAsLeader(
                    new RecordBatchBuilder()
                            .producer(4001, (short) 0, 0)
                            .add(NOW, LogBench.bytes("order-1"), LogBench.bytes("{\"amt\":10,\"id\":1}"))
                            .add(NOW, LogBench.bytes("order-2"), LogBench.bytes("{\"amt\":20,\"id\":2}"))
                            .build(),
                    0,
                    AppendOrigin.CLIENT,
                    NOW);

            assertThat(Files.size(bench.file(FIRST_LOG))).isEqualTo(123);
        }
    }

    @Test
    void kafkaReadsOurSegment() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.log.assignEpochStart(4, 0);
            bench.log.appendAsLeader(LogBench.batch(NOW, "a", "b"), 4, AppendOrigin.CLIENT, NOW);
            bench.log.appendAsLeader(LogBench.batchOf(9, 1, 0, 3), 4, AppendOrigin.CLIENT, NOW);

            try (FileRecords records = FileRecords.open(bench.file(FIRST_LOG).toFile(), false)) {
                List<Long> lastOffsets = new ArrayList<>();
                for (FileChannelRecordBatch batch : records.batches()) {
                    batch.ensureValid();
                    assertThat(batch.partitionLeaderEpoch()).isEqualTo(4);
                    lastOffsets.add(batch.lastOffset());
                }
                assertThat(lastOffsets).containsExactly(1L, 4L);
                List<String> values = new ArrayList<>();
                for (Record record : records.records()) {
                    values.add(StandardCharsets.UTF_8.decode(record.value()).toString());
                }
                assertThat(values).containsExactly("a", "b", "value-0", "value-1", "value-2");
            }
        }
    }

    @Test
    void weReadKafkasSegment() throws IOException {
        Path partition = Files.createDirectory(folder.resolve(ORDERS.toString()));
        Files.writeString(partition.resolve("partition.metadata"), "version: 0\ntopic_id: " + ORDERS_ID);
        try (FileRecords records = FileRecords.open(partition.resolve(FIRST_LOG).toFile())) {
            for (int i = 0; i < 50; i++) {
                records.append(MemoryRecords.withIdempotentRecords(
                        i,
                        Compression.gzip().build(),
                        77,
                        (short) 2,
                        i,
                        6,
                        new SimpleRecord(NOW + i, null, ("value-" + i).getBytes(StandardCharsets.UTF_8))));
            }
            records.flush();
        }
        try (LogBench bench = LogBench.in(folder)) {
            assertThat(bench.log.logEndOffset()).isEqualTo(50);
            assertThat(bench.valuesFrom(47)).containsExactly("value-47", "value-48", "value-49");
            assertThat(bench.log.epochStarts()).containsEntry(6, 0L);
            assertThat(bench.log.offsetForTimestamp(NOW + 31)).isEqualTo(new TimestampedOffset(31, NOW + 31, 6));
            assertThat(bench.produce(77, 2, 50, 1).firstOffset()).isEqualTo(50);
        }
    }

    @Test
    void kafkaReadsASliceOfOurs() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.append("b");

            MemoryRecords records = MemoryRecords.readableRecords(
                    bench.log.read(1, 1000, 2, true).toByteBuf().nioBuffer());

            assertThat(records.records()).singleElement().satisfies(record -> assertThat(record.offset())
                    .isEqualTo(1));
        }
    }
}

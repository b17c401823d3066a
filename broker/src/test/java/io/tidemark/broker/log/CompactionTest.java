package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.log.cleaner.CleanerSettings;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactionTest {
    private static final String FIRST_LOG = "00000000000000000000.log";

    @TempDir
    Path folder;

    @Test
    void ofManyVersionsOfThreeKeysTheLastStaysAndTheActiveSegmentIsLeftAlone() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "segment.ms", "3000")) {
            putVersionsInThreeBursts(bench);
            assertThat(bench.segments()).containsExactly(0L, 90L, 180L);

            bench.clean();

            assertThat(bench.records().keySet()).containsExactly(177L, 178L, 179L, 180L, 181L, 182L);
            assertThat(bench.segments()).containsExactly(0L, 180L);
            assertThat(bench.log().cleanedTo()).isEqualTo(180);
            assertThat(Files.readString(folder.resolve("cleaner-offset-checkpoint")))
                    .isEqualTo("0\n1\norders 0 180\n");
        }
    }

    private static void putVersionsInThreeBursts(CompactionBench bench) throws IOException {
        for (int version = 0; version < 61; version++) {
            for (String key : List.of("a", "b", "c")) {
                bench.put(key, "version-" + version);
            }
            if (version == 29 || version == 59) {
                bench.nowMs += 4_000;
            }
        }
    }

    @Test
    void kafkaReadsACompactedSegment() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "delete.retention.ms", "5000")) {
            bench.append(new RecordBatchBuilder()
                    .producer(7, (short) 1, 0)
                    .add(bench.nowMs, LogBench.bytes("a"), LogBench.bytes("1"))
                    .add(bench.nowMs + 1, LogBench.bytes("gone"), null)
                    .add(bench.nowMs + 2, LogBench.bytes("a"), LogBench.bytes("2"))
                    .build());
            bench.append(new RecordBatchBuilder()
                    .producer(7, (short) 1, 3)
                    .add(bench.nowMs, LogBench.bytes("b"), LogBench.bytes("1"))
                    .build());
            bench.put("b", "2");
            bench.rollWithFiller();
            bench.clean();

            try (FileRecords records =
                    FileRecords.open(bench.logs.file(FIRST_LOG).toFile(), false)) {
                List<String> seen = new ArrayList<>();
                for (FileChannelRecordBatch batch : records.batches()) {
                    batch.ensureValid();
                    seen.add(batch.baseOffset() + " to " + batch.lastOffset() + ", sequences " + batch.baseSequence()
                            + " to " + batch.lastSequence() + ", horizon "
                            + (batch.deleteHorizonMs().orElse(LogBench.NOW) - LogBench.NOW));
                }
                assertThat(seen)
                        .containsExactly(
                                "0 to 2, sequences 0 to 2, horizon 5000",
                                "3 to 3, sequences 3 to 3, horizon 0",
                                "4 to 4, sequences -1 to -1, horizon 0");
                List<String> values = new ArrayList<>();
                for (Record record : records.records()) {
                    values.add(record.offset() + "@" + (record.timestamp() - LogBench.NOW) + ":"
                            + (record.hasValue() ? StandardCharsets.UTF_8.decode(record.value()) : "null"));
                }
                assertThat(values).containsExactly("1@1:null", "2@2:2", "4@0:2");
            }
        }
    }

    @Test
    void aTombstoneTakesItsKeyAlongAndGoesWhenReadersHaveHadTheirTime() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "delete.retention.ms", "60000")) {
            bench.put("a", "1");
            bench.put("a", null);
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.dataRecords()).isEqualTo(Map.of(1L, "a=null"));

            bench.nowMs += 59_999;
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.dataRecords()).isEqualTo(Map.of(1L, "a=null"));

            bench.nowMs += 1;
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.dataRecords()).isEmpty();
        }
    }

    @Test
    void nothingAboveTheHighWatermarkOrTheLastStableOffsetIsTouched() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            bench.put("a", "1");
            bench.put("a", "2");
            bench.rollWithFiller();
            bench.highWatermark = 1;
            bench.clean();
            assertThat(bench.dataRecords()).hasSize(2);

            bench.highWatermark = Long.MAX_VALUE;
            bench.putBy(9, true, "a", "open");
            bench.rollWithFiller();
            bench.put("a", "3");
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.dataRecords().values()).containsExactly("a=2", "a=open", "a=3");
        }
    }

    // KAFKA-8351, KAFKA-13727
    @Test
    void anAbortedTransactionOverSeveralSegmentsNeverLooksCommitted() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "internal.segment.bytes", "200")) {
            bench.put("a", "good");
            for (int i = 0; i < 8; i++) {
                bench.putBy(9, true, "a", "bad-" + i);
            }
            bench.endTransaction(9, false);
            bench.rollWithFiller();
            assertThat(bench.segments()).hasSizeGreaterThan(3);
            bench.clean();

            assertThat(bench.dataRecords().values()).containsExactly("a=good", "marker");
            assertThat(bench.batches())
                    .filteredOn(batch -> batch.producerId() == 9 && !batch.isControl())
                    .singleElement()
                    .satisfies(last -> assertThat(last.recordCount()).isZero())
                    .satisfies(last -> assertThat(last.lastSequence()).isEqualTo(7));
        }
    }

    @Test
    void abortedDataGoesEvenWhereItsMarkerIsNotCompactedYet() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            bench.put("a", "good");
            bench.putBy(9, true, "a", "bad");
            bench.log().roll(bench.nowMs);
            bench.putBy(9, true, "b", "bad");
            bench.endTransaction(9, false);
            bench.clean();

            assertThat(bench.dataRecords().values()).containsExactly("a=good", "b=bad", "marker");
        }
    }

    @Test
    void aMarkerStaysUntilItsDataIsGoneAndReadersHaveHadTheirTime() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "delete.retention.ms", "1000")) {
            bench.putBy(9, true, "a", "1");
            bench.endTransaction(9, true);
            bench.rollWithFiller();
            for (int i = 0; i < 3; i++) {
                bench.nowMs += 10_000;
                bench.rollWithFiller();
                bench.clean();
                assertThat(bench.dataRecords().values()).containsExactly("a=1", "marker");
            }

            // Its data is superseded, and no more the last of its producer.
            bench.putBy(9, true, "a", "2");
            bench.endTransaction(9, true);
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.dataRecords().values()).containsExactly("marker", "a=2", "marker");

            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.batches().get(0).isControl()).isTrue();
            assertThat(bench.batches().get(0).hasDeleteHorizon()).isTrue();
            assertThat(bench.dataRecords()).hasSize(3);

            bench.nowMs += 1_000;
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.dataRecords().values()).containsExactly("a=2", "marker");
        }
    }

    // crabka#528
    @Test
    void markersOfManyProducersAreNotTakenForRecordsOfOneKey() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            for (long producer = 1; producer <= 5; producer++) {
                bench.putBy(producer, true, "key-" + producer, "x");
                bench.endTransaction(producer, true);
            }
            bench.rollWithFiller();
            bench.clean();

            assertThat(bench.dataRecords().values())
                    .filteredOn("marker"::equals)
                    .hasSize(5);
            assertThat(bench.log().lastStableOffset(bench.log().logEndOffset()))
                    .isEqualTo(bench.log().logEndOffset());
        }
    }

    @Test
    void aReaderInsideAHoleGetsOnAlsoWhereTheHoleEndsASegment() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "internal.segment.bytes", "4000")) {
            for (int i = 0; i < 300; i++) {
                bench.put(i % 50 == 0 ? "stays-" + i : "a", "value");
            }
            bench.rollWithFiller();
            bench.clean();
            List<Long> left = new ArrayList<>(bench.records().keySet());
            assertThat(left).hasSize(8);

            for (long offset = 0; offset < bench.log().logEndOffset(); offset++) {
                LogSlice slice = bench.log().read(offset, 1, bench.log().logEndOffset(), true);
                long wanted = offset;
                long first =
                        left.stream().filter(at -> at >= wanted).findFirst().orElseThrow();
                assertThat(new RecordBatch(slice.toByteBuf(), 0).lastOffset())
                        .as("from %d", offset)
                        .isEqualTo(first);
                assertThat(bench.log().read(offset, 1000, first, true).isEmpty())
                        .isTrue();
            }
        }
    }

    @Test
    void aHoleNeverReachesTheLogsEnd() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            bench.putBy(9, true, "a", "bad");
            bench.endTransaction(9, false);
            bench.putBy(8, true, "a", "bad");
            bench.putBy(8, true, "b", "bad");
            bench.endTransaction(8, false);
            bench.log().roll(bench.nowMs);
            for (int i = 0; i < 3; i++) {
                bench.nowMs += 100_000_000;
                bench.log().cleanedTo(0);
                bench.clean();
            }

            List<RecordBatch> left = bench.batches();
            assertThat(left.get(left.size() - 1).nextOffset())
                    .isEqualTo(bench.log().logEndOffset());
        }
    }

    @Test
    void theSequenceOfAProducerOutlivesACutBackToWhereItsLastBatchIsCompactedAway() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            bench.putBy(7, false, "a", "1");
            bench.put("a", "2");
            bench.rollWithFiller();
            long cut = bench.log().logEndOffset();
            bench.log().roll(bench.nowMs);
            List<ActiveProducer> then = bench.log().activeProducers();
            bench.putBy(7, false, "b", "1");
            bench.clean();
            assertThat(bench.dataRecords()).as("what 7 wrote first").doesNotContainKey(0L);

            bench.log().truncateTo(cut);

            assertThat(bench.log().activeProducers()).isEqualTo(then).hasSize(1);
            assertThat(then.get(0).lastSequence()).isZero();
        }
    }

    @Test
    void whatIsKnownOfProducersOutlivesCompactionAndRestartAndCrash() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            for (int i = 0; i < 12; i++) {
                bench.putBy(5, false, "a", "by-5-" + i);
                bench.putBy(6, false, "a", "by-6-" + i);
            }
            bench.rollWithFiller();
            List<ActiveProducer> before = bench.log().activeProducers();
            bench.clean();
            assertThat(bench.dataRecords()).hasSize(1);
            assertThat(bench.log().activeProducers()).isEqualTo(before);

            for (int i = 0; i < 2; i++) {
                if (i == 0) {
                    bench.restart();
                } else {
                    bench.crash();
                }
                assertThat(bench.log().activeProducers()).isEqualTo(before);
                assertThat(bench.log().cleanedTo()).isEqualTo(24);
            }
            assertThat(bench.logs.produce(5, 0, 12, 1).duplicate()).isFalse();
            assertThat(bench.logs.produce(6, 0, 11, 1).duplicate()).isTrue();
        }
    }

    @Test
    void moreKeysThanFitIntoMemoryTakeMoreRuns() throws IOException {
        try (CompactionBench bench =
                CompactionBench.on(new FileSystemDisk(), folder, CompactionBench.settings(2_000, Double.MAX_VALUE))) {
            for (int version = 0; version < 2; version++) {
                for (int key = 0; key < 40; key++) {
                    bench.put("key-" + key, "version-" + version);
                }
            }
            bench.rollWithFiller();
            for (int i = 0; i < 10; i++) {
                bench.clean();
            }

            assertThat(bench.log().cleanedTo()).isEqualTo(80);
            assertThat(bench.dataRecords()).hasSize(40).containsEntry(79L, "key-39=version-1");
        }
    }

    @Test
    void aThrottledCleanerPausesBetweenItsPieces() throws IOException {
        try (CompactionBench bench =
                CompactionBench.on(new FileSystemDisk(), folder, CompactionBench.settings(1 << 20, 1_000))) {
            for (int i = 0; i < 20; i++) {
                bench.put("a", "value-" + i);
            }
            bench.rollWithFiller();
            bench.logs.loop.advance(CompactionBench.BACKOFF_MS);
            assertThat(bench.dataRecords()).as("while it pauses").hasSize(20);

            bench.logs.loop.advance(60_000);
            assertThat(bench.dataRecords()).hasSize(1);
        }
    }

    @Test
    void theCleanersSettingsAreThoseOfTheMoment() throws IOException {
        CleanerSettings none =
                new CleanerSettings(true, 0, CompactionBench.BACKOFF_MS, Long.MAX_VALUE, 1 << 20, Double.MAX_VALUE);
        try (CompactionBench bench = CompactionBench.on(new FileSystemDisk(), folder, none)) {
            bench.put("k", "1");
            bench.put("k", "2");
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.dataRecords()).hasSize(2);

            bench.settings = CompactionBench.settings(Long.MAX_VALUE, Double.MAX_VALUE);
            bench.clean();

            assertThat(bench.dataRecords()).containsExactly(Map.entry(1L, "k=2"));
        }
    }

    @Test
    void aLogThatIsCutWhileItIsCompactedKeepsNothingOfTheCompaction() throws IOException {
        try (CompactionBench bench =
                CompactionBench.on(new FileSystemDisk(), folder, CompactionBench.settings(1 << 20, 1_000))) {
            bench.put("a", "1");
            bench.put("a", "2");
            bench.rollWithFiller();
            bench.logs.loop.advance(CompactionBench.BACKOFF_MS);
            bench.log().truncateTo(1);
            bench.put("a", "other");
            bench.rollWithFiller();
            bench.logs.loop.advance(100);
            assertThat(bench.dataRecords().values()).containsExactly("a=1", "a=other");

            for (int i = 0; i < 20; i++) {
                bench.logs.loop.advance(CompactionBench.BACKOFF_MS);
            }
            assertThat(bench.dataRecords().values()).containsExactly("a=other");
        }
    }

    @Test
    void aDamagedBatchIsNotGivenARightChecksum() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            bench.put("a", "1");
            bench.put("a", "2");
            bench.rollWithFiller();
            byte[] bytes = Files.readAllBytes(bench.logs.file(FIRST_LOG));
            bytes[65] ^= 0x55;
            Files.write(bench.logs.file(FIRST_LOG), bytes);
            bench.clean();

            assertThat(Files.readAllBytes(bench.logs.file(FIRST_LOG))).isEqualTo(bytes);
            assertThat(bench.log().cleanedTo()).isEqualTo(PartitionLog.NEVER_CLEANED);
            assertThat(Files.list(bench.logs.file("")))
                    .noneMatch(path -> path.toString().endsWith(LogFiles.CLEANED));
        }
    }

    @Test
    void compactAndDeleteDoesBoth() throws IOException {
        try (CompactionBench bench = CompactionBench.in(
                folder, "cleanup.policy", "compact,delete", "retention.ms", "10000", "segment.ms", "1000")) {
            bench.put("a", "1");
            bench.put("a", "2");
            bench.nowMs += 5_000;
            bench.put("b", "1");
            bench.clean();
            assertThat(bench.dataRecords().values()).containsExactly("a=2", "b=1");

            bench.nowMs += 6_000;
            bench.log().applyRetention(bench.log().logEndOffset(), bench.nowMs);
            assertThat(bench.dataRecords().values()).containsExactly("b=1");
        }
    }

    @Test
    void aLogIsCompactedOnlyFromItsDirtyRatioOn() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder, "min.cleanable.dirty.ratio", "0.5")) {
            for (int i = 0; i < 10; i++) {
                bench.put("key-" + i, "1");
            }
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.log().cleanedTo()).isEqualTo(10);

            bench.put("key-0", "2");
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.log().cleanedTo()).isEqualTo(10);

            for (int i = 0; i < 10; i++) {
                bench.put("key-" + i, "3");
            }
            bench.rollWithFiller();
            bench.clean();
            assertThat(bench.log().cleanedTo()).isEqualTo(23);
        }
    }

    @Test
    void youngRecordsWaitForTheLeastLagAndOldOnesDoNotWaitForTheRatio() throws IOException {
        try (CompactionBench bench = CompactionBench.in(
                folder,
                "min.cleanable.dirty.ratio",
                "1",
                "min.compaction.lag.ms",
                "10000",
                "max.compaction.lag.ms",
                "20000")) {
            bench.put("a", "1");
            bench.put("a", "2");
            bench.rollWithFiller();
            bench.nowMs += 9_999;
            bench.clean();
            assertThat(bench.log().cleanedTo()).isEqualTo(PartitionLog.NEVER_CLEANED);

            bench.nowMs += 10_000;
            bench.clean();
            assertThat(bench.log().cleanedTo()).isEqualTo(PartitionLog.NEVER_CLEANED);

            bench.nowMs += 2;
            bench.clean();
            assertThat(bench.dataRecords().values()).containsExactly("a=2");
        }
    }

    @Test
    void aFetchByTimestampFindsTheRecordsThatAreLeft() throws IOException {
        try (CompactionBench bench = CompactionBench.in(folder)) {
            bench.putBy(3, false, "a", "1");
            bench.nowMs += 10;
            bench.put("b", "1");
            bench.nowMs += 10;
            bench.putBy(3, true, "c", "bad");
            bench.endTransaction(3, false);
            bench.rollWithFiller();
            bench.log().truncateTo(4);
            bench.log().roll(bench.nowMs);
            bench.clean();

            assertThat(bench.log().offsetForTimestamp(LogBench.NOW + 5))
                    .isEqualTo(new TimestampedOffset(1, LogBench.NOW + 10, 0));
            bench.crash();
            assertThat(bench.log().offsetForTimestamp(LogBench.NOW + 5))
                    .isEqualTo(new TimestampedOffset(1, LogBench.NOW + 10, 0));
        }
    }
}

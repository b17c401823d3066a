package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static io.tidemark.broker.log.LogBench.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.CompressionType;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.RecordBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {
    @TempDir
    Path folder;

    @Test
    void readsBackWhatWasAppended() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            AppendResult first = bench.append("a", "b", "c");
            AppendResult second = bench.append("d");

            assertThat(first.firstOffset()).isZero();
            assertThat(first.lastOffset()).isEqualTo(2);
            assertThat(second.firstOffset()).isEqualTo(3);
            assertThat(bench.log.logEndOffset()).isEqualTo(4);
            assertThat(bench.valuesFrom(0)).containsExactly("a", "b", "c", "d");
            assertThat(bench.valuesFrom(1)).containsExactly("b", "c", "d");
        }
    }

    @Test
    void everyOffsetOfALongLogIsFoundThroughTheIndex() throws IOException {
        try (LogBench bench = LogBench.in(folder, "index.interval.bytes", "300", "internal.segment.bytes", "5000")) {
            for (int i = 0; i < 400; i++) {
                bench.append("value-" + i);
            }
            assertThat(bench.log.segmentCount()).isGreaterThan(3);
            for (int i = 0; i < 400; i++) {
                LogSlice slice = bench.log.read(i, 1, 400, true);
                RecordBatch found = new RecordBatch(slice.toByteBuf(), 0);
                assertThat(found.baseOffset()).isEqualTo(i);
                assertThat(slice.sizeInBytes()).isEqualTo(found.sizeInBytes());
            }
            assertThat(bench.valuesFrom(0)).hasSize(400);
        }
    }

    @Test
    void nothingAtOrAboveTheBoundIsRead() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");
            bench.append("c", "d");
            int batch = bench.log.read(0, 1, 4, true).sizeInBytes();

            assertThat(bench.log.read(0, 10_000, 2, true).sizeInBytes()).isEqualTo(batch);
            assertThat(bench.log.read(0, 10_000, 3, true).sizeInBytes()).isEqualTo(batch);
            assertThat(bench.log.read(0, 10_000, 4, true).sizeInBytes()).isEqualTo(2 * batch);
            assertThat(bench.log.read(0, 10_000, 1, true).isEmpty()).isTrue();
            assertThat(bench.log.read(2, 10_000, 2, true).isEmpty()).isTrue();
            assertThat(bench.log.read(4, 10_000, 4, true).isEmpty()).isTrue();
        }
    }

    @Test
    void theFirstBatchComesWholeOrNotAtAll() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a".repeat(1000));
            bench.append("b");

            assertThat(bench.log.read(0, 10, 2, true).sizeInBytes()).isGreaterThan(1000);
            assertThat(bench.log.read(0, 10, 2, false).isEmpty()).isTrue();
        }
    }

    @Test
    void anOffsetOutsideOfTheLogIsRefusedWithItsBounds() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");

            assertThatThrownBy(() -> bench.log.read(2, 10, 2, true))
                    .isInstanceOf(OffsetOutOfRangeException.class)
                    .hasMessage("Offset 2 is not in the log of orders-0; expected 0 to 1");
        }
    }

    @Test
    void aSliceLeavesThroughAChannelInParts() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.append("b");
            LogSlice slice = bench.log.read(0, 10_000, 2, true);
            ByteArrayOutputStream out = new ByteArrayOutputStream();

            long sent = 0;
            while (sent < slice.sizeInBytes()) {
                sent += slice.transferTo(Channels.newChannel(out), sent, 7);
            }

            assertThat(Unpooled.wrappedBuffer(out.toByteArray())).isEqualTo(slice.toByteBuf());
        }
    }

    @Test
    void aSliceOfWhatWasCutOffOrClosedFails() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.append("b");
            LogSlice kept = bench.log.read(0, 1, 2, true);
            LogSlice cut = bench.log.read(0, 10_000, 2, true);
            bench.log.truncateTo(1);
            bench.append("other");

            assertThat(kept.toByteBuf().readableBytes()).isEqualTo(kept.sizeInBytes());
            assertThatThrownBy(cut::toByteBuf).isInstanceOf(IOException.class).hasMessageContaining("was cut");
            bench.log.truncateFullyAndStartAt(0);
            assertThatThrownBy(kept::toByteBuf).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> kept.transferTo(Channels.newChannel(new ByteArrayOutputStream()), 0, 1))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aFollowerEndsUpWithTheLeadersBytes(@TempDir Path other) throws IOException {
        try (LogBench leader = LogBench.in(folder);
                LogBench follower = LogBench.in(other)) {
            leader.log.assignEpochStart(3, 0);
            leader.log.appendAsLeader(batch(NOW, "a", "b"), 3, AppendOrigin.CLIENT, NOW);
            leader.log.assignEpochStart(5, 2);
            leader.log.appendAsLeader(batch(NOW, "c"), 5, AppendOrigin.CLIENT, NOW);

            ByteBuf all = leader.log.read(0, 10_000, 3, true).toByteBuf();
            AppendResult result = follower.log.appendAsFollower(all.slice(0, all.readableBytes() - 1), 5, NOW);

            assertThat(result.lastOffset()).isEqualTo(1);
            assertThat(follower.log
                            .appendAsFollower(
                                    leader.log.read(2, 10_000, 3, true).toByteBuf(), 5, NOW)
                            .lastOffset())
                    .isEqualTo(2);
            assertThat(Files.readAllBytes(follower.file("00000000000000000000.log")))
                    .isEqualTo(Files.readAllBytes(leader.file("00000000000000000000.log")));
            assertThat(follower.log.epochStarts()).containsEntry(3, 0L).containsEntry(5, 2L);
            assertThat(follower.log.endOffsetForEpoch(4)).isEqualTo(new EpochEndOffset(3, 2));
        }
    }

    @Test
    void aFollowerTakesNoDamagedAndNoEarlierBatch() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            ByteBuf damaged = batch(NOW, "abc");
            damaged.setByte(damaged.writerIndex() - 3, 'x');
            assertThatThrownBy(() -> bench.log.appendAsFollower(damaged, 0, NOW))
                    .isInstanceOf(CorruptBatchException.class)
                    .hasMessageContaining("damaged batch at offset 0");
            bench.append("a", "b");
            assertThatThrownBy(() -> bench.log.appendAsFollower(batch(NOW, "late"), 0, NOW))
                    .isInstanceOf(CorruptBatchException.class)
                    .hasMessageContaining("expected 2 or above");
            assertThat(bench.log.logEndOffset()).isEqualTo(2);
        }
    }

    @Test
    void aFollowerLeavesOutWhatComesFromALaterLeader() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            ByteBuf old = batch(NOW, "a");
            ByteBuf later = batch(NOW, "b");
            new RecordBatch(old, 0).stamp(0, 1);
            new RecordBatch(later, 0).stamp(1, 2);

            bench.log.appendAsFollower(Unpooled.wrappedBuffer(old, later), 1, NOW);

            assertThat(bench.log.logEndOffset()).isEqualTo(1);
        }
    }

    @Test
    void anEmptyFollowerMayStartInsideTheLeadersFirstBatch() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            ByteBuf straddling = batch(NOW, "a", "b", "c", "d");
            new RecordBatch(straddling, 0).stamp(10, 0);
            bench.log.truncateFullyAndStartAt(12);

            bench.log.appendAsFollower(straddling, 0, NOW);

            assertThat(bench.log.logStartOffset()).isEqualTo(12);
            assertThat(bench.log.logEndOffset()).isEqualTo(14);
            assertThat(bench.valuesFrom(12)).containsExactly("c", "d");
            bench.directory.writeCheckpoints();
            bench.crash();
            assertThat(bench.log.logStartOffset()).isEqualTo(12);
            assertThat(bench.valuesFrom(12)).containsExactly("c", "d");
        }
    }

    @Test
    void aTopicMayWantAnotherCompressionThanItsProducers() throws IOException {
        try (LogBench bench = LogBench.in(folder, "compression.type", "gzip")) {
            bench.produce(9, 0, 0, 3);
            bench.append("plain");

            RecordBatch stored = new RecordBatch(bench.log.read(0, 1, 4, true).toByteBuf(), 0);
            assertThat(stored.compressionType()).isEqualTo(CompressionType.GZIP);
            assertThat(stored.isValid()).isTrue();
            assertThat(stored.producerId()).isEqualTo(9);
            assertThat(bench.valuesFrom(0)).containsExactly("value-0", "value-1", "value-2", "plain");
            assertThat(bench.produce(9, 0, 0, 3).duplicate()).isTrue();
        }
    }

    @Test
    void truncationCutsAtABatchAndForgetsLaterEpochs() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "200", "index.interval.bytes", "0")) {
            for (int i = 0; i < 10; i++) {
                bench.log.assignEpochStart(i / 2, bench.log.logEndOffset());
                bench.log.appendAsLeader(batch(NOW + i, "v" + i), i / 2, AppendOrigin.CLIENT, NOW);
            }
            bench.log.flush();

            assertThat(bench.log.truncateTo(5)).isTrue();

            assertThat(bench.log.logEndOffset()).isEqualTo(5);
            assertThat(bench.log.recoveryPoint()).isEqualTo(5);
            assertThat(bench.log.latestEpoch()).isEqualTo(OptionalInt.of(2));
            assertThat(bench.valuesFrom(0)).containsExactly("v0", "v1", "v2", "v3", "v4");
            assertThat(bench.log.maxTimestampOffset()).isEqualTo(new TimestampedOffset(4, NOW + 4, 2));
            assertThat(bench.log.truncateTo(5)).isFalse();
            bench.append("again");
            assertThat(bench.valuesFrom(4)).containsExactly("v4", "again");
        }
    }

    @Test
    void truncationInsideABatchCutsTheWholeBatch() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");
            bench.append("c", "d", "e");

            bench.log.truncateTo(3);

            assertThat(bench.log.logEndOffset()).isEqualTo(2);
            assertThat(bench.valuesFrom(0)).containsExactly("a", "b");
        }
    }

    @Test
    void aFullTruncationStartsTheLogAnew() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");

            bench.log.truncateFullyAndStartAt(100);
            bench.append("c");

            assertThat(bench.log.logStartOffset()).isEqualTo(100);
            assertThat(bench.valuesFrom(100)).containsExactly("c");
            assertThat(bench.file("00000000000000000100.log")).exists();
            assertThat(bench.file("00000000000000000000.log")).doesNotExist();
        }
    }

    @Test
    void timestampsAreFoundAcrossSegments() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "300", "index.interval.bytes", "0")) {
            for (int i = 0; i < 20; i++) {
                bench.appendAt(NOW + i * 10L, "v" + i);
            }
            assertThat(bench.log.offsetForTimestamp(NOW + 95)).isEqualTo(new TimestampedOffset(10, NOW + 100, 0));
            assertThat(bench.log.offsetForTimestamp(NOW + 100)).isEqualTo(new TimestampedOffset(10, NOW + 100, 0));
            assertThat(bench.log.offsetForTimestamp(0)).isEqualTo(new TimestampedOffset(0, NOW, 0));
            assertThat(bench.log.offsetForTimestamp(NOW + 191)).isNull();
            bench.log.incrementLogStartOffset(15);
            assertThat(bench.log.offsetForTimestamp(0)).isEqualTo(new TimestampedOffset(15, NOW + 150, 0));
        }
    }

    @Test
    void theGreatestTimestampIsFoundWhereverItIs() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "300")) {
            for (int i = 0; i < 20; i++) {
                bench.appendAt(NOW + (i == 7 ? 1000 : i), "v" + i);
            }
            assertThat(bench.log.maxTimestampOffset()).isEqualTo(new TimestampedOffset(7, NOW + 1000, 0));
            bench.restart();
            assertThat(bench.log.maxTimestampOffset()).isEqualTo(new TimestampedOffset(7, NOW + 1000, 0));
        }
    }

    @Test
    void aSegmentRollsBeforeItGrowsTooLarge() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "250")) {
            for (int i = 0; i < 6; i++) {
                bench.append("value");
            }
            int batch = bench.log.read(0, 1, 1, true).sizeInBytes();
            assertThat(bench.log.segmentCount()).isEqualTo(2);
            assertThat(Files.size(bench.file("00000000000000000000.log"))).isEqualTo(3L * batch);
            assertThat(bench.file("00000000000000000003.log")).exists();
        }
    }

    @Test
    void aSegmentRollsWhenItsFirstBatchIsOld() throws IOException {
        try (LogBench bench = LogBench.in(folder, "segment.ms", "100")) {
            bench.appendAt(NOW - 1000, "a");
            bench.appendAt(NOW - 900, "b");
            assertThat(bench.log.segmentCount()).isEqualTo(1);
            bench.appendAt(NOW - 899, "c");
            assertThat(bench.log.segmentCount()).isEqualTo(2);
        }
    }

    @Test
    void aSegmentRollsWhenAnIndexIsFull() throws IOException {
        try (LogBench bench = LogBench.in(folder, "segment.index.bytes", "24", "index.interval.bytes", "0")) {
            for (int i = 0; i < 10; i++) {
                bench.appendAt(NOW + i, "v" + i);
            }
            assertThat(bench.log.segmentCount()).isGreaterThan(2);
            assertThat(bench.valuesFrom(0)).hasSize(10);
        }
    }

    @Test
    void aSegmentRollsWhereOffsetsWouldNotFitItsIndex() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            ByteBuf far = batch(NOW, "far");
            new RecordBatch(far, 0).stamp(3_000_000_000L, 0);

            bench.log.appendAsFollower(far, 0, NOW);

            assertThat(bench.log.segmentCount()).isEqualTo(2);
            assertThat(bench.log.logEndOffset()).isEqualTo(3_000_000_001L);
            assertThat(bench.valuesFrom(0)).containsExactly("a", "far");
            assertThat(bench.valuesFrom(17)).containsExactly("far");
        }
    }

    @Test
    void flushingMovesTheRecoveryPointOnlyAsFarAsItForced() throws Exception {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            Callable<Long> work = bench.log.flushWork();
            bench.append("b");

            bench.log.flushed(work.call());
            assertThat(bench.log.recoveryPoint()).isEqualTo(1);
            bench.log.flush();
            assertThat(bench.log.recoveryPoint()).isEqualTo(2);
        }
    }

    @Test
    void retentionRemovesWhatIsTooOldButNothingAboveTheHighWatermark() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "100", "retention.ms", "1000")) {
            for (int i = 0; i < 4; i++) {
                bench.appendAt(NOW - 5000, "old");
            }
            bench.appendAt(NOW, "new");

            assertThat(bench.log.applyRetention(2, NOW)).isEqualTo(2);
            assertThat(bench.log.logStartOffset()).isEqualTo(2);
            assertThat(bench.log.applyRetention(5, NOW)).isEqualTo(2);
            assertThat(bench.valuesFrom(4)).containsExactly("new");
            assertThat(bench.file("00000000000000000000.log.deleted")).exists();
            bench.loop.advance(60_000);
            assertThat(names(bench)).noneMatch(name -> name.endsWith(".deleted"));
        }
    }

    @Test
    void retentionBySizeKeepsAtLeastThatMuch() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "100", "retention.bytes", "250")) {
            for (int i = 0; i < 10; i++) {
                bench.append("value");
            }
            bench.log.applyRetention(10, NOW);

            assertThat(bench.log.sizeInBytes()).isBetween(250L, 350L);
        }
    }

    @Test
    void retentionOfTheWholeLogLeavesAnEmptyOneAtItsEnd() throws IOException {
        try (LogBench bench = LogBench.in(folder, "retention.ms", "1000")) {
            bench.appendAt(NOW - 5000, "old");

            bench.log.applyRetention(1, NOW);

            assertThat(bench.log.logStartOffset()).isEqualTo(1);
            assertThat(bench.log.logEndOffset()).isEqualTo(1);
            bench.append("new");
            assertThat(bench.valuesFrom(1)).containsExactly("new");
        }
    }

    @Test
    void aRemovedSegmentIsOutOfTheWayAtOnceAndGoneWhenItsReadersHaveHadTheirTime() throws IOException {
        try (LogBench bench = LogBench.in(
                folder, "internal.segment.bytes", "100", "retention.ms", "1000", "file.delete.delay.ms", "250")) {
            bench.appendAt(NOW - 5000, "old");
            bench.append("new");
            LogSlice reading = bench.log.read(0, 1000, 1, true);
            bench.log.applyRetention(2, NOW);

            bench.loop.advance(249);
            assertThat(names(bench))
                    .contains("00000000000000000000.log.deleted")
                    .doesNotContain("00000000000000000000.log");
            assertThat(reading.toByteBuf().readableBytes()).isPositive();

            bench.loop.advance(1);
            assertThat(names(bench)).noneMatch(name -> name.endsWith(".deleted"));
        }
    }

    @Test
    void aLogMayStartInsideABatchAlsoAfterACrash() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b", "c");
            bench.append("d");
            bench.log.incrementLogStartOffset(1);
            bench.directory.writeCheckpoints();
            bench.crash();

            assertThat(bench.log.logStartOffset()).isEqualTo(1);
            assertThat(bench.valuesFrom(1)).containsExactly("b", "c", "d");
            assertThat(bench.log.offsetForTimestamp(NOW)).isEqualTo(new TimestampedOffset(1, NOW, 0));
            assertThatThrownBy(() -> bench.log.read(0, 1000, 4, true)).isInstanceOf(OffsetOutOfRangeException.class);
        }
    }

    private static List<String> names(LogBench bench) throws IOException {
        List<String> names = new ArrayList<>();
        for (Path file : bench.disk.list(bench.log.directory())) {
            names.add(file.getFileName().toString());
        }
        return names;
    }
}

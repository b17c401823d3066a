package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static io.tidemark.broker.log.LogBench.batchOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordsRejectedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProducerStatesTest {
    private static final long DAY_MS = 86_400_000;

    @TempDir
    Path folder;

    private static void assertRejected(ErrorCode code, ThrowingCallable append) {
        assertThatThrownBy(append)
                .isInstanceOfSatisfying(RecordsRejectedException.class, rejected -> assertThat(rejected.errorCode())
                        .isEqualTo(code));
    }

    @Test
    void aRepeatOfAnyOfTheLastFiveBatchesAppendsNothingAndGetsItsFirstOffset() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            for (int i = 0; i < 6; i++) {
                bench.produce(9, 0, i * 2, 2);
            }
            for (int i = 1; i < 6; i++) {
                AppendResult repeat = bench.produce(9, 0, i * 2, 2);

                assertThat(repeat.duplicate()).isTrue();
                assertThat(repeat.firstOffset()).isEqualTo(i * 2L);
                assertThat(repeat.lastOffset()).isEqualTo(i * 2L + 1);
                assertThat(repeat.sizeInBytes()).isZero();
            }
            assertRejected(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> bench.produce(9, 0, 0, 2));
            assertThat(bench.log.logEndOffset()).isEqualTo(12);
        }
    }

    @Test
    void aGapInTheSequenceIsOutOfOrder() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 0, 0, 2);

            assertRejected(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> bench.produce(9, 0, 3, 1));
            assertRejected(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> bench.produce(9, 0, 1, 1));
        }
    }

    @Test
    void afterTheLargestSequenceComesZero() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 0, Integer.MAX_VALUE - 1, 2);

            assertThat(bench.produce(9, 0, 0, 1).duplicate()).isFalse();
        }
    }

    @Test
    void aBatchMayRunOverTheLargestSequence() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 0, Integer.MAX_VALUE, 3);

            assertThat(bench.produce(9, 0, Integer.MAX_VALUE, 3).duplicate()).isTrue();
            assertThat(bench.produce(9, 0, 2, 1).duplicate()).isFalse();
        }
    }

    @Test
    void aNewEpochStartsAtZeroAndEndsTheOldOne() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 0, 0, 2);

            assertRejected(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> bench.produce(9, 1, 2, 1));
            bench.produce(9, 1, 0, 1);
            assertRejected(ErrorCode.INVALID_PRODUCER_EPOCH, () -> bench.produce(9, 0, 2, 1));
        }
    }

    @Test
    void aProducerThatIsNotKnownMayBeginAnywhere() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            assertThat(bench.produce(9, 4, 1234, 1).firstOffset()).isZero();
        }
    }

    @Test
    void aSilentProducerIsForgottenAndMayThenBeginAnywhere() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 0, 0, 1);

            bench.log.expireProducers(NOW + DAY_MS, DAY_MS);
            assertThat(bench.log.producers().state(9)).isNotNull();
            bench.log.expireProducers(NOW + DAY_MS + 1, DAY_MS);
            assertThat(bench.log.producers().state(9)).isNull();
        }
    }

    @Test
    void theStateAfterAnyRestartIsTheOneBefore() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "500")) {
            for (int i = 0; i < 30; i++) {
                bench.produce(9, 0, i, 1);
                bench.produce(10 + i, 1, 0, 1);
            }
            openTransaction(bench, 100, 0);
            List<ProducerState> before = bench.log.producers().all();
            long stable = bench.log.lastStableOffset(bench.log.logEndOffset());

            bench.restart();
            assertThat(bench.log.producers().all()).isEqualTo(before);
            bench.crash();
            assertThat(bench.log.producers().all()).isEqualTo(before);
            assertThat(bench.log.lastStableOffset(bench.log.logEndOffset())).isEqualTo(stable);
            assertThat(bench.produce(9, 0, 26, 1).duplicate()).isTrue();
        }
    }

    @Test
    void aProducerOutlivesItsRecords() throws IOException {
        try (LogBench bench = LogBench.in(folder, "internal.segment.bytes", "200")) {
            bench.produce(9, 0, 0, 1);
            for (int i = 0; i < 9; i++) {
                bench.append("filler");
            }
            bench.log.incrementLogStartOffset(8);
            bench.log.applyRetention(10, NOW);
            bench.loop.advance(60_000);
            bench.restart();

            assertThat(bench.log.producers().state(9)).isNotNull();
            assertRejected(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> bench.produce(9, 0, 7, 1));
        }
    }

    @Test
    void truncationTakesTheStateBack() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 0, 0, 1);
            String then = bench.log.producers().all().toString();
            bench.produce(9, 0, 1, 1);
            bench.produce(9, 1, 0, 1);

            bench.log.truncateTo(1);

            assertThat(bench.log.producers().all()).hasToString(then);
            assertThat(bench.produce(9, 0, 1, 1).firstOffset()).isEqualTo(1);
        }
    }

    @Test
    void aDamagedSnapshotIsThrownAwayAndTheLogReadInstead() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 0, 0, 1);
            bench.directory.close(1);
            Files.write(bench.file("00000000000000000001.snapshot"), new byte[30]);
            bench.open();

            assertThat(bench.produce(9, 0, 0, 1).duplicate()).isTrue();
        }
    }

    @Test
    void aSnapshotReadsAsItWasWritten() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 3, 5, 4);
            openTransaction(bench, 12, 0);
            List<ProducerState> states = bench.log.producers().all();

            byte[] content = ProducerSnapshot.format(states);

            assertThat(content).hasSize(10 + 2 * 46);
            assertThat(ProducerSnapshot.parse(folder, content)).isEqualTo(states);
            content[20] ^= 1;
            assertThatThrownBy(() -> ProducerSnapshot.parse(folder, content)).hasMessageContaining("checksum");
        }
    }

    @Test
    void theLastStableOffsetStaysAtATransactionUntilItsMarkerIsCommitted() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("before");
            openTransaction(bench, 12, 0);
            bench.append("after");
            assertThat(bench.log.lastStableOffset(3)).isEqualTo(1);
            ByteBuf marker = RecordBatchBuilder.endTransactionMarker(NOW, 12, (short) 0, true, 1);
            bench.log.appendAsLeader(marker, 0, AppendOrigin.COORDINATOR, NOW);

            assertThat(bench.log.lastStableOffset(3)).isEqualTo(1);
            assertThat(bench.log.lastStableOffset(4)).isEqualTo(4);
        }
    }

    private static void openTransaction(LogBench bench, long producerId, int baseSequence) throws IOException {
        ByteBuf batch = new RecordBatchBuilder()
                .producer(producerId, (short) 0, baseSequence)
                .transactional()
                .add(NOW, null, LogBench.bytes("in transaction"))
                .build();
        bench.log.appendAsLeader(batch, 0, AppendOrigin.CLIENT, NOW);
    }

    @Test
    void aFollowerTakesWhateverItsLeaderTook() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.produce(9, 1, 0, 1);
            ByteBuf older = batchOf(9, 0, 40, 1);
            new RecordBatch(older, 0).stamp(1, 0);

            bench.log.appendAsFollower(older, 0, NOW);

            assertThat(bench.log.logEndOffset()).isEqualTo(2);
        }
    }
}

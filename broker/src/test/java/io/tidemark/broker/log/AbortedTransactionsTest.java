package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.log.index.AbortedTransaction;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transaction index, from appends to what a read-committed reader is told. */
class AbortedTransactionsTest {
    private static final long NOW = LogBench.NOW;
    private static final String INDEX = "00000000000000000000.txnindex";
    private static final int ENTRY_BYTES = 34;

    @TempDir
    Path path;

    @Test
    void writesAnEntryForEachAbortInKafkasFormat() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            write(bench, 12, 0);
            end(bench, 12, false);
            end(bench, 11, false);

            ByteBuffer index = ByteBuffer.wrap(Files.readAllBytes(bench.file(INDEX)));
            assertThat(index.remaining()).isEqualTo(2 * ENTRY_BYTES);
            // Of producer 12: from 1 to its marker at 2, stable up to producer 11's transaction.
            assertThat(index.getShort()).isZero();
            assertThat(List.of(index.getLong(), index.getLong(), index.getLong(), index.getLong()))
                    .containsExactly(12L, 1L, 2L, 0L);
            assertThat(index.getShort()).isZero();
            assertThat(List.of(index.getLong(), index.getLong(), index.getLong(), index.getLong()))
                    .containsExactly(11L, 0L, 3L, 4L);
        }
    }

    @Test
    void makesNoFileWhereNothingIsAborted() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            end(bench, 11, true);

            assertThat(bench.file(INDEX)).doesNotExist();
            bench.restart();
            assertThat(bench.file(INDEX)).doesNotExist();
            assertThat(told(bench, 0, 10)).isEmpty();
        }
    }

    @Test
    void tellsThoseThatOverlapTheBatchesReadAndNoOthers() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            end(bench, 11, false);
            bench.append("between");
            write(bench, 12, 0);
            end(bench, 12, false);

            assertThat(told(bench, 0, Integer.MAX_VALUE)).containsExactly(11L, 12L);
            assertThat(told(bench, 0, 1)).containsExactly(11L);
            assertThat(told(bench, 2, 1)).isEmpty();
            assertThat(told(bench, 2, Integer.MAX_VALUE)).containsExactly(12L);
        }
    }

    @Test
    void tellsOfATransactionWhoseMarkerLiesInALaterSegment() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            bench.log.roll(NOW);
            bench.append("between");
            bench.log.roll(NOW);
            end(bench, 11, false);

            assertThat(told(bench, 0, Integer.MAX_VALUE)).containsExactly(11L);
            assertThat(bench.file(INDEX)).doesNotExist();
            assertThat(bench.file("00000000000000000002.txnindex")).hasSize(ENTRY_BYTES);
        }
    }

    @Test
    void keepsTheIndexOverAnOrderlyStop() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            end(bench, 11, false);
            List<AbortedTransaction> before = aborted(bench, 0, Integer.MAX_VALUE);

            bench.restart();

            assertThat(aborted(bench, 0, Integer.MAX_VALUE)).isEqualTo(before);
            write(bench, 11, 1);
            end(bench, 11, false);
            assertThat(bench.file(INDEX)).hasSize(2 * ENTRY_BYTES);
            assertThat(told(bench, 0, Integer.MAX_VALUE)).containsExactly(11L, 11L);
        }
    }

    @Test
    void rebuildsTheIndexAfterACrashAlsoOfTransactionsThatBeganInOlderSegments() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            write(bench, 12, 0);
            bench.log.roll(NOW);
            end(bench, 12, false);
            bench.log.flush();
            bench.directory.writeCheckpoints();
            end(bench, 11, false);
            List<AbortedTransaction> before = aborted(bench, 0, Integer.MAX_VALUE);
            Path index = bench.file("00000000000000000002.txnindex");
            byte[] bytes = Files.readAllBytes(index);
            Files.write(index, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);

            bench.crash();

            assertThat(aborted(bench, 0, Integer.MAX_VALUE)).isEqualTo(before).hasSize(2);
            assertThat(index).hasBinaryContent(bytes);
        }
    }

    /** Of the names that a deletion has given away, a power loss may keep any: the segment is back, and lacks a file. */
    @Test
    void rebuildsTheIndexOfASegmentWhoseDeletionWasCutShort() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            end(bench, 11, false);
            bench.log.roll(NOW);
            bench.append("behind");
            bench.log.roll(NOW);
            bench.append("last");
            bench.log.flush();
            bench.directory.writeCheckpoints();
            byte[] bytes = Files.readAllBytes(bench.file(INDEX));
            Files.move(bench.file(INDEX), bench.file(INDEX + LogFiles.DELETED));

            bench.crash();

            assertThat(told(bench, 0, Integer.MAX_VALUE)).containsExactly(11L);
            assertThat(bench.file(INDEX)).hasBinaryContent(bytes);
            assertThat(bench.file(INDEX + LogFiles.DELETED)).doesNotExist();
        }
    }

    @Test
    void rebuildsAnIndexThatCannotBeRight() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            end(bench, 11, false);
            byte[] bytes = Files.readAllBytes(bench.file(INDEX));
            bench.directory.close(5);
            byte[] damaged = bytes.clone();
            damaged[1] = 9;
            Files.write(bench.file(INDEX), damaged);

            bench.open();

            assertThat(bench.file(INDEX)).hasBinaryContent(bytes);
            assertThat(told(bench, 0, Integer.MAX_VALUE)).containsExactly(11L);
        }
    }

    @Test
    void cutsTheIndexWithTheLog() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            end(bench, 11, false);
            write(bench, 12, 0);
            end(bench, 12, false);

            bench.log.truncateTo(3);
            assertThat(bench.file(INDEX)).hasSize(ENTRY_BYTES);
            assertThat(told(bench, 0, Integer.MAX_VALUE)).containsExactly(11L);
            assertThat(bench.log.lastStableOffset(3)).isEqualTo(2);

            bench.log.truncateTo(1);
            assertThat(bench.file(INDEX)).doesNotExist();
            assertThat(told(bench, 0, Integer.MAX_VALUE)).isEmpty();
        }
    }

    @Test
    void writesTheSameIndexOnAFollower() throws IOException {
        try (LogBench leader = LogBench.in(path.resolve("leader"));
                LogBench follower = LogBench.in(path.resolve("follower"))) {
            write(leader, 11, 0);
            write(leader, 12, 0);
            end(leader, 12, false);
            end(leader, 11, false);

            follower.log.appendAsFollower(
                    leader.log.read(0, Integer.MAX_VALUE, 4, true).toByteBuf(), 0, NOW);

            assertThat(follower.file(INDEX)).hasSameBinaryContentAs(leader.file(INDEX));
        }
    }

    @Test
    void theIndexGoesWithItsSegment() throws IOException {
        try (LogBench bench = LogBench.in(path)) {
            write(bench, 11, 0);
            end(bench, 11, false);
            bench.log.roll(NOW);
            bench.append("after");
            bench.log.incrementLogStartOffset(2);

            bench.log.applyRetention(3, NOW);

            assertThat(bench.file(INDEX)).doesNotExist();
            assertThat(told(bench, 2, Integer.MAX_VALUE)).isEmpty();
        }
    }

    private static List<AbortedTransaction> aborted(LogBench bench, long offset, int maxBytes) throws IOException {
        LogSlice slice = bench.log.read(offset, maxBytes, bench.log.logEndOffset(), true);
        return bench.log.abortedTransactions(offset, slice);
    }

    private static List<Long> told(LogBench bench, long offset, int maxBytes) throws IOException {
        return aborted(bench, offset, maxBytes).stream()
                .map(AbortedTransaction::producerId)
                .toList();
    }

    private static void write(LogBench bench, long producerId, int baseSequence) throws IOException {
        ByteBuf batch = new RecordBatchBuilder()
                .producer(producerId, (short) 0, baseSequence)
                .transactional()
                .add(NOW, null, LogBench.bytes("in transaction"))
                .build();
        bench.log.appendAsLeader(batch, 0, AppendOrigin.CLIENT, NOW);
    }

    private static void end(LogBench bench, long producerId, boolean commit) throws IOException {
        ByteBuf marker = RecordBatchBuilder.endTransactionMarker(NOW, producerId, (short) 0, commit, 1);
        bench.log.appendAsLeader(marker, 0, AppendOrigin.COORDINATOR, NOW);
    }
}

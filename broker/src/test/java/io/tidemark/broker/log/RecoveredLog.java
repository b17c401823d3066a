package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.log.index.AbortedTransaction;
import io.tidemark.broker.log.index.OffsetIndex;
import io.tidemark.broker.log.index.OffsetPosition;
import io.tidemark.broker.log.index.TimeIndex;
import io.tidemark.broker.log.index.TimestampOffset;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Looks at a log after its recovery, by its files and by what it answers. */
final class RecoveredLog {
    private static final Path ELSEWHERE = Path.of("/").toAbsolutePath();

    private final LogBench bench;
    private final PartitionLog log;
    private final LastStop lastStop;
    private final List<WrittenLog.Batch> batches = new ArrayList<>();
    private final Set<Long> starts = new HashSet<>();
    private final ProducerStates replayed = new ProducerStates(LogBench.ORDERS);

    /**
     * @param lastStop what the log was opened with
     */
    RecoveredLog(LogBench bench, LastStop lastStop) {
        this.bench = bench;
        this.log = bench.log;
        this.lastStop = lastStop;
    }

    /** What the next open of a log will be told. */
    static LastStop lastStop(LogBench bench) throws IOException {
        long recoveryPoint = new OffsetCheckpoint(bench.disk, bench.path.resolve("recovery-point-offset-checkpoint"))
                .read()
                .getOrDefault(LogBench.ORDERS, 0L);
        return new LastStop(
                CleanShutdownFile.read(bench.disk, bench.path).present(), recoveryPoint, 0, PartitionLog.NEVER_CLEANED);
    }

    /**
     * @param script what was done before
     * @param forgot whether files that were not forced may be gone or old
     */
    void check(CrashScript script, boolean forgot) throws IOException {
        assertThat(log.recoveryPoint()).as("recovery point").isLessThanOrEqualTo(log.logEndOffset());
        for (LogSegment segment : log.segments().byBaseOffset().values()) {
            checkSegment(segment);
        }
        List<WrittenLog.Batch> truth =
                script.written.truthOf(batches, log.logStartOffset(), log.logEndOffset(), script.segmentStarts());
        checkReads();
        checkEpochs();
        checkProducers(truth, script, forgot || script.written.beganAnew(batches, log.logStartOffset()));
        checkTransactions(truth, script.compacts, forgot);
        checkFiles();
    }

    List<WrittenLog.Batch> batches() {
        return batches;
    }

    private void checkSegment(LogSegment segment) throws IOException {
        ByteBuf bytes = new LogSlice(segment, 0, segment.sizeInBytes()).toByteBuf();
        if (segment.sizeInBytes() != bench.disk.size(segment.file().path())) {
            throw new AssertionError(segment + " has other bytes in its file");
        }
        LogSegment fresh = LogSegment.create(
                new SimulatedDisk(), ELSEWHERE, segment.baseOffset(), bench.config(), segment.createdMs());
        int position = 0;
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            if (!batch.isValid()) {
                throw new AssertionError("batch " + batch + " is not whole and right");
            }
            fresh.noteBatch(batch, position);
            position += batch.sizeInBytes();
            WrittenLog.Batch found = WrittenLog.Batch.of(batch);
            batches.add(found);
            starts.add(found.baseOffset());
            replayed.append(batch, batch.isControl() ? EndTransactionMarker.of(batch) : null);
        }
        assertThat(position).as("whole batches and nothing else").isEqualTo(segment.sizeInBytes());
        assertThat(segment.maxTimestamp()).as("max timestamp of %s", segment).isEqualTo(fresh.maxTimestamp());
        checkIndexes(segment, fresh);
    }

    /**
     * The indexes are, byte for byte, what they would be if they were made now. A time index that was believed may have
     * one entry more wherever the segment ended for a while.
     */
    private void checkIndexes(LogSegment segment, LogSegment fresh) throws IOException {
        boolean isClosed = segment != log.segments().active();
        List<TimestampOffset> open = entries(fresh.timeIndex());
        fresh.seal();
        List<TimestampOffset> closed = entries(fresh.timeIndex());
        assertThat(entries(segment.offsetIndex())).as("index of %s", segment).isEqualTo(entries(fresh.offsetIndex()));
        boolean isBelieved =
                lastStop.clean() || log.segments().endOf(segment, Long.MAX_VALUE) <= lastStop.recoveryPoint();
        if (isBelieved) {
            checkTimeEntries(segment);
        } else {
            assertThat(entries(segment.timeIndex()))
                    .as("time index of %s", segment)
                    .isEqualTo(isClosed ? closed : open);
        }
        if (isClosed) {
            assertThat(bench.disk.size(segment.offsetIndex().path()))
                    .as("length of the index of %s", segment)
                    .isEqualTo(segment.offsetIndex().sizeInBytes());
            assertThat(bench.disk.size(segment.timeIndex().path()))
                    .as("length of the time index of %s", segment)
                    .isEqualTo(segment.timeIndex().sizeInBytes());
        }
        fresh.release();
    }

    private static List<OffsetPosition> entries(OffsetIndex index) throws IOException {
        List<OffsetPosition> entries = new ArrayList<>();
        for (int i = 0; i < index.entries(); i++) {
            entries.add(index.entry(i));
        }
        return entries;
    }

    private static List<TimestampOffset> entries(TimeIndex index) throws IOException {
        List<TimestampOffset> entries = new ArrayList<>();
        for (int i = 0; i < index.entries(); i++) {
            entries.add(index.entry(i));
        }
        return entries;
    }

    private void checkTimeEntries(LogSegment segment) throws IOException {
        for (TimestampOffset entry : entries(segment.timeIndex())) {
            long greatest = RecordBatch.NO_TIMESTAMP;
            boolean found = false;
            for (RecordBatch batch : RecordBatches.of(new LogSlice(segment, 0, segment.sizeInBytes()).toByteBuf())) {
                if (batch.lastOffset() <= entry.offset() && batch.recordCount() > 0) {
                    greatest = Math.max(greatest, batch.maxTimestamp());
                    found |= batch.lastOffset() == entry.offset();
                }
            }
            assertThat(found).as("batch of %s of %s", entry, segment).isTrue();
            assertThat(entry.timestamp()).as("%s of %s", entry, segment).isEqualTo(greatest);
        }
    }

    /** Every offset can be read, and leads to the batch that lies in the file. */
    private void checkReads() throws IOException {
        for (WrittenLog.Batch batch : batches) {
            if (batch.baseOffset() >= log.logStartOffset()) {
                LogSlice slice = log.read(batch.nextOffset() - 1, 1, log.logEndOffset(), true);
                WrittenLog.Batch read = WrittenLog.Batch.of(new RecordBatch(slice.toByteBuf(), 0));
                assertThat(read).as("read at %d", batch.nextOffset() - 1).isEqualTo(batch);
            }
        }
    }

    private void checkEpochs() {
        long last = -1;
        for (long start : log.epochStarts().values()) {
            assertThat(start).as("epochs rise: %s", log.epochStarts()).isGreaterThan(last);
            last = start;
        }
        assertThat(last).as("epochs end with the log").isLessThanOrEqualTo(log.logEndOffset());
        for (WrittenLog.Batch batch : batches) {
            if (batch.baseOffset() >= log.logStartOffset()) {
                assertThat(log.epochForOffset(batch.baseOffset()))
                        .as("epoch at %d of %s", batch.baseOffset(), log.epochStarts())
                        .hasValue(batch.leaderEpoch());
            }
        }
    }

    /**
     * What is known of the producers is what a replay of everything that was written says; where a snapshot may be gone
     * that knew of what is no more, at least what a replay of the rest says. By a snapshot it may also be a later batch
     * that is lost.
     */
    private void checkProducers(List<WrittenLog.Batch> truth, CrashScript script, boolean forgot) {
        boolean whole = batches.isEmpty() || batches.get(0).baseOffset() == 0;
        if (whole && !script.compacts && log.logEndOffset() > 0 && !batches.isEmpty()) {
            assertThat(log.producers().all()).as("producers").isEqualTo(replayed.all());
        }
        for (ProducerState expected : (forgot ? replayed : replay(truth)).all()) {
            ProducerState state = log.producers().state(expected.producerId());
            assertThat(state).as("producer %d", expected.producerId()).isNotNull();
            // Forgotten is what only a snapshot knew: its last batch may be one that retention took.
            assertThat(lastOf(state).equals(lastOf(expected))
                            || (forgot && expected.lastBatch() == null)
                            || (state.lastOffset() > expected.lastOffset() && script.written.had(state)))
                    .as("%s is right, after a replay to %s", state, expected)
                    .isTrue();
            if (!forgot) {
                assertThat(state.openTransactionOffset() == ProducerState.NO_OFFSET)
                        .as("transaction of %s", state)
                        .isEqualTo(expected.openTransactionOffset() == ProducerState.NO_OFFSET);
            }
            if (!forgot && !script.compacts) {
                assertThat(state.coordinatorEpoch())
                        .as("coordinator of %s", state)
                        .isEqualTo(expected.coordinatorEpoch());
                assertThat(state.openTransactionOffset()).isEqualTo(expected.openTransactionOffset());
            }
        }
    }

    private static String lastOf(ProducerState state) {
        return "epoch " + state.epoch() + ", sequence " + state.lastSequence() + " at " + state.lastOffset();
    }

    private static ProducerStates replay(List<WrittenLog.Batch> batches) {
        ProducerStates states = new ProducerStates(LogBench.ORDERS);
        for (WrittenLog.Batch written : batches) {
            RecordBatch batch = written.decoded();
            states.append(batch, batch.isControl() ? EndTransactionMarker.of(batch) : null);
        }
        return states;
    }

    /** Readers of read-committed are told of every transaction that was aborted, and of no other. */
    private void checkTransactions(List<WrittenLog.Batch> truth, boolean compacts, boolean forgot) {
        WrittenTransactions expected = new WrittenTransactions(truth);
        List<AbortedTransaction> known = new ArrayList<>();
        for (LogSegment segment : log.segments().byBaseOffset().values()) {
            for (AbortedTransaction entry : segment.abortedTransactions()) {
                assertThat(entry.lastOffset())
                        .as("%s in the index of %s", entry, segment)
                        .isBetween(segment.baseOffset(), log.segments().endOf(segment, log.logEndOffset()) - 1);
                known.add(entry);
            }
        }
        if (compacts || (forgot && log.firstSegmentOffset() > 0)) {
            checkWhoIsCovered(expected, known);
        } else {
            assertThat(known)
                    .as("aborted transactions")
                    .isEqualTo(expected.aborted().stream()
                            .filter(aborted -> aborted.lastOffset() >= log.firstSegmentOffset())
                            .toList());
            long openSince = expected.openSince().stream().min(Long::compare).orElse(log.logEndOffset());
            assertThat(log.lastStableOffset(log.logEndOffset()))
                    .as("last stable offset")
                    .isEqualTo(Math.max(openSince, log.logStartOffset()));
        }
    }

    private void checkWhoIsCovered(WrittenTransactions expected, List<AbortedTransaction> known) {
        for (WrittenLog.Batch found : batches) {
            RecordBatch batch = found.decoded();
            if (batch.isTransactional() && !batch.isControl() && batch.recordCount() > 0) {
                assertThat(known.stream().anyMatch(entry -> WrittenTransactions.covers(entry, batch)))
                        .as("%s is known to be aborted, by %s", batch, known)
                        .isEqualTo(expected.isAborted(batch));
            }
        }
    }

    private void checkFiles() throws IOException {
        for (Path file : bench.disk.list(log.directory())) {
            assertThat(file.toString())
                    .doesNotEndWith(".deleted")
                    .doesNotEndWith(".swap")
                    .doesNotEndWith(".cleaned");
            assertThat(LogFiles.isA(file, LogFiles.PRODUCER_SNAPSHOT) && LogFiles.offsetOf(file) > log.logEndOffset())
                    .as("%s is beyond the log's end", file)
                    .isFalse();
        }
        List<Long> bases = bench.disk.list(log.directory()).stream()
                .filter(file -> LogFiles.isA(file, LogFiles.LOG))
                .map(LogFiles::offsetOf)
                .toList();
        assertThat(bases)
                .containsExactlyElementsOf(log.segments().byBaseOffset().keySet());
    }
}

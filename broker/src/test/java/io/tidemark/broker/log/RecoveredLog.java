package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.log.index.OffsetPosition;
import io.tidemark.broker.log.index.TimestampOffset;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks at a log after its recovery, by its files and by what it answers. */
final class RecoveredLog {
    private final LogBench bench;
    private final PartitionLog log;
    private final List<WrittenLog.Batch> batches = new ArrayList<>();
    private final ProducerStates replayed = new ProducerStates(LogBench.ORDERS);

    RecoveredLog(LogBench bench) {
        this.bench = bench;
        this.log = bench.log;
    }

    void check(WrittenLog written) throws IOException {
        assertThat(log.recoveryPoint()).as("recovery point").isLessThanOrEqualTo(log.logEndOffset());
        for (LogSegment segment : log.segments().byBaseOffset().values()) {
            checkSegment(segment);
        }
        assertThat(written.complaintAbout(batches, log.logStartOffset(), log.logEndOffset()))
                .isNull();
        checkReads();
        checkEpochs();
        checkProducers();
        checkFiles();
    }

    List<WrittenLog.Batch> batches() {
        return batches;
    }

    private void checkSegment(LogSegment segment) throws IOException {
        ByteBuf bytes = new LogSlice(segment, 0, segment.sizeInBytes()).toByteBuf();
        assertThat((long) segment.sizeInBytes())
                .as("length")
                .isEqualTo(bench.disk.size(segment.file().path()));
        List<RecordBatch> own = new ArrayList<>();
        List<Integer> positions = new ArrayList<>();
        int position = 0;
        long maxTimestamp = RecordBatch.NO_TIMESTAMP;
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            assertThat(batch.isValid()).as("batch %s is whole and right", batch).isTrue();
            own.add(batch);
            positions.add(position);
            position += batch.sizeInBytes();
            maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
            batches.add(WrittenLog.Batch.of(batch));
            replayed.append(batch, batch.isControl() ? EndTransactionMarker.of(batch) : null);
        }
        assertThat(position).as("whole batches and nothing else").isEqualTo(segment.sizeInBytes());
        assertThat(segment.maxTimestamp()).as("max timestamp of %s", segment).isEqualTo(maxTimestamp);
        checkOffsetIndex(segment, own, positions);
        checkTimeIndex(segment, own);
    }

    private static void checkOffsetIndex(LogSegment segment, List<RecordBatch> own, List<Integer> positions)
            throws IOException {
        for (int i = 0; i < segment.offsetIndex().entries(); i++) {
            OffsetPosition entry = segment.offsetIndex().entry(i);
            int batch = positions.indexOf(entry.position());
            assertThat(batch)
                    .as("batch of %s in the index of %s", entry, segment)
                    .isNotNegative();
            assertThat(entry.offset())
                    .as("entry %d of %s", i, segment)
                    .isEqualTo(own.get(batch).lastOffset());
        }
    }

    private static void checkTimeIndex(LogSegment segment, List<RecordBatch> own) throws IOException {
        for (int i = 0; i < segment.timeIndex().entries(); i++) {
            TimestampOffset entry = segment.timeIndex().entry(i);
            long greatest = RecordBatch.NO_TIMESTAMP;
            boolean found = false;
            for (RecordBatch batch : own) {
                if (batch.lastOffset() <= entry.offset()) {
                    greatest = Math.max(greatest, batch.maxTimestamp());
                    found |= batch.lastOffset() == entry.offset();
                }
            }
            assertThat(found).as("batch of time entry %s of %s", entry, segment).isTrue();
            assertThat(entry.timestamp()).as("time entry %d of %s", i, segment).isEqualTo(greatest);
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

    private void checkProducers() {
        boolean whole = batches.isEmpty() || batches.get(0).baseOffset() == 0;
        if (whole && log.logEndOffset() > 0 && !batches.isEmpty()) {
            assertThat(log.producers().all()).as("producers").isEqualTo(replayed.all());
        }
        for (ProducerState expected : replayed.all()) {
            ProducerState state = log.producers().state(expected.producerId());
            assertThat(state).as("producer %d", expected.producerId()).isNotNull();
            if (whole || expected.lastBatch() != null) {
                // Else its last batch may be one that retention took, known from a snapshot alone.
                assertThat(state.lastSequence()).isEqualTo(expected.lastSequence());
                assertThat(state.lastOffset()).isEqualTo(expected.lastOffset());
            }
            assertThat(state.epoch()).isEqualTo(expected.epoch());
            if (whole) {
                assertThat(state.coordinatorEpoch()).isEqualTo(expected.coordinatorEpoch());
                assertThat(state.openTransactionOffset()).isEqualTo(expected.openTransactionOffset());
            }
        }
    }

    private void checkFiles() throws IOException {
        for (Path file : bench.disk.list(log.directory())) {
            assertThat(file.toString())
                    .doesNotEndWith(".deleted")
                    .doesNotEndWith(".swap")
                    .doesNotEndWith(".cleaned");
        }
        List<Long> bases = bench.disk.list(log.directory()).stream()
                .filter(file -> LogFiles.isA(file, LogFiles.LOG))
                .map(LogFiles::offsetOf)
                .toList();
        assertThat(bases)
                .containsExactlyElementsOf(log.segments().byBaseOffset().keySet());
    }
}

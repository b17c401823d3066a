package io.tidemark.broker.log;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.util.Collection;
import java.util.TreeMap;

/**
 * Reads a segment that may be torn, all of it: cuts it before the first batch that is not whole and right by its
 * checksum, makes its indexes anew, and puts the leader epochs of its batches back.
 */
final class SegmentRecovery {
    private static final NodeLog LOG = NodeLog.of(SegmentRecovery.class);
    private static final int CHUNK_BYTES = 64 * 1024;

    private SegmentRecovery() {}

    /**
     * @return true where the segment was cut, so that what follows it can be no part of the log
     */
    static boolean recover(LogSegment segment, LeaderEpochs epochs) throws IOException {
        segment.resetIndexes();
        BatchScanner scanner = segment.scan(0, CHUNK_BYTES);
        while (scanner.next() && scanner.checkCrc()) {
            RecordBatch batch = scanner.header();
            segment.noteBatch(batch, scanner.position());
            epochs.noteFound(batch.partitionLeaderEpoch(), batch.baseOffset());
        }
        if (scanner.defect() == null) {
            return false;
        }
        LOG.info("Cutting a torn log at offset {}: {}", segment.nextOffset(), scanner.defect());
        segment.cutFileTo(scanner.position());
        return true;
    }

    /** Puts the epochs of a segment's batches back, by their headers alone. */
    static void noteEpochs(LogSegment segment, LeaderEpochs epochs) throws IOException {
        BatchScanner scanner = segment.scan(0, CHUNK_BYTES);
        while (scanner.next()) {
            epochs.noteFound(
                    scanner.header().partitionLeaderEpoch(), scanner.header().baseOffset());
        }
    }

    /**
     * Puts back the epochs of batches that lie before all that are known: the log was to start later, which the disk
     * forgot.
     */
    static void noteEarlierEpochs(Collection<LogSegment> segments, LeaderEpochs epochs) throws IOException {
        long end = epochs.knownFrom();
        TreeMap<Integer, Long> earlier = new TreeMap<>();
        for (LogSegment segment : segments) {
            BatchScanner scanner = segment.scan(0, CHUNK_BYTES);
            while (segment.baseOffset() < end
                    && scanner.next()
                    && scanner.header().baseOffset() < end) {
                earlier.putIfAbsent(
                        scanner.header().partitionLeaderEpoch(),
                        scanner.header().baseOffset());
            }
        }
        earlier.descendingMap().forEach(epochs::noteEarlier);
    }
}

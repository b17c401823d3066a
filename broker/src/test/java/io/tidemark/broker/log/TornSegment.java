package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The first segment that a crash has torn, found in the files before anybody repairs them. What lies in segments after
 * it is no part of the log any more, also where compaction may leave holes: nobody could tell what is missing.
 */
record TornSegment(long baseOffset) {
    private static final long NONE = Long.MAX_VALUE;

    static TornSegment in(LogBench bench, LastStop lastStop) throws IOException {
        Path folder = bench.file("");
        List<Path> files = bench.disk.isDirectory(folder) ? bench.disk.list(folder) : List.of();
        boolean isBeingSwapped = files.stream()
                .anyMatch(file -> LogFiles.isA(file, LogFiles.SWAP)
                        || LogFiles.isA(file, LogFiles.CLEANED)
                        || LogFiles.isA(file, LogFiles.DELETED));
        if (lastStop.clean() || isBeingSwapped) {
            return new TornSegment(NONE);
        }
        List<Path> segments = files.stream()
                .filter(file -> LogFiles.offsetOf(file) >= 0 && LogFiles.isA(file, LogFiles.LOG))
                .toList();
        for (int i = 0; i < segments.size(); i++) {
            boolean isForced =
                    i + 1 < segments.size() && LogFiles.offsetOf(segments.get(i + 1)) <= lastStop.recoveryPoint();
            if (!isForced && isTorn(bench.disk.readAll(segments.get(i)))) {
                return new TornSegment(LogFiles.offsetOf(segments.get(i)));
            }
        }
        return new TornSegment(NONE);
    }

    private static boolean isTorn(byte[] bytes) {
        int position = 0;
        while (bytes.length - position >= RecordBatch.HEADER_BYTES) {
            RecordBatch batch = new RecordBatch(Unpooled.wrappedBuffer(bytes), position);
            if (!batch.isValid()) {
                return true;
            }
            position += batch.sizeInBytes();
        }
        return position < bytes.length;
    }

    void check(PartitionLog log) {
        LogSegment last = log.segments().active();
        if (last.sizeInBytes() > 0) {
            assertThat(last.baseOffset()).as("last segment").isLessThanOrEqualTo(baseOffset);
        }
    }
}

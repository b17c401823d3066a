package io.tidemark;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads the records of a replica out of its segment files, whatever state the broker is in. */
final class ReplicaFiles {
    private static final String SEGMENT_SUFFIX = ".log";

    private ReplicaFiles() {}

    /**
     * Every record that lies in the segments, in order, markers left out. An append that is just being written counts when
     * the whole of it is there.
     *
     * @param folder the partition's folder
     */
    static List<ReplicaRecord> records(Path folder) {
        List<ReplicaRecord> records = new ArrayList<>();
        forEachBatch(folder, batch -> addRecords(batch, records));
        return records;
    }

    /** Every batch that lies in the segments, in order, markers too. */
    static void forEachBatch(Path folder, Consumer<RecordBatch> take) {
        for (Path segment : segments(folder)) {
            try {
                for (RecordBatch batch : RecordBatches.of(Unpooled.wrappedBuffer(Files.readAllBytes(segment)))) {
                    take.accept(batch);
                }
            } catch (NoSuchFileException e) {
                // Retention took it meanwhile.
            } catch (IOException | CorruptBatchException e) {
                throw new ClusterException("Cannot read the records of " + segment + ": " + e.getMessage(), e);
            }
        }
    }

    private static List<Path> segments(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SEGMENT_SUFFIX))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new ClusterException("Cannot list the segments in " + folder + ": " + e.getMessage(), e);
        }
    }

    private static void addRecords(RecordBatch batch, List<ReplicaRecord> records) {
        if (!batch.isControl()) {
            for (LogRecord record : batch.records()) {
                records.add(ReplicaRecord.of(batch, record));
            }
        }
    }
}

package io.tidemark;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads the records of a replica out of its segment files, whatever state the broker is in. */
final class ReplicaFiles {
    private static final String SEGMENT_SUFFIX = ".log";
    private static final Pattern FILE_OF_SEGMENT =
            Pattern.compile("(\\d{20})\\.(log|index|timeindex|txnindex|snapshot)");

    private ReplicaFiles() {}

    /**
     * Every record that lies in the segments, in order, markers left out. An append that is just being written counts when
     * the whole of it is there.
     *
     * @param folder the partition's folder
     */
    static List<ReplicaRecord> records(Path folder) {
        List<ReplicaRecord> records = new ArrayList<>();
        Map<Long, List<Integer>> undecided = new HashMap<>();
        forEachBatch(folder, batch -> {
            EndTransactionMarker marker = EndTransactionMarker.of(batch);
            if (marker != null) {
                TransactionFate fate = marker.commit() ? TransactionFate.COMMITTED : TransactionFate.ABORTED;
                List<Integer> decided = undecided.remove(batch.producerId());
                if (decided != null) {
                    decided.forEach(i -> records.set(i, records.get(i).withFate(fate)));
                }
                return;
            }
            int first = records.size();
            addRecords(batch, records);
            if (batch.isTransactional() && !batch.isControl()) {
                List<Integer> indexes = undecided.computeIfAbsent(batch.producerId(), id -> new ArrayList<>());
                IntStream.range(first, records.size()).forEach(indexes::add);
            }
        });
        return records;
    }

    /**
     * What a consumer in read_committed is given of what lies below the last stable offset: all but the records of
     * transactions that a marker has aborted.
     */
    static List<ReplicaRecord> readCommitted(Path folder, long lastStableOffset) {
        return records(folder).stream()
                .filter(record -> record.offset() < lastStableOffset)
                .filter(record -> record.fate() == TransactionFate.PLAIN || record.fate() == TransactionFate.COMMITTED)
                .toList();
    }

    /** Every batch that lies in the segments, in order, markers too. */
    static void forEachBatch(Path folder, Consumer<RecordBatch> take) {
        for (Path segment : segments(folder)) {
            forEachBatchOf(segment, take);
        }
    }

    private static void forEachBatchOf(Path segment, Consumer<RecordBatch> take) {
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

    /** The records of one segment, markers left out. */
    static List<ReplicaRecord> recordsOfSegment(Path folder, long baseOffset) {
        List<ReplicaRecord> records = new ArrayList<>();
        forEachBatchOf(folder.resolve(nameOf(baseOffset) + SEGMENT_SUFFIX), batch -> addRecords(batch, records));
        return records;
    }

    /** The sizes of the files of each segment by their names, by the segment's base offset. */
    static SortedMap<Long, SortedMap<String, Long>> segmentFiles(Path folder) {
        SortedMap<Long, SortedMap<String, Long>> all = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher name = FILE_OF_SEGMENT.matcher(String.valueOf(file.getFileName()));
                if (name.matches()) {
                    addSize(file, all.computeIfAbsent(Long.parseLong(name.group(1)), offset -> new TreeMap<>()));
                }
            }
        } catch (NoSuchFileException e) {
            return all;
        } catch (IOException | DirectoryIteratorException e) {
            throw new ClusterException("Cannot list the segments in " + folder + ": " + e.getMessage(), e);
        }
        // A snapshot of the producers may be named after the end of the log, where no segment is.
        all.values().removeIf(files -> files.keySet().stream().noneMatch(name -> name.endsWith(SEGMENT_SUFFIX)));
        return all;
    }

    private static void addSize(Path file, SortedMap<String, Long> sizes) throws IOException {
        try {
            sizes.put(String.valueOf(file.getFileName()), Files.size(file));
        } catch (NoSuchFileException e) {
            // Renamed or gone since it was listed.
        }
    }

    private static String nameOf(long baseOffset) {
        return String.format(Locale.ROOT, "%020d", baseOffset);
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

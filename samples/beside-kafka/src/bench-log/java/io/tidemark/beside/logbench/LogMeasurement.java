package io.tidemark.beside.logbench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * In a JVM of its own: measures one contender and prints the results. Arguments: the contender's name, what is to be
 * measured (a part of the name, or {@code all}), the folder with the records, and {@code wall} for the time that passes
 * or {@code cpu} for that of the measuring thread alone, which other work on the machine disturbs less.
 */
final class LogMeasurement {
    private static final int WARM_ROUNDS = 3;
    private static final int ROUNDS = 5;
    private static final long APPEND_BYTES = 128L << 20;
    private static final long SMALL_APPEND_BYTES = 32L << 20;
    private static final int OFFSET_LOOKUPS = 20_000;
    private static final int TIMESTAMP_LOOKUPS = 5_000;
    private static final int PART_SEGMENT_BYTES = 64 << 20;
    private static final int MAX_LOOKUP_BATCH_BYTES = 100_000;
    private static final String SEGMENT = "measured-0/00000000000000000000.log";

    private final LogContender.Opener contender;
    private final String selected;
    private final Path folder;
    private final LongSupplier nanoTime;
    private int folders;

    /** One round; what it returns is the time of one operation. */
    private interface Measured {
        double run() throws IOException;
    }

    private LogMeasurement(LogContender.Opener contender, String selected, Path folder, LongSupplier nanoTime) {
        this.contender = contender;
        this.selected = selected;
        this.folder = folder;
        this.nanoTime = nanoTime;
    }

    private static LongSupplier clock(String name) {
        return switch (name) {
            case "wall" -> System::nanoTime;
            case "cpu" -> ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime;
            default -> throw new IllegalArgumentException("Clock [" + name + "] is not known; expected wall or cpu");
        };
    }

    public static void main(String[] args) throws IOException {
        LogMeasurement measurement =
                new LogMeasurement(LogContender.named(args[0]), args[1], Path.of(args[2]), clock(args[3]));
        List<RecordsFile> files = LogBenchmark.files(Path.of(args[2]));
        for (RecordsFile file : files) {
            measurement.appends(file);
        }
        for (RecordsFile file : files) {
            measurement.reads(file);
            measurement.recovers(file);
        }
        measurement.recoversInPart(files.get(2));
        // Neither's background threads are to hold up the next measurement.
        System.exit(0);
    }

    private boolean isWanted(String name) {
        return selected.equals("all") || name.contains(selected);
    }

    private void measure(String name, String unit, double nanosPerUnit, Measured measured) throws IOException {
        for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
            double nanos = measured.run();
            if (round >= 0) {
                System.out.println(new Result(name, unit, nanos / nanosPerUnit).toLine());
            }
        }
    }

    private void appends(RecordsFile file) throws IOException {
        String name = "append, batches of " + file.batchBytes() + " bytes";
        if (!isWanted(name)) {
            return;
        }
        List<ByteBuffer> batches = file.firstBatches(file.recordsEach() == 1 ? SMALL_APPEND_BYTES : APPEND_BYTES);
        measure(name, "us a batch", 1e3, () -> {
            Path at = newFolder();
            try (LogContender log = contender.open(at)) {
                System.gc();
                long start = nanoTime.getAsLong();
                for (ByteBuffer batch : batches) {
                    // As a client sends it; the round before left another.
                    batch.putLong(0, 0);
                    log.append(batch.duplicate());
                }
                double nanos = nanoTime.getAsLong() - start;
                check(log.endOffset(), (long) batches.size() * file.recordsEach());
                return nanos / batches.size();
            } finally {
                delete(at);
            }
        });
    }

    private void reads(RecordsFile file) throws IOException {
        String in = " in batches of " + file.batchBytes() + " bytes";
        boolean looksUp = isWanted("lookup" + in) && file.batchBytes() <= MAX_LOOKUP_BATCH_BYTES;
        if (!isWanted("read" + in) && !looksUp) {
            return;
        }
        Path at = linked(file);
        try (LogContender log = contender.open(at);
                FileChannel nowhere = FileChannel.open(Path.of("/dev/null"), StandardOpenOption.WRITE)) {
            check(log.endOffset(), file.batchCount() * file.recordsEach());
            if (isWanted("read" + in)) {
                measure("read 1 MiB slices" + in, "us a slice", 1e3, () -> readAll(log, file, 1 << 20, nowhere));
                measure("read 32 KiB slices" + in, "us a slice", 1e3, () -> readAll(log, file, 32 << 10, nowhere));
            }
            if (looksUp) {
                measure("lookup by offset" + in, "us", 1e3, () -> lookUpOffsets(log));
                measure("lookup by timestamp" + in, "us", 1e3, () -> lookUpTimestamps(log, file));
            }
        } finally {
            delete(at);
        }
    }

    private double readAll(LogContender log, RecordsFile file, int sliceBytes, FileChannel target) throws IOException {
        int batchBytes = file.batchBytes();
        long end = log.endOffset();
        long slices = 0;
        long start = nanoTime.getAsLong();
        for (long offset = 0; offset < end; slices++) {
            int bytes = log.read(offset, sliceBytes, target);
            offset += (long) (bytes / batchBytes) * file.recordsEach();
        }
        return (nanoTime.getAsLong() - start) / (double) slices;
    }

    private double lookUpOffsets(LogContender log) throws IOException {
        Random random = new Random(5);
        long end = log.endOffset();
        long start = nanoTime.getAsLong();
        for (int i = 0; i < OFFSET_LOOKUPS; i++) {
            if (log.read(random.nextLong(end), 1, null) == 0) {
                throw new IllegalStateException("An offset was not found");
            }
        }
        return (nanoTime.getAsLong() - start) / (double) OFFSET_LOOKUPS;
    }

    private double lookUpTimestamps(LogContender log, RecordsFile file) throws IOException {
        Random random = new Random(6);
        long batches = file.batchCount();
        long start = nanoTime.getAsLong();
        for (int i = 0; i < TIMESTAMP_LOOKUPS; i++) {
            long batch = random.nextLong(batches);
            check(log.offsetForTimestamp(RecordsFile.timestampOf(batch)), batch * file.recordsEach());
        }
        return (nanoTime.getAsLong() - start) / (double) TIMESTAMP_LOOKUPS;
    }

    private void recovers(RecordsFile file) throws IOException {
        String name =
                "recovery of " + (Files.size(file.path()) >> 20) + " MiB in batches of " + file.batchBytes() + " bytes";
        if (!isWanted(name)) {
            return;
        }
        measure(name, "ms", 1e6, () -> {
            Path at = linked(file);
            try {
                System.gc();
                long start = nanoTime.getAsLong();
                try (LogContender log = contender.open(at)) {
                    double nanos = nanoTime.getAsLong() - start;
                    check(log.endOffset(), file.batchCount() * file.recordsEach());
                    return nanos;
                }
            } finally {
                delete(at);
            }
        });
    }

    /** The same log in segments, of which more and more is known to be durable. */
    private void recoversInPart(RecordsFile file) throws IOException {
        String name = "recovery of " + (Files.size(file.path()) >> 20) + " MiB in segments of 64 MiB, ";
        if (!isWanted(name)) {
            return;
        }
        Path at = newFolder();
        try {
            long end;
            try (LogContender log = contender.open(at, 0, PART_SEGMENT_BYTES)) {
                file.forEach(log::append);
                end = log.endOffset();
            }
            for (int percent : new int[] {0, 50, 90, 100}) {
                measure(name + percent + " % flushed", "ms", 1e6, () -> {
                    System.gc();
                    long start = nanoTime.getAsLong();
                    try (LogContender log = contender.open(at, end * percent / 100, PART_SEGMENT_BYTES)) {
                        double nanos = nanoTime.getAsLong() - start;
                        check(log.endOffset(), end);
                        return nanos;
                    }
                });
            }
        } finally {
            delete(at);
        }
    }

    private static void check(long offset, long expected) {
        if (offset != expected) {
            throw new IllegalStateException("Offset is " + offset + "; expected " + expected);
        }
    }

    private Path newFolder() {
        return folder.resolve("measured-" + ProcessHandle.current().pid() + "-" + folders++);
    }

    /** A folder that has the records as its only segment, and nothing beside it: all that is to be known must be read. */
    private Path linked(RecordsFile file) throws IOException {
        Path at = newFolder();
        Path segment = at.resolve(SEGMENT);
        Files.createDirectories(segment.getParent());
        Files.createLink(segment, file.path());
        return at;
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}

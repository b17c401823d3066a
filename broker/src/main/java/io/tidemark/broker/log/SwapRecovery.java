package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.journal.NodeLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Brings to an end what a stop left of deletions and compactions, before the segments are opened; the steps are those of
 * {@link LogCleaning}.
 *
 * <ul>
 *   <li>{@code .deleted} goes. Of a segment that is there beside it, the indexes are made anew: some of its own files may
 *       be among those.
 *   <li>{@code .cleaned} goes, and with it every {@code .swap} at or above the least offset of such a file: where one file
 *       of a segment is {@code .cleaned} still, the old segments are all there.
 *   <li>The segments that a {@code .swap} log covers go, and it takes their place.
 *   <li>An index that is {@code .swap} beside a log that is not goes, and so does the one that it was for: it is made anew.
 * </ul>
 */
final class SwapRecovery {
    private static final NodeLog LOG = NodeLog.of(SwapRecovery.class);
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final List<String> SEGMENT_FILES =
            List.of(LogFiles.LOG, LogFiles.OFFSET_INDEX, LogFiles.TIME_INDEX, LogFiles.TRANSACTION_INDEX);

    private final Disk disk;
    private final Path directory;

    private SwapRecovery(Disk disk, Path directory) {
        this.disk = disk;
        this.directory = directory;
    }

    static void finish(Disk disk, Path directory) throws IOException {
        SwapRecovery recovery = new SwapRecovery(disk, directory);
        recovery.distrustIndexesBesideDeletedFiles();
        for (Path swap : recovery.removeLeftovers()) {
            if (LogFiles.isA(swap, LogFiles.LOG + LogFiles.SWAP)) {
                recovery.finishSwap(swap);
            } else if (disk.exists(swap)) {
                disk.delete(swap);
                disk.delete(live(swap));
            }
        }
    }

    private void distrustIndexesBesideDeletedFiles() throws IOException {
        List<Path> files = disk.list(directory);
        Set<Path> distrusted = new TreeSet<>();
        for (Path file : files) {
            if (LogFiles.isA(file, LogFiles.DELETED) && LogFiles.offsetOf(file) >= 0) {
                distrusted.add(LogFiles.of(directory, LogFiles.offsetOf(file), LogFiles.OFFSET_INDEX));
            }
        }
        distrusted.retainAll(files);
        for (Path index : distrusted) {
            disk.delete(index);
        }
        if (!distrusted.isEmpty()) {
            disk.forceDirectory(directory);
        }
    }

    /** What is neither live nor to become so goes; returns the files of swaps, those of logs first. */
    private List<Path> removeLeftovers() throws IOException {
        long leastCleaned = Long.MAX_VALUE;
        List<Path> swaps = new ArrayList<>();
        List<Path> cleaned = new ArrayList<>();
        for (Path file : disk.list(directory)) {
            long offset = LogFiles.offsetOf(file);
            if (LogFiles.isA(file, LogFiles.CLEANED)) {
                leastCleaned = Math.min(leastCleaned, offset);
                cleaned.add(file);
            } else if (LogFiles.isA(file, LogFiles.DELETED)) {
                disk.delete(file);
            } else if (LogFiles.isA(file, LogFiles.SWAP)) {
                swaps.add(LogFiles.isA(file, LogFiles.LOG + LogFiles.SWAP) ? 0 : swaps.size(), file);
            }
        }
        boolean condemned = false;
        for (Path swap : new ArrayList<>(swaps)) {
            if (LogFiles.offsetOf(swap) >= leastCleaned) {
                disk.delete(swap);
                swaps.remove(swap);
                condemned = true;
            }
        }
        if (condemned) {
            // Without the others to tell, it would be taken for one to go on with.
            disk.forceDirectory(directory);
        }
        for (Path file : cleaned) {
            disk.delete(file);
        }
        return swaps;
    }

    private void finishSwap(Path swap) throws IOException {
        long baseOffset = LogFiles.offsetOf(swap);
        long endOffset = Math.max(baseOffset + 1, endOf(swap, baseOffset));
        LOG.info("Going on with the compaction of {} from offset {} to {}", directory, baseOffset, endOffset);
        // Who renamed it may have been killed before that was durable; what it takes the place of goes only then.
        disk.forceDirectory(directory);
        for (Path file : disk.list(directory)) {
            long offset = LogFiles.offsetOf(file);
            boolean isLive = SEGMENT_FILES.stream().anyMatch(suffix -> LogFiles.isA(file, suffix));
            if (isLive && offset >= baseOffset && offset < endOffset) {
                disk.delete(file);
            }
        }
        // Else a power loss could bring one of them back beside what is in its place.
        disk.forceDirectory(directory);
        for (String suffix : SEGMENT_FILES) {
            Path from = LogFiles.of(directory, baseOffset, suffix + LogFiles.SWAP);
            if (disk.exists(from)) {
                disk.rename(from, live(from));
            }
        }
        disk.forceDirectory(directory);
    }

    private long endOf(Path swap, long baseOffset) throws IOException {
        try (DiskFile file = disk.openReadOnly(swap)) {
            BatchScanner scanner = new BatchScanner(file, 0, (int) file.size(), baseOffset, CHUNK_BYTES);
            long end = baseOffset;
            while (scanner.next()) {
                end = scanner.header().nextOffset();
            }
            return end;
        }
    }

    private static Path live(Path swap) {
        String name = swap.getFileName().toString();
        return swap.resolveSibling(name.substring(0, name.length() - LogFiles.SWAP.length()));
    }
}

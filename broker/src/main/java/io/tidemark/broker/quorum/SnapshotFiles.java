package io.tidemark.broker.quorum;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.raft.SnapshotId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's names of the snapshots in the folder of the metadata log, by the offset at which a snapshot ends and the
 * leader epoch of the last record below it:
 *
 * <pre>
 *   00000000000000000181-0000000001.checkpoint            whole
 *   00000000000000000181-0000000001.checkpoint.part       being written, or left by a crash
 *   00000000000000000181-0000000001.checkpoint.deleted    to be deleted
 * </pre>
 *
 * <p>Crash policy: a file gets its name when all of it is durable, and the folder is forced before anybody builds on it.
 * Of the other two, what a crash leaves is deleted at the next start. Apache Kafka puts a random number into the name of
 * a part; those go as well.
 */
final class SnapshotFiles {
    /**
     * What a folder is formatted with is not a snapshot of the metadata, though it has the name and the form of one: the
     * records that a new cluster starts with (KIP-1170).
     */
    static final SnapshotId BOOTSTRAP = new SnapshotId(0, 0);

    private static final String SUFFIX = ".checkpoint";
    private static final String PART = ".part";
    private static final String DELETED = ".deleted";
    private static final Pattern NAME = Pattern.compile("(\\d{20})-(\\d{10})\\.checkpoint");

    private SnapshotFiles() {}

    static Path of(Path folder, SnapshotId id) {
        return folder.resolve(digits(20, id.endOffset()) + "-" + digits(10, id.leaderEpoch()) + SUFFIX);
    }

    static Path part(Path folder, SnapshotId id) {
        return withSuffix(of(folder, id), PART);
    }

    static Path deleted(Path folder, SnapshotId id) {
        return withSuffix(of(folder, id), DELETED);
    }

    private static Path withSuffix(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static String digits(int count, long number) {
        String digits = Long.toString(number);
        return "0".repeat(count - digits.length()) + digits;
    }

    /** What a file is a snapshot of; null where it is none. */
    static @Nullable SnapshotId idOf(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        if (!matcher.matches()) {
            return null;
        }
        try {
            return new SnapshotId(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The snapshots in a folder, the oldest first, without {@link #BOOTSTRAP}. */
    static List<SnapshotId> list(Disk disk, Path folder) throws IOException {
        List<SnapshotId> ids = new ArrayList<>();
        for (Path file : disk.list(folder)) {
            SnapshotId id = idOf(file);
            if (id != null && !id.equals(BOOTSTRAP)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Deletes what a life before was about to write or to delete. */
    static void deleteLeftovers(Disk disk, Path folder) throws IOException {
        for (Path file : disk.list(folder)) {
            String name = file.getFileName().toString();
            if (name.endsWith(SUFFIX + PART) || name.endsWith(SUFFIX + DELETED)) {
                disk.delete(file);
            }
        }
    }

    /** A part that is whole and forced gets its name, durably. */
    static void finish(Disk disk, Path folder, SnapshotId id) throws IOException {
        disk.rename(part(folder, id), of(folder, id));
        disk.forceDirectory(folder);
        // A broker's copy of the log is never forced, and so the folder's own name may not be durable either.
        disk.forceDirectory(folder.resolveSibling(""));
    }
}

package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.time.Loop;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is deleted, but not yet: files out of the way under another name, kept open a while for readers that have them,
 * then closed on the loop and deleted beside it. What a crash leaves of it is deleted at the next start.
 */
final class DelayedDeletions {
    private static final NodeLog LOG = NodeLog.of(DelayedDeletions.class);
    private static final String LANE = "log-deletion";

    private final Disk disk;
    private final Loop loop;
    private final DirectoryHealth health;
    private final Set<Deletion> pending = new LinkedHashSet<>();

    DelayedDeletions(Disk disk, Loop loop, DirectoryHealth health) {
        this.disk = disk;
        this.loop = loop;
        this.health = health;
    }

    /**
     * @param paths files, or folders with the files in them, in the order in which to delete them
     * @param open what to close before
     */
    void deleteLater(List<Path> paths, Closeable open, long delayMs) {
        Deletion deletion = new Deletion(List.copyOf(paths), open);
        pending.add(deletion);
        deletion.timer = loop.schedule(delayMs, () -> {
            pending.remove(deletion);
            deletion.close();
            loop.runBeside(LANE, () -> deletion.deleteFrom(disk), (done, failure) -> {
                if (failure instanceof IOException io) {
                    health.fail("delete " + deletion.paths, io);
                } else if (failure != null) {
                    LOG.warn("Left to the next start to delete: {}", deletion.paths, failure);
                }
            });
        });
    }

    /** At an orderly close: all of it now. */
    void deleteNow() throws IOException {
        for (Deletion deletion : new ArrayList<>(pending)) {
            deletion.cancelTimer();
            deletion.close();
            deletion.deleteFrom(disk);
        }
        pending.clear();
    }

    /** As a killed process: files are closed and stay where they are. */
    void abandon() {
        pending.forEach(Deletion::close);
        pending.clear();
    }

    /** A file, or a folder and the files in it. */
    static void deleteTree(Disk disk, Path path) throws IOException {
        if (disk.isDirectory(path)) {
            for (Path entry : disk.list(path)) {
                deleteTree(disk, entry);
            }
        }
        disk.delete(path);
    }

    private static final class Deletion {
        private final List<Path> paths;
        private final Closeable open;
        private Loop.@org.jspecify.annotations.Nullable Timer timer;

        Deletion(List<Path> paths, Closeable open) {
            this.paths = paths;
            this.open = open;
        }

        void cancelTimer() {
            Loop.Timer scheduled = timer;
            if (scheduled != null) {
                scheduled.cancel();
            }
        }

        void close() {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("Closing what is to be deleted failed: {}", paths, e);
            }
        }

        boolean deleteFrom(Disk disk) throws IOException {
            for (Path path : paths) {
                deleteTree(disk, path);
            }
            return true;
        }
    }
}

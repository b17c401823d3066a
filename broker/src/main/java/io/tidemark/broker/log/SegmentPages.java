package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.disk.PageCache;
import io.tidemark.broker.disk.PageResidency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reaches the page cache of a partition's segment files: the records, not their indexes, which a node has mapped and so
 * cannot let go of. Safe beside the loop: it opens the files anew, and leaves out what was deleted in the meantime.
 */
public final class SegmentPages {
    private final Disk disk;
    private final Path folder;

    /**
     * @param folder the partition's
     */
    public SegmentPages(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /**
     * What is in memory now, by the names of the files.
     *
     * @throws UnsupportedOperationException where the page cache cannot be controlled
     */
    public SortedMap<String, PageResidency> residency() throws IOException {
        SortedMap<String, PageResidency> byName = new TreeMap<>();
        forEach((pages, file) -> byName.put(file.path().getFileName().toString(), pages.residency(file)));
        return byName;
    }

    /** Forces every segment and has the system forget it. */
    public void drop() throws IOException {
        forEach(PageCache::drop);
    }

    /** Reads every segment through. */
    public void warm() throws IOException {
        forEach(PageCache::warm);
    }

    private void forEach(Visit visit) throws IOException {
        PageCache pages = disk.pageCache();
        for (Path path : disk.list(folder)) {
            if (LogFiles.isA(path, LogFiles.LOG)) {
                visit(path, pages, visit);
            }
        }
    }

    private void visit(Path path, PageCache pages, Visit visit) throws IOException {
        try (DiskFile file = disk.openReadOnly(path)) {
            visit.to(pages, file);
        } catch (IOException e) {
            if (disk.exists(path)) {
                throw e;
            }
        }
    }

    @FunctionalInterface
    private interface Visit {
        void to(PageCache pages, DiskFile file) throws IOException;
    }
}

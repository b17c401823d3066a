package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Makes a log durable up to the end that it had when this was made. Safe beside the loop: it only forces files, and
 * files may be forced from any thread. Fails where the log was deleted or closed in the meantime.
 */
final class FlushWork implements Callable<Long> {
    private final Disk disk;
    private final @Nullable Path folder;
    private final boolean folderName;
    private final List<LogSegment> segments;
    private final LogSegment active;
    private final long endOffset;

    /**
     * @param folder forced too, with the small files in it, where it is not null
     * @param folderName whether the folder's own name is forced too
     * @param segments what is not durable yet
     * @param active the one of them that is still written to; its indexes are not forced, since recovery rebuilds them
     */
    FlushWork(
            Disk disk,
            @Nullable Path folder,
            boolean folderName,
            List<LogSegment> segments,
            LogSegment active,
            long endOffset) {
        this.disk = disk;
        this.folder = folder;
        this.folderName = folderName;
        this.segments = segments;
        this.active = active;
        this.endOffset = endOffset;
    }

    @Override
    public Long call() throws IOException {
        for (LogSegment segment : segments) {
            segment.file().force(false);
            forceIfThere(segment.producerSnapshot());
            if (segment != active) {
                segment.forceIndexes();
            }
        }
        if (folder != null) {
            forceIfThere(folder.resolve(LogFiles.LEADER_EPOCHS));
            forceIfThere(folder.resolve(LogFiles.PARTITION_METADATA));
            disk.forceDirectory(folder);
            if (folderName) {
                disk.forceDirectory(folder.resolveSibling(""));
            }
        }
        return endOffset;
    }

    private void forceIfThere(Path file) throws IOException {
        if (!disk.exists(file)) {
            return;
        }
        try (DiskFile open = disk.openReadOnly(file)) {
            open.force(true);
        } catch (IOException e) {
            // Where it was deleted in the meantime, nobody needs it.
            if (disk.exists(file)) {
                throw e;
            }
        }
    }
}

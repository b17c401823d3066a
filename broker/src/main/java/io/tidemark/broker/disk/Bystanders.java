package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files of a {@link PowerLossDisk} that lost their name, and that a power loss may give it back: moved into a folder of
 * their own, or kept in memory. Guarded by their disk.
 */
final class Bystanders {
    private final Disk disk;
    private final Path folder;
    private final Map<TrackedFile, @Nullable Path> files = new IdentityHashMap<>();
    private long moved;

    Bystanders(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /** One that is kept in memory. */
    void add(TrackedFile file) {
        files.put(file, null);
    }

    /** Moves one away from its name. */
    void move(TrackedFile file, Path from) throws IOException {
        Path to = place();
        disk.rename(from, to);
        files.put(file, to);
    }

    /** A free place in the folder. */
    Path place() throws IOException {
        disk.createDirectories(folder);
        return folder.resolve(Long.toString(moved++));
    }

    /** Tells each where it lies. */
    void locate() {
        new HashMap<>(files).forEach(TrackedFile::liesAt);
    }

    /** Lets go of those that no power loss could bring back. */
    void forgetAllBut(FolderTree<TrackedFile> tree) throws IOException {
        if (files.isEmpty()) {
            return;
        }
        Set<DiskNode> reachable = tree.reachable();
        for (Map.Entry<TrackedFile, @Nullable Path> entry :
                Map.copyOf(nonNull()).entrySet()) {
            Path path = entry.getValue();
            if (!reachable.contains(entry.getKey()) && path != null) {
                disk.delete(path);
            }
        }
        files.keySet().removeIf(file -> !reachable.contains(file));
        if (nonNull().isEmpty()) {
            disk.delete(folder);
        }
    }

    private Map<TrackedFile, Path> nonNull() {
        Map<TrackedFile, Path> onDisk = new IdentityHashMap<>();
        files.forEach((file, path) -> {
            if (path != null) {
                onDisk.put(file, path);
            }
        });
        return onDisk;
    }

    /** After a power loss: whoever has his name back is no longer here, and the others are nowhere. */
    void clear() throws IOException {
        files.clear();
        for (Path left : disk.list(folder)) {
            disk.delete(left);
        }
        disk.delete(folder);
    }
}

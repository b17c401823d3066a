package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskNode.Folder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** One power loss of a {@link PowerLossDisk}: decides on the model what is left, and makes the real files so. */
final class PowerLoss {
    private final Disk disk;
    private final FolderTree<TrackedFile> tree;
    private final Set<Path> roots;
    private final Bystanders aside;

    PowerLoss(Disk disk, FolderTree<TrackedFile> tree, Set<Path> roots, Bystanders aside) {
        this.disk = disk;
        this.tree = tree;
        this.roots = roots;
        this.aside = aside;
    }

    void strike(RandomGenerator random, int blockBytes) throws IOException {
        filesByPath().forEach((path, file) -> file.liesAt(path));
        aside.locate();
        tree.losePower(random, blockBytes);
        Map<Path, TrackedFile> survivors = filesByPath();
        moveAside(survivors);
        for (Path root : roots) {
            sweep(root, survivors);
        }
        for (Path root : roots) {
            if (tree.find(root) instanceof Folder folder) {
                putBack(root, folder);
            }
        }
        aside.clear();
    }

    private Map<Path, TrackedFile> filesByPath() {
        Map<Path, TrackedFile> files = new LinkedHashMap<>();
        for (Path root : roots) {
            if (tree.find(root) instanceof Folder folder) {
                collect(root, folder, files);
            }
        }
        return files;
    }

    private static void collect(Path path, Folder folder, Map<Path, TrackedFile> files) {
        folder.live.forEach((name, node) -> {
            if (node instanceof Folder inner) {
                collect(path.resolve(name), inner, files);
            } else if (node instanceof TrackedFile file) {
                files.put(path.resolve(name), file);
            }
        });
    }

    /** Files that get another name make room first, as their names may go round in a circle. */
    private void moveAside(Map<Path, TrackedFile> survivors) throws IOException {
        for (Map.Entry<Path, TrackedFile> survivor : survivors.entrySet()) {
            TrackedFile file = survivor.getValue();
            Path where = file.where();
            boolean isInPlace = where != null && survivors.get(where) == file;
            if (!isInPlace && where != null && roots.stream().anyMatch(where::startsWith)) {
                file.putAt(aside.place());
            }
        }
    }

    /** Deletes what did not survive, or not under the name that it has. */
    private void sweep(Path directory, Map<Path, TrackedFile> survivors) throws IOException {
        for (Path entry : disk.list(directory)) {
            if (disk.isDirectory(entry)) {
                sweep(entry, survivors);
                if (!(tree.find(entry) instanceof Folder)) {
                    disk.delete(entry);
                }
            } else {
                TrackedFile file = survivors.get(entry);
                if (file == null || file.isSaved() || !entry.equals(file.where())) {
                    disk.delete(entry);
                }
            }
        }
    }

    private void putBack(Path path, Folder folder) throws IOException {
        disk.createDirectories(path);
        for (Map.Entry<String, DiskNode> entry : folder.live.entrySet()) {
            Path target = path.resolve(entry.getKey());
            if (entry.getValue() instanceof Folder inner) {
                putBack(target, inner);
            } else if (entry.getValue() instanceof TrackedFile file) {
                Path where = file.where();
                if (where != null && !file.isSaved() && roots.stream().anyMatch(where::startsWith)) {
                    if (!where.equals(target)) {
                        // Of a rename both names survived.
                        TrackedFile copy = copy(where, target);
                        folder.live.put(entry.getKey(), copy);
                        folder.durable.put(entry.getKey(), copy);
                    }
                } else {
                    file.putAt(target);
                }
            }
        }
    }

    private TrackedFile copy(Path from, Path to) throws IOException {
        byte[] bytes = disk.readAll(from);
        try (DiskFile open = disk.open(to)) {
            open.write(ByteBuffer.wrap(bytes), 0);
        }
        return new TrackedFile(disk, bytes.length);
    }
}

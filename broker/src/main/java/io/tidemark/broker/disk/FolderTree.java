package io.tidemark.broker.disk;

import io.tidemark.broker.disk.DiskNode.Content;
import io.tidemark.broker.disk.DiskNode.Folder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The names of a disk, from the root down, and which of them would outlast a power loss.
 *
 * @param <C> its files
 */
final class FolderTree<C extends Content> {
    private final Folder root = new Folder();
    private final List<FolderChange> unforced = new ArrayList<>();

    /** Reads the names off the path's text: its iterator would make a path of each, and this is asked at every touch. */
    @Nullable
    DiskNode find(Path path) {
        DiskNode node = root;
        String text = path.toString();
        String separator = path.getFileSystem().getSeparator();
        Path start = path.getRoot();
        int from = start == null ? 0 : start.toString().length();
        while (node != null && from < text.length()) {
            int found = text.indexOf(separator, from);
            int end = found < 0 ? text.length() : found;
            node = node instanceof Folder folder ? folder.live.get(text.substring(from, end)) : null;
            from = end + separator.length();
        }
        return node;
    }

    Folder folder(Path path) throws IOException {
        if (find(path) instanceof Folder folder) {
            return folder;
        }
        throw new IOException("there is no such file or folder");
    }

    @SuppressWarnings("unchecked") // there are no other files in it
    C content(Path path) throws IOException {
        if (find(path) instanceof Content content) {
            return (C) content;
        }
        throw new IOException(find(path) == null ? "there is no such file or folder" : "it is a folder");
    }

    private Folder parentOf(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("Path " + path + " has no folder; the disk takes absolute paths");
        }
        return folder(parent);
    }

    void link(Path path, DiskNode node) throws IOException {
        Folder parent = parentOf(path);
        String name = nameOf(path);
        parent.live.put(name, node);
        unforced.add(new FolderChange.Link(parent, name, node));
    }

    void unlink(Path path) throws IOException {
        DiskNode node = find(path);
        if (node == null) {
            return;
        }
        if (node instanceof Folder folder && !folder.live.isEmpty()) {
            throw new IOException("the folder is not empty");
        }
        Folder parent = parentOf(path);
        parent.live.remove(nameOf(path));
        unforced.add(new FolderChange.Unlink(parent, nameOf(path), node));
    }

    void move(Path from, Path to) throws IOException {
        DiskNode node = find(from);
        if (node == null) {
            throw new IOException("there is no such file or folder");
        }
        if (from.equals(to)) {
            return;
        }
        Folder source = parentOf(from);
        Folder target = parentOf(to);
        if (find(to) instanceof Folder folder && !folder.live.isEmpty()) {
            throw new IOException("the folder at the target is not empty");
        }
        source.live.remove(nameOf(from));
        target.live.put(nameOf(to), node);
        unforced.add(new FolderChange.Move(source, nameOf(from), target, nameOf(to), node));
    }

    void force(Folder folder) {
        for (FolderChange change : unforced) {
            if (change.touches(folder)) {
                change.makeDurable();
            }
        }
        unforced.removeIf(change -> change.touches(folder));
    }

    /** Makes every name durable. */
    void forceAll() {
        unforced.forEach(FolderChange::makeDurable);
        unforced.clear();
    }

    int unforcedCount() {
        return unforced.size();
    }

    /** Makes a folder that was always there, with those above it. */
    Folder plant(Path path) {
        Folder folder = root;
        for (Path name : path) {
            DiskNode known = folder.live.get(name.toString());
            Folder next = known instanceof Folder there ? there : new Folder();
            folder.live.put(name.toString(), next);
            folder.durable.put(name.toString(), next);
            folder = next;
        }
        return folder;
    }

    /** What has a name, or could have one after a power loss. */
    Set<DiskNode> reachable() {
        Set<DiskNode> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        reach(root, reached);
        unforced.forEach(change -> reach(change.node(), reached));
        return reached;
    }

    private static void reach(DiskNode node, Set<DiskNode> reached) {
        if (reached.add(node) && node instanceof Folder folder) {
            folder.live.values().forEach(inner -> reach(inner, reached));
            folder.durable.values().forEach(inner -> reach(inner, reached));
        }
    }

    /** Leaves the names that were forced, and of the other changes none, all, the first few, or any. */
    void losePower(RandomGenerator random, int blockBytes) {
        int fate = random.nextInt(4);
        int kept = random.nextInt(unforced.size() + 1);
        for (int i = 0; i < unforced.size(); i++) {
            boolean survives =
                    switch (fate) {
                        case 0 -> false;
                        case 1 -> true;
                        case 2 -> i < kept;
                        default -> random.nextBoolean();
                    };
            if (survives) {
                unforced.get(i).makeDurable();
            }
        }
        unforced.clear();
        losePower(root, random, blockBytes);
    }

    private static void losePower(Folder folder, RandomGenerator random, int blockBytes) {
        folder.live.clear();
        folder.live.putAll(folder.durable);
        for (DiskNode node : folder.live.values()) {
            if (node instanceof Folder inner) {
                losePower(inner, random, blockBytes);
            } else if (node instanceof Content content) {
                content.losePower(random, blockBytes);
            }
        }
    }

    void forEachContent(Consumer<C> action) {
        forEachContent(root, action);
    }

    @SuppressWarnings("unchecked") // there are no other files in it
    private void forEachContent(Folder folder, Consumer<C> action) {
        for (Map.Entry<String, DiskNode> entry : folder.live.entrySet()) {
            if (entry.getValue() instanceof Folder inner) {
                forEachContent(inner, action);
            } else if (entry.getValue() instanceof Content content) {
                action.accept((C) content);
            }
        }
    }

    private static String nameOf(Path path) {
        return path.getFileName().toString();
    }
}

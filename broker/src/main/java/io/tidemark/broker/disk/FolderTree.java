package io.tidemark.broker.disk;

import io.tidemark.broker.disk.SimulatedNode.Content;
import io.tidemark.broker.disk.SimulatedNode.Folder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The names of a simulated disk, from the root down, and which of them would outlast a power loss. */
final class FolderTree {
    private final Folder root = new Folder();
    private final List<FolderChange> unforced = new ArrayList<>();

    @Nullable
    SimulatedNode find(Path path) {
        SimulatedNode node = root;
        for (Path name : path) {
            node = node instanceof Folder folder ? folder.live.get(name.toString()) : null;
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    Folder folder(Path path) throws IOException {
        if (find(path) instanceof Folder folder) {
            return folder;
        }
        throw new IOException("there is no such file or folder");
    }

    Content content(Path path) throws IOException {
        if (find(path) instanceof Content content) {
            return content;
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

    void link(Path path, SimulatedNode node) throws IOException {
        Folder parent = parentOf(path);
        String name = nameOf(path);
        parent.live.put(name, node);
        unforced.add(new FolderChange.Link(parent, name, node));
    }

    void unlink(Path path) throws IOException {
        SimulatedNode node = find(path);
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
        SimulatedNode node = find(from);
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
        for (SimulatedNode node : folder.live.values()) {
            if (node instanceof Folder inner) {
                losePower(inner, random, blockBytes);
            } else if (node instanceof Content content) {
                content.bytes.losePower(random, blockBytes);
            }
        }
    }

    void forEachContent(Consumer<Content> action) {
        forEachContent(root, action);
    }

    private static void forEachContent(Folder folder, Consumer<Content> action) {
        for (Map.Entry<String, SimulatedNode> entry : folder.live.entrySet()) {
            if (entry.getValue() instanceof Folder inner) {
                forEachContent(inner, action);
            } else if (entry.getValue() instanceof Content content) {
                action.accept(content);
            }
        }
    }

    private static String nameOf(Path path) {
        return path.getFileName().toString();
    }
}

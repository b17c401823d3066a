package io.tidemark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** A folder with the data folders of a whole cluster, one for each node, from which a cluster can start. */
record ClusterFolder(Path root) {
    private static final String META = "meta.properties";

    /** As {@link #take}, with every node that runs paused meanwhile. */
    void takePaused(List<ClusterNode> nodes) {
        List<ClusterNode> paused = new ArrayList<>();
        try {
            for (ClusterNode node : nodes) {
                if (node.state() == NodeState.RUNNING) {
                    node.pause();
                    paused.add(node);
                }
            }
            take(nodes.stream().map(ClusterNode::logDirectory).toList());
        } finally {
            paused.forEach(ClusterNode::resume);
        }
    }

    /**
     * Copies the data folders of nodes that do nothing meanwhile. What vanishes under the copy was about to be deleted.
     *
     * @throws IllegalArgumentException if there is something in the folder already
     */
    void take(Collection<Path> nodeFolders) {
        try {
            Files.createDirectories(root);
            try (Stream<Path> inside = Files.list(root)) {
                if (inside.findAny().isPresent()) {
                    throw new IllegalArgumentException("Cannot save the cluster to [" + root
                            + "]: there is something in it; name an empty folder");
                }
            }
            for (Path folder : nodeFolders) {
                copy(folder, root.resolve(folder.getFileName()));
            }
        } catch (IOException e) {
            throw new ClusterException(
                    "Could not save the cluster to [" + root + "]: " + e + "; is it writable, and is there space?", e);
        }
    }

    /**
     * Copies the nodes' data folders to where a new cluster has its own.
     *
     * @param names the nodes' folders, none of which may be missing or left over
     */
    void give(Collection<String> names, ClusterFiles files) {
        List<String> present = nodeFolders();
        if (!present.equals(names.stream().sorted().toList())) {
            throw new IllegalArgumentException("Folder [" + root + "] has the data of the nodes " + present
                    + ", and the cluster asks for " + names.stream().sorted().toList()
                    + ": say brokers(), controllers() and combined() as they were");
        }
        try {
            for (String name : present) {
                copy(root.resolve(name), files.ofNode(name));
            }
        } catch (IOException e) {
            throw new ClusterException(
                    "Could not copy the cluster out of [" + root + "]: " + e + "; is there space for it?", e);
        }
    }

    /** The id of the cluster whose data it is. */
    String clusterId() {
        for (String name : nodeFolders()) {
            String id = meta(root.resolve(name)).getProperty("cluster.id");
            if (id != null) {
                return id;
            }
        }
        throw new IllegalArgumentException("Folder [" + root + "] has no node's data folder with a " + META
                + " in it: give what Cluster.saveTo() wrote, or the directory() of a cluster with keepFiles(true)");
    }

    /** The ids of the nodes of a kind, in order. */
    List<Integer> idsOf(String kind) {
        return nodeFolders().stream()
                .filter(name -> name.matches(kind + "[0-9]{1,9}"))
                .map(name -> Integer.valueOf(name.substring(kind.length())))
                .sorted()
                .toList();
    }

    /** What the folder of one node says of itself. */
    static Properties meta(Path nodeFolder) {
        Properties meta = new Properties();
        try (InputStream in = Files.newInputStream(nodeFolder.resolve(META))) {
            meta.load(in);
        } catch (IOException e) {
            throw new ClusterException("Could not read [" + nodeFolder.resolve(META) + "]: " + e, e);
        }
        return meta;
    }

    private List<String> nodeFolders() {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(root)) {
            return inside.filter(folder -> Files.exists(folder.resolve(META)))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ClusterException("Could not read the folder [" + root + "]: " + e, e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                try {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                } catch (NoSuchFileException e) {
                    // Deleted meanwhile.
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
    }
}

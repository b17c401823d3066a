package io.tidemark;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The folder of one cluster, with a folder in it for each node. */
record ClusterFiles(Path root) {
    /** Makes a fresh folder below the given one, or below {@code java.io.tmpdir} where none is given. */
    static ClusterFiles create(@Nullable Path parent) {
        try {
            if (parent == null) {
                return new ClusterFiles(Files.createTempDirectory("tidemark-"));
            }
            Files.createDirectories(parent);
            return new ClusterFiles(Files.createTempDirectory(parent, "tidemark-"));
        } catch (IOException e) {
            throw new ClusterException(
                    "Could not make a folder for the cluster under ["
                            + (parent == null ? System.getProperty("java.io.tmpdir") : parent)
                            + "]: " + e + "; is it writable, and is there space?",
                    e);
        }
    }

    Path ofNode(String name) {
        return root.resolve(name);
    }

    void delete() {
        delete(root);
    }

    /** A folder in it, or all of it; done where there is none. */
    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                        throws IOException {
                    if (failure != null) {
                        throw failure;
                    }
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new ClusterException(
                    "Could not delete the cluster's folder " + folder + ": " + e
                            + "; does something outside the cluster hold a file in it?",
                    e);
        }
    }
}

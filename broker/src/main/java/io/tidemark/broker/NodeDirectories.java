package io.tidemark.broker;

import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.MetaProperties;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The folders of one node: those of its partitions and that of its metadata log, which may be one of them. Each is
 * formatted for this node and one cluster before anything else is in it.
 */
final class NodeDirectories {
    private final BrokerConfig config;
    private final Map<Path, LogDirectory> directories = new LinkedHashMap<>();

    private NodeDirectories(BrokerConfig config) {
        this.config = config;
    }

    /**
     * Opens and locks every folder.
     *
     * @throws IOException if one cannot be had; those opened before it are let go of
     * @throws InvalidConfigException if one belongs to another node or cluster
     */
    static NodeDirectories open(BrokerConfig config, Disk disk, Loop loop) throws IOException {
        NodeDirectories opened = new NodeDirectories(config);
        Set<Path> paths = new LinkedHashSet<>(config.isBroker() ? config.logDirs() : List.of());
        paths.add(config.metadataLogDir());
        try {
            for (Path path : paths) {
                LogDirectory directory = LogDirectory.open(disk, path, loop);
                opened.directories.put(path, directory);
                opened.checkIdentity(directory);
            }
        } catch (IOException | RuntimeException e) {
            opened.abandon();
            throw e;
        }
        return opened;
    }

    private void checkIdentity(LogDirectory directory) {
        MetaProperties identity = directory.metaProperties();
        if (identity == null) {
            return;
        }
        if (identity.nodeId() != config.nodeId()) {
            throw new InvalidConfigException("Folder [" + directory.path() + "] belongs to node " + identity.nodeId()
                    + ", and this is node " + config.nodeId() + "; set node.id or log.dirs to what belongs together");
        }
        String expected = config.clusterId() != null ? config.clusterId() : clusterId();
        if (expected != null && !expected.equals(identity.clusterId())) {
            throw new InvalidConfigException(
                    "Folder [" + directory.path() + "] belongs to cluster [" + identity.clusterId()
                            + "]; expected cluster [" + expected + "]. Use another folder, or delete it");
        }
    }

    /** The cluster's id as configured or as found on the disk; null where neither is. */
    @Nullable
    String clusterId() {
        for (LogDirectory directory : directories.values()) {
            MetaProperties identity = directory.metaProperties();
            if (identity != null) {
                return identity.clusterId();
            }
        }
        return config.clusterId();
    }

    /** Makes every folder that is empty this node's. */
    void format(String clusterId, RandomGenerator random) throws IOException {
        for (LogDirectory directory : directories.values()) {
            if (directory.metaProperties() == null) {
                directory.format(new MetaProperties(clusterId, config.nodeId(), Uuid.random(random)));
            }
        }
    }

    /** The folders of the partitions, in the order of the configuration. */
    List<LogDirectory> logDirectories() {
        List<LogDirectory> ordered = new ArrayList<>();
        config.logDirs().forEach(path -> ordered.add(directory(path)));
        return ordered;
    }

    LogDirectory metadataDirectory() {
        return directory(config.metadataLogDir());
    }

    /** The id of a formatted folder. */
    static Uuid idOf(LogDirectory directory) {
        MetaProperties identity = directory.metaProperties();
        if (identity == null) {
            throw new IllegalStateException("Folder [" + directory.path() + "] is not formatted");
        }
        return identity.directoryId();
    }

    private LogDirectory directory(Path path) {
        LogDirectory directory = directories.get(path);
        if (directory == null) {
            throw new IllegalStateException("Folder [" + path + "] is not open");
        }
        return directory;
    }

    /** Closes every folder in good order; the first failure is thrown after all were tried. */
    void close(long brokerEpoch) throws IOException {
        IOException failure = null;
        for (LogDirectory directory : directories.values()) {
            try {
                directory.close(brokerEpoch);
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Lets go of every file as a killed process does. */
    void abandon() {
        directories.values().forEach(LogDirectory::abandon);
    }
}

package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Whose log directory this is: {@code meta.properties}, version 1, a Java properties file.
 *
 * <p>Crash policy: written once, forced a moment later. A power loss before that may leave it empty or torn: it then
 * counts as not there, and the folder is formatted once more.
 *
 * @param clusterId the cluster's id, as text
 * @param nodeId the node
 * @param directoryId the id of this folder (KIP-858)
 */
public record MetaProperties(String clusterId, int nodeId, Uuid directoryId) {
    private static final NodeLog LOG = NodeLog.of(MetaProperties.class);
    static final String FILE_NAME = "meta.properties";
    private static final String VERSION = "1";
    private static final String BEGINNING = "#\ncluster.id=";
    private static final String LAST = "\nversion=";

    static @Nullable MetaProperties read(Disk disk, Path file) throws IOException {
        if (!disk.exists(file)) {
            return null;
        }
        Properties properties = new Properties();
        String text = new String(disk.readAll(file), StandardCharsets.ISO_8859_1);
        if (isTorn(text)) {
            LOG.warn("File {} is torn, as a power loss leaves it; the folder is formatted once more", file);
            return null;
        }
        try {
            properties.load(new StringReader(text));
            String version = required(file, properties, "version");
            if (!version.equals(VERSION)) {
                throw new IOException("File " + file + " has version [" + version + "]; expected " + VERSION);
            }
            return new MetaProperties(
                    required(file, properties, "cluster.id"),
                    Integer.parseInt(required(file, properties, "node.id")),
                    Uuid.fromString(required(file, properties, "directory.id")));
        } catch (IllegalArgumentException e) {
            throw new IOException("File " + file + " is not what a node writes: " + e.getMessage(), e);
        }
    }

    /** Zeros in place of bytes, or missing ones at the end: what a node writes ends with its version. */
    private static boolean isTorn(String text) {
        boolean isOurs = text.startsWith(BEGINNING) || BEGINNING.startsWith(text);
        boolean isWhole = text.contains(LAST) && !text.endsWith(LAST);
        return text.indexOf('\0') >= 0 || (isOurs && !isWhole);
    }

    private static String required(Path file, Properties properties, String name) throws IOException {
        String value = properties.getProperty(name);
        if (value == null) {
            throw new IOException("File " + file + " has no " + name + "; is this another program's folder?");
        }
        return value.trim();
    }

    /** Writes the file, and leaves it to others to make it durable. */
    void write(Disk disk, Path file) throws IOException {
        String text = BEGINNING + clusterId + "\n" + "directory.id=" + directoryId + "\n" + "node.id=" + nodeId + LAST
                + VERSION + "\n";
        disk.rewrite(file, text.getBytes(StandardCharsets.ISO_8859_1));
    }
}

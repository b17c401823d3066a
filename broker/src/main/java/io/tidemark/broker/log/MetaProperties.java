package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
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
 * <p>Crash policy: replaced as a whole and forced; there is the old or the new one.
 *
 * @param clusterId the cluster's id, as text
 * @param nodeId the node
 * @param directoryId the id of this folder (KIP-858)
 */
public record MetaProperties(String clusterId, int nodeId, Uuid directoryId) {
    static final String FILE_NAME = "meta.properties";
    private static final String VERSION = "1";

    static @Nullable MetaProperties read(Disk disk, Path file) throws IOException {
        if (!disk.exists(file)) {
            return null;
        }
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(new String(disk.readAll(file), StandardCharsets.ISO_8859_1)));
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

    private static String required(Path file, Properties properties, String name) throws IOException {
        String value = properties.getProperty(name);
        if (value == null) {
            throw new IOException("File " + file + " has no " + name + "; is this another program's folder?");
        }
        return value.trim();
    }

    /** Writes the file, and leaves it to others to make it durable. */
    void write(Disk disk, Path file) throws IOException {
        String text = "#\n" + "cluster.id=" + clusterId + "\n" + "directory.id=" + directoryId + "\n" + "node.id="
                + nodeId + "\n" + "version=" + VERSION + "\n";
        disk.rewrite(file, text.getBytes(StandardCharsets.ISO_8859_1));
    }
}

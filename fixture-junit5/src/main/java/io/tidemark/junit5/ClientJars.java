package io.tidemark.junit5;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The folder that the build has filled with other versions of kafka-clients.
 *
 * @param folder as configured, or the default
 */
record ClientJars(Path folder) {
    static final String DIRECTORY = "tidemark.clients.directory";

    static ClientJars of(ExtensionContext context) {
        return new ClientJars(context.getConfigurationParameter(DIRECTORY)
                .map(Path::of)
                .orElseGet(() -> BuildFolder.find().orElse(Path.of("target")).resolve("kafka-clients")));
    }

    /**
     * The jar of a version.
     *
     * @param place who asks, for messages
     * @throws ExtensionConfigurationException if there is none, or it is something else
     */
    Path jarOf(ClientVersion version, String place) {
        Path jar = folder.resolve(version.jarName());
        if (!Files.isRegularFile(jar)) {
            throw new ExtensionConfigurationException(
                    place + ": clients() has [" + version + "], and there is no file ["
                            + version.jarName() + "] in the folder [" + folder.toAbsolutePath()
                            + "]; have the build copy org.apache.kafka:kafka-clients:" + version
                            + " there (Maven: the goal copy of its dependency plugin), or name the folder that has it with the"
                            + " configuration parameter " + DIRECTORY);
        }
        ClientVersion found = versionIn(jar, place);
        if (!found.equals(version)) {
            throw new ExtensionConfigurationException(place + ": clients() has [" + version + "], and the file ["
                    + jar.toAbsolutePath() + "] is kafka-clients [" + found + "]; put the right one there");
        }
        return jar;
    }

    private static ClientVersion versionIn(Path jar, String place) {
        try (JarFile file = new JarFile(jar.toFile())) {
            ZipEntry entry = file.getEntry(ClientVersion.RESOURCE);
            if (entry == null) {
                throw new IOException("it has no [" + ClientVersion.RESOURCE + "] in it");
            }
            try (InputStream in = file.getInputStream(entry)) {
                return ClientVersion.read(in);
            }
        } catch (IOException e) {
            throw new ExtensionConfigurationException(
                    place + ": the file [" + jar.toAbsolutePath() + "] is no jar of kafka-clients: " + e.getMessage()
                            + "; have the build copy it there anew",
                    e);
        }
    }
}

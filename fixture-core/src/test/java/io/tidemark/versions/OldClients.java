package io.tidemark.versions;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The clients of an older Kafka, out of a jar that the build lays down. Their classes, and that of the application that
 * uses them, come from here; all others are those of everybody.
 */
final class OldClients extends URLClassLoader {
    private static final Path JAR =
            Path.of(System.getProperty("tidemark.old.clients", "target/kafka-clients/kafka-clients-old.jar"));
    private static final String KAFKA = "org.apache.kafka.";
    private static final String APPLICATION = KafkaApplication.class.getName();

    OldClients() throws IOException {
        super("old-clients", urls(), OldClients.class.getClassLoader());
    }

    private static URL[] urls() throws IOException {
        if (!Files.exists(JAR)) {
            throw new IOException("There are no old clients at " + JAR.toAbsolutePath()
                    + "; the build lays them down: mvn -Pquick -pl fixture-core -am pre-integration-test -DskipTests");
        }
        return new URL[] {
            JAR.toUri().toURL(),
            KafkaApplication.class.getProtectionDomain().getCodeSource().getLocation()
        };
    }

    TransactionalApplication application(String bootstrapServers, String transactionalId) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // The clients ask it for the classes that their settings name.
        thread.setContextClassLoader(this);
        try {
            return (TransactionalApplication) loadClass(APPLICATION)
                    .getConstructor(String.class, String.class)
                    .newInstance(bootstrapServers, transactionalId);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(KAFKA) && !name.equals(APPLICATION)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : super.getResource(name);
    }
}

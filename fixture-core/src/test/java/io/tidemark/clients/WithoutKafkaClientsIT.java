package io.tidemark.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster needs no kafka-clients; only who asks for a client does, and is told so. */
class WithoutKafkaClientsIT {
    @Test
    void aClusterStartsAndTellsWhatItHolds() throws Exception {
        try (URLClassLoader loader = withoutKafkaClients()) {
            assertThat(run(loader)).isEqualTo("high watermark 0");
        }
    }

    @Test
    void askingForAClientNamesTheMissingJar() throws Exception {
        try (URLClassLoader loader = withoutKafkaClients()) {
            assertThat(askForClients(loader))
                    .isEqualTo("kafka-clients is not on the class path: add org.apache.kafka:kafka-clients, any version"
                            + " from 2.8 on");
        }
    }

    private static Object run(ClassLoader loader) throws Exception {
        return loader.loadClass(Program.class.getName())
                .getMethod("highWatermark")
                .invoke(null);
    }

    private static Object askForClients(ClassLoader loader) throws Exception {
        return loader.loadClass(Program.class.getName()).getMethod("clients").invoke(null);
    }

    private static URLClassLoader withoutKafkaClients() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.contains("kafka-clients")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    /** Runs in the other class loader. */
    public static final class Program {
        private Program() {}

        public static String highWatermark() {
            try (io.tidemark.Cluster cluster =
                    io.tidemark.Cluster.builder().topic("orders").start()) {
                return "high watermark " + cluster.partition("orders", 0).highWatermark();
            }
        }

        public static String clients() {
            try (io.tidemark.Cluster cluster = io.tidemark.Cluster.builder().start()) {
                cluster.clients();
                return "nothing was said";
            } catch (IllegalStateException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }
}

package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Cluster;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Date;
import java.util.Collections;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Whose classes it has, with a jar of another kafka-clients that is nearly empty. */
class ClientsLoaderTest {
    private static final ClientVersion VERSION = new ClientVersion("9.8.7");
    private static final ClassLoader CLASS_PATH = ClientsLoaderTest.class.getClassLoader();

    @TempDir
    private Path folder;

    private final Run run = new Run();
    private ClassLoader loader;

    @BeforeEach
    void makeJar() throws IOException {
        Path jar = folder.resolve(VERSION.jarName());
        String topicPartition = "org/apache/kafka/common/TopicPartition.class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(ClientVersion.RESOURCE));
            out.write("version=9.8.7\n".getBytes(StandardCharsets.ISO_8859_1));
            out.putNextEntry(new JarEntry(topicPartition));
            try (var in = CLASS_PATH.getResourceAsStream(topicPartition)) {
                in.transferTo(out);
            }
        }
        loader = run.classPathWith(VERSION, jar, CLASS_PATH);
    }

    @AfterEach
    void close() {
        run.close();
    }

    @Test
    void classesOfTheClientsComeFromTheirJarAlone() throws Exception {
        Class<?> there = loader.loadClass("org.apache.kafka.common.TopicPartition");

        assertThat(there.getClassLoader()).isSameAs(loader);
        assertThat(there.getProtectionDomain().getCodeSource().getLocation().toString())
                .endsWith("/kafka-clients-9.8.7.jar");
        assertThatThrownBy(() -> loader.loadClass("org.apache.kafka.common.Uuid"))
                .isInstanceOf(ClassNotFoundException.class)
                .hasMessageContaining("org.apache.kafka.common.Uuid is not in kafka-clients 9.8.7");
    }

    @Test
    void whatMayLinkToThemIsThereAnewFromWhereTheClassPathHasIt() throws Exception {
        for (Class<?> here : new Class<?>[] {ClientsLoaderTest.class, KafkaCluster.class, Cluster.class}) {
            Class<?> there = loader.loadClass(here.getName());
            assertThat(there).isNotSameAs(here);
            assertThat(there.getClassLoader()).isSameAs(loader);
            assertThat(there.getProtectionDomain().getCodeSource().getLocation())
                    .hasToString(here.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toString());
        }
    }

    @Test
    void whatThereHasToBeOnlyOneOfIsTheClassPaths() throws Exception {
        for (Class<?> here : new Class<?>[] {Test.class, Logger.class, String.class, Date.class}) {
            assertThat(loader.loadClass(here.getName())).isSameAs(here);
        }
        assertThatThrownBy(() -> loader.loadClass("no.such.Class")).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void resourcesOfTheOtherClientsAreHidden() throws IOException {
        assertThat(ClientVersion.in(loader)).contains(VERSION);
        assertThat(Collections.list(loader.getResources(ClientVersion.RESOURCE)))
                .map(URL::toString)
                .contains(loader.getResource(ClientVersion.RESOURCE).toString())
                .doesNotContain(ClientVersion.locationIn(CLASS_PATH) + ClientVersion.RESOURCE);
        assertThat(ClientVersion.in(CLASS_PATH)).isNotEmpty().isNotEqualTo(Optional.of(VERSION));
        assertThat(loader.getResource("simplelogger.properties"))
                .isEqualTo(CLASS_PATH.getResource("simplelogger.properties"));
    }

    @Test
    void aRunHasOneForAVersionAndClosesIt() throws Exception {
        assertThat(run.classPathWith(VERSION, folder.resolve(VERSION.jarName()), CLASS_PATH))
                .isSameAs(loader);
        assertThat(loader.loadClass("io.tidemark.Cluster")).isNotNull();

        run.close();

        assertThat(ClientVersion.in(loader)).isEmpty();
        assertThatThrownBy(() -> loader.loadClass("org.apache.kafka.common.TopicPartition"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void versionsAreToldFromOtherTexts() {
        for (String version : new String[] {"2.8.2", "3.9.0-SNAPSHOT", "7.6.0-ccs", "3.7.0.redhat-00007"}) {
            assertThat(ClientVersion.isOne(version)).as(version).isTrue();
        }
        for (String text : new String[] {"", "4", "3.9", "3.9.x", "v3.9.2", "3.9.2/..", "3.9.2 "}) {
            assertThat(ClientVersion.isOne(text)).as(text).isFalse();
        }
        assertThat(new ClientVersion("3.6.2").knowsGroupProtocol()).isFalse();
        assertThat(new ClientVersion("3.7.0").knowsGroupProtocol()).isTrue();
        assertThat(new ClientVersion("10.0.0").knowsGroupProtocol()).isTrue();
    }
}

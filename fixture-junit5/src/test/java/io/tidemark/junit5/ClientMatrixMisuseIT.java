package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.clients.ClientConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Matrices of clients and protocols that cannot be run, and what they are told. */
@ResourceLock(ClientMatrixIT.LOADERS)
class ClientMatrixMisuseIT {
    @TempDir
    private Path folder;

    @Test
    void aVersionWithoutAJarFailsAloneAndNamesFileAndFolder() {
        InnerRun run = InnerRun.of(Unknown.class);

        run.ended(1, 1, 0);
        assertThat(run.failure())
                .hasMessage("@ClusterMatrix on method runs: clients() has [2.8.99], and there is no file"
                        + " [kafka-clients-2.8.99.jar] in the folder ["
                        + Path.of("target/kafka-clients").toAbsolutePath()
                        + "]; have the build copy org.apache.kafka:kafka-clients:2.8.99 there (Maven: the goal copy of its"
                        + " dependency plugin), or name the folder that has it with the configuration parameter"
                        + " tidemark.clients.directory");
    }

    static class Unknown {
        @ClusterMatrix(clients = {"2.8.99", "4.4.0"})
        void runs(Cluster cluster) {
            assertThat(LinkedClients.version()).isEqualTo("4.4.0");
        }
    }

    @Test
    void theFolderIsTheOneThatIsConfigured() throws IOException {
        assertThat(in(folder).failure())
                .hasMessageContaining(
                        "no file [kafka-clients-2.8.2.jar] in the folder [" + folder.toAbsolutePath() + "]");

        Files.copy(Path.of("target/kafka-clients/kafka-clients-2.8.2.jar"), folder.resolve("kafka-clients-2.8.2.jar"));
        in(folder).passed(1);
    }

    @Test
    void aJarThatIsSomethingElseIsNamed() throws IOException {
        Path jar = folder.resolve("kafka-clients-2.8.2.jar");
        Files.copy(Path.of("target/kafka-clients/kafka-clients-3.9.2.jar"), jar);
        assertThat(in(folder).failure())
                .hasMessage("@ClusterMatrix on method runs: clients() has [2.8.2], and the file ["
                        + jar.toAbsolutePath() + "] is kafka-clients [3.9.2]; put the right one there");

        Files.writeString(jar, "half a download");
        assertThat(in(folder).failure())
                .hasMessageStartingWith("@ClusterMatrix on method runs: the file [" + jar.toAbsolutePath()
                        + "] is no jar of kafka-clients: ")
                .hasMessageEndingWith("; have the build copy it there anew");
    }

    private static InnerRun in(Path folder) {
        return InnerRun.with("tidemark.clients.directory", folder.toString(), Known.class);
    }

    static class Known {
        @ClusterMatrix(clients = "2.8.2")
        void runs(Cluster cluster) {
            assertThat(LinkedClients.version()).isEqualTo("2.8.2");
        }
    }

    @Test
    void versionsThatAreNoneAndThoseThatAreThereTwiceAreNamed() {
        assertThat(InnerRun.of(Malformed.class).failure())
                .hasMessage("@ClusterMatrix on method neverRuns: clients() has [../3.9], which is no version of"
                        + " kafka-clients; write it as its jar has it, for example [3.9.2]");
        assertThat(InnerRun.of(Twice.class).failure())
                .hasMessage("@ClusterMatrix on method neverRuns: clients() has [3.9.2] twice; drop one of them");
    }

    static class Malformed {
        @ClusterMatrix(clients = "../3.9")
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    static class Twice {
        @ClusterMatrix(clients = {"3.9.2", "4.4.0", "3.9.2"})
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    @Test
    void aClassThatDoesNotLinkWithAVersionIsNamedWithWhatIsMissing() {
        assertThat(InnerRun.of(TooNew.class).failure())
                .hasMessageStartingWith("@ClusterMatrix on method neverRuns: " + TooNew.class.getName()
                        + " does not link with kafka-clients [2.8.2]: java.lang.NoClassDefFoundError:"
                        + " org/apache/kafka/clients/consumer/ShareConsumer")
                .hasMessageContaining("in a class of its own")
                .rootCause()
                .hasMessage("org.apache.kafka.clients.consumer.ShareConsumer is not in kafka-clients 2.8.2, with which"
                        + " this test runs; the class path has it from another version");
    }

    static class TooNew {
        @ClusterMatrix(clients = "2.8.2")
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }

        static void ask(ShareConsumer<String, String> consumer) {
            consumer.subscribe(List.of("orders"));
        }
    }

    @Test
    void aProtocolThatNobodyServesFailsByName() {
        InnerRun run = InnerRun.of(Consumers.class);

        run.ended(1, 1, 0);
        assertThat(run.failure())
                .hasMessageStartingWith("@ClusterMatrix on method runs: cannot run with protocols() of [CONSUMER]: the"
                        + " brokers of Cluster ")
                .hasMessageContaining("KIP-848: they do not advertise ConsumerGroupHeartbeat")
                .hasMessageEndingWith("use [group.protocol=classic] for now");
        assertThat(InnerRun.of(AskedForInPlace.class).failure())
                .hasMessageStartingWith(
                        "Cannot inject parameter [Consumer consumer] of AskedForInPlace.neverRuns: the brokers")
                .hasMessageContaining("KIP-848");
    }

    static class Consumers {
        @ClusterMatrix(protocols = {GroupProtocol.CLASSIC, GroupProtocol.CONSUMER})
        void runs(Cluster cluster) {
            assertThat(cluster.isClosed()).isFalse();
        }
    }

    @KafkaCluster
    static class AskedForInPlace {
        @Test
        void neverRuns(@ClientConfig("group.protocol=consumer") Consumer<String, String> consumer) {
            assertThat(consumer).isNull();
        }
    }

    @Test
    void aProtocolThatTheClientsDoNotKnowFailsByName() {
        assertThat(InnerRun.of(TooOld.class).failure())
                .hasMessage(
                        "@ClusterMatrix on method neverRuns: protocols() has [CONSUMER], and kafka-clients [2.8.2] do not"
                                + " know the setting [group.protocol], which came with 3.7 (KIP-848); give the older clients a matrix"
                                + " of their own with [CLASSIC]");
    }

    static class TooOld {
        @ClusterMatrix(clients = "2.8.2", protocols = GroupProtocol.CONSUMER)
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }
}

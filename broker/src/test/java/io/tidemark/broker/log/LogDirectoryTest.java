package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static io.tidemark.broker.log.LogBench.ORDERS;
import static io.tidemark.broker.log.LogBench.ORDERS_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogDirectoryTest {
    @TempDir
    Path folder;

    private LogDirectory open() throws IOException {
        return LogDirectory.open(new FileSystemDisk(), folder, new ManualLoop());
    }

    @Test
    void knowsWhoseItIsOnceFormatted() throws IOException {
        MetaProperties properties = new MetaProperties("cluster-1", 3, new Uuid(1, 2));
        LogDirectory directory = open();
        assertThat(directory.metaProperties()).isNull();
        directory.format(properties);
        directory.abandon();

        LogDirectory again = open();
        assertThat(again.metaProperties()).isEqualTo(properties);
        assertThat(Files.readAllLines(folder.resolve("meta.properties")))
                .contains("version=1", "cluster.id=cluster-1", "node.id=3", "directory.id=" + new Uuid(1, 2));
        again.abandon();
    }

    /** The others know a voter by the id of its directory (KIP-853): under another one it has no vote. */
    @Test
    void anIdentityThatWasForcedOutlivesAPowerLoss() throws IOException {
        MetaProperties properties = new MetaProperties("cluster-1", 3, new Uuid(1, 2));
        Path root = Path.of("/node-3");
        for (int seed = 1; seed <= 50; seed++) {
            SimulatedDisk disk = new SimulatedDisk();
            disk.createDirectories(root);
            disk.forceDirectory(root.resolveSibling(""));
            LogDirectory directory = LogDirectory.open(disk, root, new ManualLoop());
            directory.format(properties);
            directory.forceFormat("votes");

            disk.powerLoss(seed);

            LogDirectory again = LogDirectory.open(disk, root, new ManualLoop());
            assertThat(again.metaProperties()).as("with seed %d", seed).isEqualTo(properties);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "#\n", "#\ncluster.id=clus", "#\ncluster.id=c\ndirectory.id=x\nnode.id=3\n", "#\nclus\0\0"})
    void anIdentityThatAPowerLossHasTornIsNone(String torn) throws IOException {
        Files.writeString(folder.resolve("meta.properties"), torn);

        LogDirectory directory = open();

        assertThat(directory.metaProperties()).isNull();
        directory.abandon();
    }

    @Test
    void twoNodesCannotShareAFolder() throws IOException {
        LogDirectory first = open();

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use by another node")
                .hasMessageContaining(folder.toString());
        first.abandon();
        open().abandon();
    }

    @Test
    void aCleanShutdownIsKnownOnceAndWithItsBrokerEpoch() throws IOException {
        open().close(42);
        assertThat(Files.readString(folder.resolve(".kafka_cleanshutdown")))
                .isEqualTo("{\"version\":0,\"brokerEpoch\":42}");

        LogDirectory clean = open();
        assertThat(clean.wasCleanlyShutDown()).isTrue();
        assertThat(clean.previousBrokerEpoch()).isEqualTo(42);
        clean.openPartitions(partition -> LogConfig.DEFAULTS, NOW);
        clean.abandon();
        LogDirectory killed = open();
        assertThat(killed.wasCleanlyShutDown()).isFalse();
        assertThat(killed.previousBrokerEpoch()).isEqualTo(-1);
        killed.abandon();
    }

    @Test
    void whoGoesBeforeItHasRecoveredItsLogsDoesNotVouchForThem() throws IOException {
        LogDirectory killed = open();
        killed.openPartition(ORDERS, ORDERS_ID, LogConfig.DEFAULTS, NOW);
        killed.abandon();

        LogDirectory early = open();
        early.openPartition(LogDirectory.METADATA_PARTITION, Uuid.METADATA_TOPIC_ID, LogConfig.DEFAULTS, NOW);
        early.close(42);

        LogDirectory again = open();
        assertThat(again.wasCleanlyShutDown()).isFalse();
        again.abandon();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "#\ncluster.id=clus", "#\ncluster.id=cluster-1\nnode\0\0\0\0"})
    void anIdentityThatALossOfPowerCutIsNone(String left) throws IOException {
        Files.writeString(folder.resolve("meta.properties"), left);

        LogDirectory directory = open();

        assertThat(directory.metaProperties()).isNull();
        directory.abandon();
    }

    @Test
    void anIdentityThatLacksSomethingIsAnError() throws IOException {
        Files.writeString(folder.resolve("meta.properties"), "cluster.id=cluster-1\nnode.id=3\n");

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("has no version");
    }

    @Test
    void whoOnlyLooksLeavesACleanFolderClean() throws IOException {
        open().close(42);
        open().abandon();

        LogDirectory again = open();
        assertThat(again.wasCleanlyShutDown()).isTrue();
        again.abandon();
    }

    @Test
    void checkpointsAreInKafkasTextFormat() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");
            bench.log.flush();
            bench.log.incrementLogStartOffset(1);
            bench.directory.writeCheckpoints();
            bench.directory.writeHighWatermarks(Map.of(ORDERS, 2L, new TopicPartition("a", 1), 7L));

            assertThat(Files.readString(folder.resolve("recovery-point-offset-checkpoint")))
                    .isEqualTo("0\n1\norders 0 2\n");
            assertThat(Files.readString(folder.resolve("log-start-offset-checkpoint")))
                    .isEqualTo("0\n1\norders 0 1\n");
            assertThat(Files.readString(folder.resolve("replication-offset-checkpoint")))
                    .isEqualTo("0\n2\na 1 7\norders 0 2\n");
            assertThat(bench.directory.readHighWatermarks())
                    .isEqualTo(Map.of(ORDERS, 2L, new TopicPartition("a", 1), 7L));
        }
    }

    @Test
    void aCheckpointThatCannotBeReadCountsAsEmpty() throws IOException {
        Files.writeString(folder.resolve("replication-offset-checkpoint"), "0\n9\nx");
        LogDirectory directory = open();

        assertThat(directory.readHighWatermarks()).isEmpty();
        directory.abandon();
    }

    @Test
    void theLogStartSurvivesAKill() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a", "b");
            bench.log.incrementLogStartOffset(1);
            bench.directory.writeCheckpoints();
            bench.crash();

            assertThat(bench.log.logStartOffset()).isEqualTo(1);
        }
    }

    @Test
    void opensEveryPartitionItFindsAndNothingElse() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.directory.openPartition(new TopicPartition("with-dash", 12), new Uuid(1, 1), bench.config(), NOW);
            bench.directory.openPartition(LogDirectory.METADATA_PARTITION, Uuid.METADATA_TOPIC_ID, bench.config(), NOW);
            for (String name : List.of("orders-1-future", "orders-2-stray", "orders-007", "nonsense")) {
                Files.createDirectory(folder.resolve(name));
            }
            Files.createDirectory(folder.resolve("orders-3.abc-delete"));
            Files.write(folder.resolve("orders-3.abc-delete").resolve("00000000000000000000.log"), new byte[3]);
            Files.createFile(folder.resolve("orders-5"));
            bench.directory.abandon();

            LogDirectory directory = LogDirectory.open(bench.disk, folder, bench.loop);
            directory.openPartitions(partition -> bench.config(), NOW);
            bench.loop.advance(0);

            assertThat(directory.partitions().keySet()).containsExactly(ORDERS, new TopicPartition("with-dash", 12));
            assertThat(folder.resolve("orders-3.abc-delete")).doesNotExist();
            directory.abandon();
        }
    }

    @Test
    void aFolderOfADeletedNamesakeIsNotTakenForTheTopic() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            assertThat(Files.readString(bench.file("partition.metadata")))
                    .isEqualTo("version: 0\ntopic_id: " + ORDERS_ID);

            assertThatThrownBy(() -> bench.directory.openPartition(ORDERS, new Uuid(8, 8), bench.config(), NOW))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("belongs to topic id " + ORDERS_ID);
        }
    }

    @Test
    void aDeletedPartitionIsOutOfTheWayAtOnceAndGoneLater() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("old");
            LogSlice inFlight = bench.log.read(0, 1000, 1, true);

            bench.directory.deletePartition(ORDERS);
            PartitionLog again = bench.directory.openPartition(ORDERS, new Uuid(8, 8), bench.config(), NOW);

            assertThat(again.logEndOffset()).isZero();
            assertThat(inFlight.toByteBuf().readableBytes()).isEqualTo(inFlight.sizeInBytes());
            assertThat(deletedFolders()).hasSize(1);
            bench.loop.advance(60_000);
            assertThat(deletedFolders()).isEmpty();
            assertThatThrownBy(inFlight::toByteBuf).isInstanceOf(IOException.class);
        }
    }

    @Test
    void twoDeletionsOfTheSamePartitionDoNotCollide() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.directory.deletePartition(ORDERS);
            bench.directory.openPartition(ORDERS, ORDERS_ID, bench.config(), NOW);
            bench.directory.deletePartition(ORDERS);

            assertThat(deletedFolders()).hasSize(2);
        }
    }

    private List<String> deletedFolders() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path entry : new FileSystemDisk().list(folder)) {
            if (entry.getFileName().toString().endsWith("-delete")) {
                names.add(entry.getFileName().toString());
            }
        }
        return names;
    }

    @Test
    void anOrderlyCloseLeavesNothingToRecoverAndNoOpenFile() throws IOException {
        try (LogBench bench = LogBench.in(folder, "index.interval.bytes", "0")) {
            bench.append("a");
            bench.append("b");
            bench.directory.deletePartition(new TopicPartition("none", 0));
            bench.directory.close(1);

            assertThat(Files.size(bench.file("00000000000000000000.index"))).isEqualTo(8);
            assertThat(Files.size(bench.file("00000000000000000000.timeindex"))).isEqualTo(12);
            assertThat(openFilesUnder(folder)).isEmpty();
            bench.open();
            assertThat(bench.log.recoveryPoint()).isEqualTo(2);
            assertThat(bench.valuesFrom(0)).containsExactly("a", "b");
            bench.directory.abandon();
            bench.directory.abandon();
            assertThat(openFilesUnder(folder)).isEmpty();
        }
    }

    @Test
    void aPartitionThatCannotBeOpenedSaysWhyAndLeavesNoOpenFile() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            bench.append("a");
            bench.directory.abandon();
            Files.writeString(bench.file("partition.metadata"), "version: 7\n");

            assertThatThrownBy(bench::open)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("partition.metadata holds [version: 7");
            bench.directory.abandon();
            assertThat(openFilesUnder(folder.resolve("orders-0"))).isEmpty();
        }
    }

    private static List<String> openFilesUnder(Path folder) throws IOException {
        List<String> open = new ArrayList<>();
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.exists(descriptors)) {
            return open;
        }
        for (Path descriptor : new FileSystemDisk().list(descriptors)) {
            try {
                String target = Files.readSymbolicLink(descriptor).toString();
                if (target.startsWith(folder.toString())) {
                    open.add(target);
                }
            } catch (IOException e) {
                // Closed since it was listed.
            }
        }
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains(folder.toString())) {
                open.add(line);
            }
        }
        return open;
    }

    @Test
    void aNewPartitionKnowsNothingOfWhatTheCheckpointsSayOfItsDeletedNamesake() throws IOException {
        try (LogBench bench = LogBench.in(folder)) {
            for (int i = 0; i < 20; i++) {
                bench.append("old");
            }
            bench.log.flush();
            bench.log.incrementLogStartOffset(15);
            bench.directory.writeCheckpoints();
            bench.directory.deletePartition(LogBench.ORDERS);
            bench.topicId = new Uuid(9, 99);
            bench.log = bench.directory.openPartition(LogBench.ORDERS, bench.topicId, bench.config(), LogBench.NOW);
            bench.append("new");
            bench.crash();

            assertThat(bench.valuesFrom(0)).containsExactly("new");
            assertThat(bench.log.recoveryPoint()).isZero();
        }
    }
}

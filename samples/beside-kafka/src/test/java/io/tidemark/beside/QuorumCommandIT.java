package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.network.PortReservation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Apache Kafka's own kafka-metadata-quorum changes the voters of our quorum (KIP-853). */
@Timeout(300)
class QuorumCommandIT {
    private static final String TOOL = "org.apache.kafka.tools.MetadataQuorumCommand";
    private static final String HOST = "127.0.0.1";
    private static final int JOINING = 2;

    @TempDir
    Path parent;

    @Test
    void addsAndRemovesAController() throws Exception {
        try (DataFolder folder = new DataFolder(parent, false, List.of());
                PortReservation port = PortReservation.reserve(HOST, 0)) {
            folder.formatByKafka("--standalone");
            Path joining = Files.createDirectory(parent.resolve("joining"));
            Path properties = Files.write(
                    joining.resolve("controller.properties"),
                    List.of(
                            "process.roles=controller",
                            "node.id=" + JOINING,
                            "cluster.id=" + folder.clusterId(),
                            "controller.quorum.bootstrap.servers=" + folder.controllerAddress(),
                            "controller.listener.names=CONTROLLER",
                            "listeners=CONTROLLER://" + HOST + ":" + port.port(),
                            "listener.security.protocol.map=CONTROLLER:PLAINTEXT",
                            "log.dirs=" + joining.resolve("data")));
            ServerProcess.run(
                    joining,
                    "kafka.tools.StorageTool",
                    "format",
                    "--cluster-id",
                    folder.clusterId(),
                    "--config",
                    properties.toString(),
                    "--no-initial-controllers");
            try (ServerProcess ours = folder.serveByOurs();
                    ServerProcess second = ServerProcess.begin("io.tidemark.broker.Main", properties);
                    Admin admin = Admin.create(Map.of("bootstrap.servers", folder.bootstrapServers()))) {
                awaitCaughtUp(admin);
                tool(folder, "--command-config", properties.toString(), "add-controller");

                QuorumInfo added = quorum(admin);
                assertThat(added.voters())
                        .extracting(QuorumInfo.ReplicaState::replicaId)
                        .containsExactlyInAnyOrder(1, JOINING);
                String directory = added.voters().stream()
                        .filter(voter -> voter.replicaId() == JOINING)
                        .map(voter -> voter.replicaDirectoryId().toString())
                        .findFirst()
                        .orElseThrow();
                assertThat(Files.readString(joining.resolve("data").resolve("meta.properties")))
                        .contains("directory.id=" + directory);

                tool(
                        folder,
                        "remove-controller",
                        "--controller-id",
                        String.valueOf(JOINING),
                        "--controller-directory-id",
                        directory);
                assertThat(quorum(admin).voters())
                        .extracting(QuorumInfo.ReplicaState::replicaId)
                        .containsExactly(1);
                assertThat(ours.output() + second.output()).doesNotContain("ERROR");
            }
        }
    }

    private void tool(DataFolder folder, String... arguments) throws Exception {
        String[] all = new String[arguments.length + 2];
        all[0] = "--bootstrap-server";
        all[1] = folder.bootstrapServers();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        ServerProcess.run(parent, TOOL, all);
    }

    private static QuorumInfo quorum(Admin admin) throws Exception {
        return admin.describeMetadataQuorum().quorumInfo().get(60, TimeUnit.SECONDS);
    }

    /** Until the second controller fetches: a voter is to have what there is. */
    private static void awaitCaughtUp(Admin admin) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (quorum(admin).observers().stream()
                .noneMatch(observer -> observer.replicaId() == JOINING
                        && observer.lastCaughtUpTimestamp().isPresent())) {
            assertThat(System.nanoTime())
                    .as("the second controller fetches in time")
                    .isLessThan(deadline);
        }
    }
}

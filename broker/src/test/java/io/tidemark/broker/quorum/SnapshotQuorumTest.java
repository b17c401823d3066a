package io.tidemark.broker.quorum;

import static io.tidemark.broker.quorum.QuorumHarness.CONTROLLER_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.FetchSnapshotRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.quorum.QuorumHarness.RunningBroker;
import io.tidemark.broker.raft.SnapshotId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole quorums whose log does not go back to the beginning any more, in virtual time. */
class SnapshotQuorumTest {
    @TempDir
    Path folder;

    private QuorumHarness harness;

    @BeforeEach
    void open() {
        harness = harness(1);
    }

    private QuorumHarness harness(int controllers) {
        QuorumHarness opened = new QuorumHarness(folder, controllers);
        opened.configs.put("metadata.log.max.record.bytes.between.snapshots", "2000");
        opened.configs.put("metadata.max.retention.bytes", "1");
        opened.configs.put("internal.metadata.log.segment.bytes", "1500");
        opened.configs.put("controller.quorum.fetch.snapshot.max.bytes", "300");
        return opened;
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void brokerThatComesLateBeginsWithASnapshot() throws IOException {
        ControllerNode controller = harness.startController();
        harness.time.runFor(10);
        change(controller, 60);
        assertThat(firstSegments(CONTROLLER_ID)).doesNotContain("00000000000000000000.log");

        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(1_000);

        assertThat(broker.isUnfenced).isTrue();
        assertThat(harness.sent)
                .filteredOn(FetchSnapshotRequest.class::isInstance)
                .hasSizeGreaterThan(2);
        assertSameMetadata(broker.quorum.metadata().image(), controller.image());
        change(controller, 3);
        assertSameMetadata(broker.quorum.metadata().image(), controller.image());
    }

    @Test
    void brokerThatFallsBehindTakesASnapshotInPlaceOfItsLog() throws IOException {
        ControllerNode controller = harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);
        change(controller, 3);
        harness.cutOff.add(1);

        change(controller, 80);
        harness.cutOff.clear();
        harness.time.runFor(5_000);

        assertThat(harness.sent).anyMatch(FetchSnapshotRequest.class::isInstance);
        assertSameMetadata(broker.quorum.metadata().image(), controller.image());
    }

    @Test
    void nodesStartFromTheirOwnSnapshots() throws IOException {
        ControllerNode controller = harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);
        change(controller, 80);
        MetadataImage before = controller.image();
        assertThat(snapshots(1)).isNotEmpty();
        broker.kill();
        harness.killController();
        harness.sent.clear();

        ControllerNode next = harness.startController();
        RunningBroker nextBroker = harness.startBroker(1);
        assertThat(nextBroker.quorum.metadata().image().configs()).as("at once").isNotEmpty();
        harness.time.runFor(1_500);

        assertThat(next.image().configs()).isEqualTo(before.configs());
        assertSameMetadata(nextBroker.quorum.metadata().image(), next.image());
        assertThat(harness.sent).noneMatch(FetchSnapshotRequest.class::isInstance);
    }

    @Test
    void standbyControllerTakesASnapshotAndMayLeadAfterThat() throws Exception {
        harness.close();
        harness = harness(3);
        harness.startControllers();
        harness.time.runFor(3_000);
        int active = harness.active().get(0);
        int standby = harness.controllerIds().stream()
                .filter(id -> id != active)
                .findFirst()
                .orElseThrow();
        harness.killController(standby);
        change(harness.controller(active), 80);

        harness.startController(standby);
        harness.time.runFor(3_000);

        assertThat(harness.sent).anyMatch(FetchSnapshotRequest.class::isInstance);
        assertSameMetadata(
                harness.controller(standby).image(), harness.controller(active).image());
        harness.controllerIds().stream()
                .filter(id -> id != standby && id != active)
                .forEach(id -> {
                    assertSameMetadata(
                            harness.controller(id).image(),
                            harness.controller(active).image());
                });
        harness.killController(active);
        harness.time.runFor(8_000);
        assertThat(harness.active()).hasSize(1);
        change(harness.controller(harness.active().get(0)), 3);
    }

    @Test
    void aNewControllerWritesDownWhatItStartsWithWhereKafkaDoes() throws IOException {
        harness.configs.put("cluster.features", "metadata.version=4.1");
        ControllerNode controller = harness.startController();
        harness.time.runFor(10);

        List<ApiMessage> records = new FormattedFolder(new FileSystemDisk(), harness.metadataFolder(CONTROLLER_ID))
                .read()
                .records();
        assertThat(records.get(0))
                .isEqualTo(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 27));
        assertThat(controller.image().featureLevel("metadata.version")).isEqualTo((short) 27);
    }

    @Test
    void whatAFolderWasFormattedWithCounts() throws IOException {
        Path metadata = harness.metadataFolder(CONTROLLER_ID);
        Files.createDirectories(metadata);
        new FormattedFolder(new FileSystemDisk(), metadata)
                .write(
                        List.of(new FeatureLevelRecord()
                                .setName("metadata.version")
                                .setFeatureLevel((short) 25)),
                        1);

        ControllerNode controller = harness.startController();
        harness.time.runFor(10);

        assertThat(controller.image().features()).containsOnlyKeys("metadata.version");
        assertThat(controller.image().featureLevel("metadata.version")).isEqualTo((short) 25);
    }

    @Test
    void bootstrapCheckpointOfEarlierReleasesCounts() throws IOException {
        Path metadata = harness.metadataFolder(CONTROLLER_ID);
        Files.createDirectories(metadata);
        new FormattedFolder(new FileSystemDisk(), metadata)
                .write(
                        List.of(new FeatureLevelRecord()
                                .setName("metadata.version")
                                .setFeatureLevel((short) 20)),
                        1);
        Files.move(
                SnapshotFiles.of(metadata, SnapshotFiles.BOOTSTRAP), metadata.resolveSibling("bootstrap.checkpoint"));

        ControllerNode controller = harness.startController();
        harness.time.runFor(10);

        assertThat(controller.image().featureLevel("metadata.version")).isEqualTo((short) 20);
    }

    @Test
    void damagedSnapshotKeepsANodeFromStarting() throws IOException {
        ControllerNode controller = harness.startController();
        harness.time.runFor(10);
        change(controller, 60);
        harness.killController();
        Path newest = snapshots(CONTROLLER_ID).get(snapshots(CONTROLLER_ID).size() - 1);
        byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(newest, bytes);

        assertThatThrownBy(harness::startController)
                .isInstanceOf(CorruptSnapshotException.class)
                .hasMessageContaining(newest.toString());
    }

    /** Everything but where it ends, which differs while records that change nothing are on their way. */
    private static void assertSameMetadata(MetadataImage one, MetadataImage other) {
        assertThat(one.configs()).isEqualTo(other.configs());
        assertThat(one.features()).isEqualTo(other.features());
        assertThat(one.cluster()).isEqualTo(other.cluster());
        assertThat(one.topics()).isEqualTo(other.topics());
    }

    private void change(ControllerNode controller, int count) {
        for (int i = 0; i < count; i++) {
            IncrementalAlterConfigsRequest request = new IncrementalAlterConfigsRequest();
            IncrementalAlterConfigsRequest.AlterConfigsResource resource =
                    new IncrementalAlterConfigsRequest.AlterConfigsResource()
                            .setResourceType(ConfigResource.BROKER)
                            .setResourceName("");
            resource.configs()
                    .add(new IncrementalAlterConfigsRequest.AlterableConfig()
                            .setName("log.retention.ms")
                            .setConfigOperation((byte) 0)
                            .setValue(Integer.toString(1_000_000 + (int) (harness.time.monotonicMs() % 100_000))));
            request.resources().add(resource);
            int[] answers = new int[1];
            controller.submit((decider, nowMs) -> decider.alterConfigs(request), response -> {
                assertThat(response.responses().get(0).errorCode()).isZero();
                answers[0]++;
            });
            harness.time.runFor(20);
            assertThat(answers[0]).isEqualTo(1);
        }
    }

    private List<String> firstSegments(int nodeId) throws IOException {
        try (var files = Files.list(harness.metadataFolder(nodeId))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private List<Path> snapshots(int nodeId) throws IOException {
        List<SnapshotId> ids = SnapshotFiles.list(new FileSystemDisk(), harness.metadataFolder(nodeId));
        return ids.stream()
                .map(id -> SnapshotFiles.of(harness.metadataFolder(nodeId), id))
                .toList();
    }
}

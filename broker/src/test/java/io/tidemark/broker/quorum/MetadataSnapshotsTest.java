package io.tidemark.broker.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.MetaProperties;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.RecordFormat;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchSnapshotRequest;
import io.tidemark.broker.protocol.message.FetchSnapshotResponse;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.quorum.SnapshotReader.Snapshot;
import io.tidemark.broker.quorum.SnapshotWriter.QuorumState;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.raft.VoterHistory;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.time.VirtualTime.VirtualLoop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetadataSnapshotsTest {
    private static final String CLUSTER_ID = "c1uster";
    private static final int EPOCH = 3;
    private static final QuorumVoter LEADER = new QuorumVoter(1, "leader", 9093);

    private final VirtualTime time = new VirtualTime();
    private final VirtualLoop loop = time.newLoop();
    private final Map<String, String> configs = new HashMap<>(Map.of(
            "metadata.log.max.record.bytes.between.snapshots", "1000",
            "metadata.log.max.snapshot.interval.ms", "0",
            "internal.metadata.log.segment.bytes", "2000",
            "internal.metadata.delete.delay.millis", "5000"));

    /** One node's metadata folder, its log, and the image that its committed records make. */
    private final class Node {
        final int id;
        final SimulatedDisk disk = new SimulatedDisk();
        LogDirectory directory;
        MetadataLog log;
        MetadataSnapshots snapshots;

        @Nullable
        Snapshot loaded;

        MetadataImage image = MetadataImage.EMPTY;

        Node(int id) throws IOException {
            this.id = id;
            open();
        }

        private void open() throws IOException {
            directory = LogDirectory.open(disk, Path.of("/node-" + id), loop);
            if (directory.metaProperties() == null) {
                directory.format(new MetaProperties(CLUSTER_ID, id, new Uuid(8, id)));
                // Until that is durable.
                time.runFor(1_000);
                disk.forceDirectory(Path.of("/"));
            }
            log = MetadataLog.open(
                    directory,
                    settings(id),
                    time,
                    loop,
                    end -> {},
                    new VoterHistory(settings(id).voterSet()));
            snapshots = new MetadataSnapshots(
                    settings(id), disk, time, loop, log, endOffset -> QuorumState.BY_CONFIGURATION);
            loaded = snapshots.open();
            image = loaded == null ? MetadataImage.EMPTY : loaded.image();
            commit();
        }

        /** A new life after a kill, or after a loss of power. */
        void restart(long powerLossSeed) throws IOException {
            directory.abandon();
            if (powerLossSeed == 0) {
                disk.restart();
            } else {
                disk.powerLoss(powerLossSeed);
            }
            open();
        }

        void append(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                List<ApiMessage> records = List.of(new ConfigRecord()
                        .setResourceType((byte) 4)
                        .setResourceName("")
                        .setName("name-" + log.endOffset() % 7)
                        .setValue("value " + log.endOffset()));
                log.append(EPOCH, records, RecordFormat.NEWEST);
                commit();
            }
        }

        private void commit() throws IOException {
            MetadataDelta delta = new MetadataDelta(image);
            log.replay(image.lastOffset() + 1, log.endOffset(), delta);
            image = delta.apply();
            snapshots.onCommitted(image);
            time.runFor(1);
        }

        List<String> files() throws IOException {
            return disk.list(log.folder()).stream()
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.contains(".checkpoint"))
                    .toList();
        }
    }

    private QuorumSettings settings(int nodeId) {
        return new QuorumSettings(
                nodeId,
                CLUSTER_ID,
                new Uuid(8, nodeId),
                List.of(LEADER),
                BrokerConfigs.DEFINITION.parse(new HashMap<>(configs)));
    }

    @Test
    void isMadeWhenEnoughWasCommitted() throws IOException {
        Node node = new Node(1);
        node.append(5);
        assertThat(node.snapshots.latest()).isNull();

        node.append(30);

        SnapshotId latest = node.snapshots.latest();
        assertThat(latest).isNotNull();
        assertThat(latest.leaderEpoch()).isEqualTo(EPOCH);
        assertThat(latest.endOffset()).isBetween(10L, node.log.endOffset());
        assertThat(node.log.sizeInBytesFrom(latest.endOffset())).isLessThan(1_100);
    }

    @Test
    void isMadeWhenEnoughTimeWentBy() throws IOException {
        configs.put("metadata.log.max.snapshot.interval.ms", "10000");
        Node node = new Node(1);
        node.append(2);
        time.runFor(10_001);
        assertThat(node.snapshots.latest()).as("nothing was committed since").isNull();

        node.append(1);

        assertThat(node.snapshots.latest()).isEqualTo(new SnapshotId(node.log.endOffset(), EPOCH));
    }

    @Test
    void oldOnesGoWithTheLogBelowTheNext() throws IOException {
        configs.put("metadata.max.retention.bytes", "5000");
        Node node = new Node(1);

        node.append(400);

        assertThat(node.log.startOffset())
                .isPositive()
                .isEqualTo(node.snapshots.earliest().endOffset());
        assertThat(node.log.sizeInBytes()).isLessThan(8_000);
        assertThat(node.files()).anyMatch(name -> name.endsWith(".deleted"));
        time.runFor(6_000);
        assertThat(node.files()).noneMatch(name -> name.endsWith(".deleted"));
        assertThat(node.files()).hasSizeBetween(2, 6);
    }

    @Test
    void theNewestStaysHoweverSmallTheLimits() throws IOException {
        configs.put("metadata.max.retention.bytes", "1");
        configs.put("metadata.max.retention.ms", "1");
        Node node = new Node(1);

        node.append(100);
        time.runFor(200_000);

        assertThat(node.snapshots.latest()).isNotNull().isEqualTo(node.snapshots.earliest());
        assertThat(node.log.startOffset()).isEqualTo(node.snapshots.latest().endOffset());
    }

    @Test
    void startIsTheNewestSnapshotAndTheLogAboveIt() throws IOException {
        configs.put("metadata.max.retention.bytes", "5000");
        Node node = new Node(1);
        node.append(400);
        MetadataImage before = node.image;

        node.restart(0);

        assertThat(node.loaded).isNotNull();
        assertThat(node.image).isEqualTo(before);
        node.append(1);
        assertThat(node.image.lastOffset()).isEqualTo(before.lastOffset() + 1);
    }

    @Test
    void lossOfPowerNeverTakesWhatASnapshotStandsFor() throws IOException {
        configs.put("metadata.max.retention.bytes", "5000");
        for (long seed = 1; seed <= 20; seed++) {
            Node node = new Node((int) seed);
            node.append(150);
            SnapshotId latest = node.snapshots.latest();

            node.restart(seed);

            assertThat(node.loaded).as("seed %d", seed).isNotNull();
            assertThat(node.image.lastOffset() + 1).as("seed %d", seed).isGreaterThanOrEqualTo(latest.endOffset());
            node.append(3);
        }
    }

    @Test
    void aDamagedNewestSnapshotStopsTheStartAndIsNamed() throws IOException {
        Node node = new Node(1);
        node.append(40);
        Path file = SnapshotFiles.of(node.log.folder(), node.snapshots.latest());
        node.disk.flipBit(file, 8 * 200);

        assertThatThrownBy(() -> node.restart(0))
                .isInstanceOf(CorruptSnapshotException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aLogThatStartsAboveZeroNeedsASnapshot() throws IOException {
        configs.put("metadata.max.retention.bytes", "1");
        Node node = new Node(1);
        node.append(100);
        node.disk.delete(SnapshotFiles.of(node.log.folder(), node.snapshots.latest()));

        assertThatThrownBy(() -> node.restart(0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no snapshot");
    }

    @Test
    void serverAnswersWithTheErrorsOfKafka() throws IOException {
        Node node = new Node(1);
        node.append(40);
        SnapshotId id = node.snapshots.latest();
        SnapshotServer server = new SnapshotServer(settings(1), node.snapshots);
        SnapshotServer.View leading = new SnapshotServer.View(true, EPOCH, 1, null);
        SnapshotServer.View following = new SnapshotServer.View(false, EPOCH, 2, null);
        long size = node.snapshots.sizeInBytes(id);

        assertThat(server.serve(request(id, 0, EPOCH).setClusterId("other"), (short) 1, leading)
                        .errorCode())
                .isEqualTo(ErrorCode.INCONSISTENT_CLUSTER_ID.code());
        assertThat(error(server.serve(request(id, 0, EPOCH - 1), (short) 1, leading)))
                .isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(error(server.serve(request(id, 0, EPOCH + 1), (short) 1, leading)))
                .isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
        assertThat(error(server.serve(request(id, 0, EPOCH), (short) 1, following)))
                .isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(error(server.serve(request(new SnapshotId(1, EPOCH), 0, EPOCH), (short) 1, leading)))
                .isEqualTo(ErrorCode.SNAPSHOT_NOT_FOUND);
        assertThat(error(server.serve(request(id, size, EPOCH), (short) 1, leading)))
                .isEqualTo(ErrorCode.POSITION_OUT_OF_RANGE);
        assertThat(error(server.serve(request(id, -1, EPOCH), (short) 1, leading)))
                .isEqualTo(ErrorCode.POSITION_OUT_OF_RANGE);
        assertThat(error(server.serve(new FetchSnapshotRequest(), (short) 1, leading)))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        FetchSnapshotResponse.PartitionSnapshot piece = piece(server.serve(request(id, 10, EPOCH), (short) 1, leading));
        assertThat(piece.errorCode()).isZero();
        assertThat(piece.size()).isEqualTo(size);
        assertThat(piece.position()).isEqualTo(10);
        assertThat(piece.unalignedRecords().sizeInBytes()).isEqualTo(50);
        assertThat(piece.currentLeader().leaderId()).isEqualTo(1);
    }

    @Test
    void fetchedSnapshotTakesThePlaceOfTheLog() throws IOException {
        Node leader = new Node(1);
        leader.append(60);
        Node replica = new Node(2);
        replica.append(2);
        Fetching fetching = new Fetching(leader, replica);

        fetching.fetch(leader.snapshots.latest());

        assertThat(fetching.requests).isGreaterThan(3);
        assertThat(replica.image.configs()).isEqualTo(fetching.installed.image().configs());
        assertThat(replica.log.startOffset())
                .isEqualTo(replica.log.endOffset())
                .isEqualTo(leader.snapshots.latest().endOffset());
        assertThat(replica.log.lastEpoch()).isEqualTo(EPOCH);
        replica.restart(1);
        assertThat(replica.image.configs()).isEqualTo(fetching.installed.image().configs());
    }

    @Test
    void fetchGoesOnWhereItWasCutOff() throws IOException {
        Node leader = new Node(1);
        leader.append(60);
        Node replica = new Node(2);
        Fetching fetching = new Fetching(leader, replica);
        fetching.failAt = 3;

        fetching.fetch(leader.snapshots.latest());
        assertThat(fetching.installed).isNull();
        fetching.fetch(leader.snapshots.latest());

        assertThat(fetching.installed).isNotNull();
        assertThat(fetching.positions).doesNotHaveDuplicates();
    }

    @Test
    void fetchOfASnapshotThatIsGoneEndsAndLeavesNothing() throws IOException {
        Node leader = new Node(1);
        leader.append(60);
        Node replica = new Node(2);
        Fetching fetching = new Fetching(leader, replica);

        fetching.fetch(new SnapshotId(5, EPOCH));

        assertThat(fetching.ended).isEqualTo(1);
        assertThat(replica.files()).isEmpty();
    }

    @Test
    void damagedPiecesNeverGetTheNameOfASnapshot() throws IOException {
        Node leader = new Node(1);
        leader.append(60);
        Node replica = new Node(2);
        Fetching fetching = new Fetching(leader, replica);
        leader.disk.flipBit(SnapshotFiles.of(leader.log.folder(), leader.snapshots.latest()), 8 * 120);

        fetching.fetch(leader.snapshots.latest());

        assertThat(fetching.ended).isEqualTo(1);
        assertThat(fetching.installed).isNull();
        assertThat(SnapshotFiles.list(replica.disk, replica.log.folder())).isEmpty();
    }

    /** A replica that fetches from a leader over a network that is a method call. */
    private final class Fetching {
        private final Node leader;
        private final SnapshotFetcher fetcher;
        private final List<Long> positions = new ArrayList<>();
        private @Nullable Snapshot installed;
        private int requests;
        private int failAt = -1;
        private int ended;

        Fetching(Node leader, Node replica) {
            this.leader = leader;
            configs.put("controller.quorum.fetch.snapshot.max.bytes", "100");
            this.fetcher = new SnapshotFetcher(
                    settings(2),
                    replica.disk,
                    loop,
                    (host, port, purpose) -> new LeaderPeer(),
                    replica.log.folder(),
                    new SnapshotFetcher.Installer() {
                        @Override
                        public void onPiece() {}

                        @Override
                        public void install(SnapshotId id, Snapshot snapshot) throws IOException {
                            installed = snapshot;
                            replica.snapshots.replaceLogBy(id, snapshot.sizeInBytes(), snapshot.lastTimestampMs());
                            replica.image = snapshot.image();
                        }
                    });
        }

        void fetch(SnapshotId id) {
            fetcher.fetch(LEADER, EPOCH, id, () -> ended++);
            time.runFor(100);
        }

        private final class LeaderPeer implements Peer {
            @Override
            public void send(ApiMessage request, long timeoutMs, Reply reply) {
                FetchSnapshotRequest asked = (FetchSnapshotRequest) request;
                if (++requests == failAt) {
                    loop.execute(() -> reply.onFailure(new IOException("cut off")));
                    return;
                }
                positions.add(asked.topics().get(0).partitions().get(0).position());
                FetchSnapshotResponse response = new SnapshotServer(settings(1), leader.snapshots)
                        .serve(asked, (short) 1, new SnapshotServer.View(true, EPOCH, 1, null));
                loop.execute(() -> reply.onResponse(response));
            }

            @Override
            public void send(ApiMessage request, short version, long timeoutMs, Reply reply) {
                send(request, timeoutMs, reply);
            }

            @Override
            public void close() {}
        }
    }

    private static FetchSnapshotRequest request(SnapshotId id, long position, int epoch) {
        FetchSnapshotRequest request =
                new FetchSnapshotRequest().setClusterId(CLUSTER_ID).setMaxBytes(50);
        FetchSnapshotRequest.TopicSnapshot topic =
                new FetchSnapshotRequest.TopicSnapshot().setName("__cluster_metadata");
        topic.partitions()
                .add(new FetchSnapshotRequest.PartitionSnapshot()
                        .setPartition(0)
                        .setCurrentLeaderEpoch(epoch)
                        .setPosition(position)
                        .setSnapshotId(new FetchSnapshotRequest.SnapshotId()
                                .setEndOffset(id.endOffset())
                                .setEpoch(id.leaderEpoch())));
        request.topics().add(topic);
        return request;
    }

    private static FetchSnapshotResponse.PartitionSnapshot piece(FetchSnapshotResponse response) {
        return response.topics().get(0).partitions().get(0);
    }

    private static ErrorCode error(FetchSnapshotResponse response) {
        return ErrorCode.forCode(piece(response).errorCode());
    }
}

package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.FetchSnapshotRequest;
import io.tidemark.broker.protocol.message.FetchSnapshotResponse;
import io.tidemark.broker.quorum.SnapshotReader.Snapshot;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a snapshot from the quorum's leader (KIP-630) into a part file, and installs it when it is whole, readable and
 * durable: then it takes the place of the log. What was fetched of a snapshot is kept while the leader changes, and the
 * fetch goes on from there. On the node's loop only.
 */
final class SnapshotFetcher {
    private static final NodeLog LOG = NodeLog.of(SnapshotFetcher.class);

    private final QuorumSettings settings;
    private final Disk disk;
    private final Loop loop;
    private final Peers peers;
    private final Path folder;
    private final Installer installer;
    private @Nullable SnapshotId wanted;
    private long position;
    private @Nullable Peer peer;
    private @Nullable QuorumVoter target;
    private boolean isClosed;

    /** Which answer is waited for. */
    private int number;

    /** Takes what was fetched. On the node's loop. */
    interface Installer {
        /** A piece came: the leader is alive. */
        void onPiece();

        /** The file has its name, and the log is to begin where it ends. */
        void install(SnapshotId id, Snapshot snapshot) throws IOException;
    }

    /**
     * @param folder the folder of the metadata log
     */
    SnapshotFetcher(QuorumSettings settings, Disk disk, Loop loop, Peers peers, Path folder, Installer installer) {
        this.settings = settings;
        this.disk = disk;
        this.loop = loop;
        this.peers = peers;
        this.folder = folder;
        this.installer = installer;
    }

    /**
     * Fetches a snapshot. Another call takes the place of one that is under way.
     *
     * @param then called when it is installed, or could not be had
     */
    void fetch(QuorumVoter leader, int leaderEpoch, SnapshotId id, Runnable then) {
        try {
            if (!id.equals(wanted)) {
                giveUp();
                disk.delete(SnapshotFiles.part(folder, id));
                wanted = id;
                position = 0;
                LOG.info("Node {} fetches the metadata snapshot {} from {}", settings.nodeId(), id, leader);
            }
        } catch (IOException e) {
            failed(id, e);
            then.run();
            return;
        }
        send(new Fetch(leader, leaderEpoch, id, then, ++number));
    }

    /** One call's fetch, in which request follows request. */
    private record Fetch(QuorumVoter leader, int leaderEpoch, SnapshotId id, Runnable then, int number) {}

    private void send(Fetch fetch) {
        link(fetch.leader()).send(request(fetch), settings.requestTimeoutMs(), new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                if (isAwaited(fetch)) {
                    SnapshotFetcher.this.onResponse(fetch, (FetchSnapshotResponse) response);
                }
            }

            @Override
            public void onFailure(IOException cause) {
                if (isAwaited(fetch)) {
                    LOG.debug("Node {} got nothing of {}: {}", settings.nodeId(), fetch.id(), cause.getMessage());
                    fetch.then().run();
                }
            }
        });
    }

    private boolean isAwaited(Fetch fetch) {
        return !isClosed && fetch.number() == number;
    }

    private Peer link(QuorumVoter leader) {
        Peer link = peer;
        if (link == null || !leader.equals(target)) {
            if (link != null) {
                link.close();
            }
            link = peers.open(leader.host(), leader.port(), "snapshot-fetcher");
            peer = link;
            target = leader;
        }
        return link;
    }

    private FetchSnapshotRequest request(Fetch fetch) {
        FetchSnapshotRequest.TopicSnapshot topic =
                new FetchSnapshotRequest.TopicSnapshot().setName("__cluster_metadata");
        topic.partitions()
                .add(new FetchSnapshotRequest.PartitionSnapshot()
                        .setPartition(0)
                        .setCurrentLeaderEpoch(fetch.leaderEpoch())
                        .setSnapshotId(new FetchSnapshotRequest.SnapshotId()
                                .setEndOffset(fetch.id().endOffset())
                                .setEpoch(fetch.id().leaderEpoch()))
                        .setPosition(position)
                        .setReplicaDirectoryId(settings.directoryId()));
        FetchSnapshotRequest request = new FetchSnapshotRequest()
                .setClusterId(settings.clusterId())
                .setReplicaId(settings.nodeId())
                .setMaxBytes(settings.values().intValue(BrokerConfigs.CONTROLLER_QUORUM_FETCH_SNAPSHOT_MAX_BYTES));
        request.topics().add(topic);
        return request;
    }

    private void onResponse(Fetch fetch, FetchSnapshotResponse response) {
        FetchSnapshotResponse.PartitionSnapshot piece = piece(response);
        int error = response.errorCode() != ErrorCode.NONE.code() || piece == null
                ? response.errorCode()
                : piece.errorCode();
        if (piece == null || error != ErrorCode.NONE.code()) {
            LOG.info(
                    "Node {} is refused the metadata snapshot {} at byte {}: {}",
                    settings.nodeId(),
                    fetch.id(),
                    position,
                    ErrorCode.forCode((short) error));
            if (error == ErrorCode.SNAPSHOT_NOT_FOUND.code() || error == ErrorCode.POSITION_OUT_OF_RANGE.code()) {
                giveUp();
            }
            fetch.then().run();
            return;
        }
        try {
            take(fetch, piece);
        } catch (IOException e) {
            failed(fetch.id(), e);
            giveUp();
            fetch.then().run();
        }
    }

    private static FetchSnapshotResponse.@Nullable PartitionSnapshot piece(FetchSnapshotResponse response) {
        return response.topics().size() == 1
                        && response.topics().get(0).partitions().size() == 1
                ? response.topics().get(0).partitions().get(0)
                : null;
    }

    private void take(Fetch fetch, FetchSnapshotResponse.PartitionSnapshot piece) throws IOException {
        Records records = piece.unalignedRecords();
        ByteBuf bytes = records == null ? null : records.toByteBuf();
        boolean isOfIt = piece.snapshotId().endOffset() == fetch.id().endOffset()
                && piece.snapshotId().epoch() == fetch.id().leaderEpoch()
                && piece.position() == position;
        if (!isOfIt || bytes == null || !bytes.isReadable() || position + bytes.readableBytes() > piece.size()) {
            throw new IOException("The leader answered with byte " + piece.position() + " of " + piece.size() + " of "
                    + piece.snapshotId() + "; expected byte " + position + " of " + fetch.id());
        }
        try (DiskFile part = disk.open(SnapshotFiles.part(folder, fetch.id()))) {
            part.write(bytes.nioBuffer(), position);
        }
        position += bytes.readableBytes();
        installer.onPiece();
        if (position < piece.size()) {
            send(fetch);
        } else {
            finish(fetch);
        }
    }

    /** Beside the loop: it is read once before it gets its name, so that what is damaged never gets one. */
    private void finish(Fetch fetch) {
        wanted = null;
        loop.runBeside(MetadataSnapshots.LANE, () -> finished(fetch.id()), (snapshot, failure) -> {
            if (!isAwaited(fetch)) {
                return;
            }
            try {
                if (failure != null || snapshot == null) {
                    throw failure instanceof IOException io ? io : new IOException(failure);
                }
                installer.install(fetch.id(), snapshot);
                LOG.info("Node {} has its metadata from the snapshot {}", settings.nodeId(), fetch.id());
            } catch (IOException e) {
                failed(fetch.id(), e);
            }
            fetch.then().run();
        });
    }

    private Snapshot finished(SnapshotId id) throws IOException {
        Path part = SnapshotFiles.part(folder, id);
        Snapshot snapshot = new SnapshotReader(disk, part).read(id);
        try (DiskFile file = disk.open(part)) {
            file.force(true);
        }
        SnapshotFiles.finish(disk, folder, id);
        return snapshot;
    }

    private void failed(SnapshotId id, IOException cause) {
        LOG.error("Node {} could not take over the metadata snapshot {}; it tries again", settings.nodeId(), id, cause);
    }

    private void giveUp() {
        SnapshotId given = wanted;
        wanted = null;
        if (given != null) {
            try {
                disk.delete(SnapshotFiles.part(folder, given));
            } catch (IOException e) {
                LOG.warn("Left to the next start to delete: {}", SnapshotFiles.part(folder, given), e);
            }
        }
    }

    void close() {
        isClosed = true;
        if (peer != null) {
            peer.close();
        }
    }
}

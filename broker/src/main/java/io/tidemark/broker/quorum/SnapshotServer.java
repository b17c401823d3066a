package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchSnapshotRequest;
import io.tidemark.broker.protocol.message.FetchSnapshotResponse;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.types.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Serves FetchSnapshot (KIP-630): the leader hands a snapshot out piece by piece, and the replica says where it is, so
 * a request can be sent again, and a fetch can go on where another one stopped. On the node's loop only.
 */
final class SnapshotServer {
    private static final String TOPIC = "__cluster_metadata";
    private static final short TELLS_ENDPOINTS = 1;

    private final QuorumSettings settings;
    private final MetadataSnapshots snapshots;

    SnapshotServer(QuorumSettings settings, MetadataSnapshots snapshots) {
        this.settings = settings;
        this.snapshots = snapshots;
    }

    /**
     * The quorum as this node sees it.
     *
     * @param isLeader whether this node leads it
     * @param leaderEpoch the epoch
     * @param leaderId the leader, -1 where none is known
     * @param leader where the leader is, where that is known
     */
    record View(
            boolean isLeader,
            int leaderEpoch,
            int leaderId,
            @Nullable Endpoint leader) {}

    FetchSnapshotResponse serve(FetchSnapshotRequest request, short version, View view) {
        String clusterId = request.clusterId();
        if (clusterId != null && !clusterId.equals(settings.clusterId())) {
            return new FetchSnapshotResponse().setErrorCode(ErrorCode.INCONSISTENT_CLUSTER_ID.code());
        }
        FetchSnapshotRequest.PartitionSnapshot asked = metadataPartition(request);
        if (asked == null) {
            return answer(new FetchSnapshotResponse.PartitionSnapshot()
                    .setErrorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
        }
        ErrorCode refusal = refusal(asked.currentLeaderEpoch(), view);
        if (refusal != ErrorCode.NONE) {
            return withLeader(refused(refusal), version, view);
        }
        SnapshotId id = new SnapshotId(
                asked.snapshotId().endOffset(), asked.snapshotId().epoch());
        long size = snapshots.sizeInBytes(id);
        if (size < 0) {
            return withLeader(refused(ErrorCode.SNAPSHOT_NOT_FOUND), version, view);
        }
        if (asked.position() < 0 || asked.position() >= size) {
            return withLeader(refused(ErrorCode.POSITION_OUT_OF_RANGE), version, view);
        }
        try {
            ByteBuf bytes = snapshots.read(id, asked.position(), Math.max(1, request.maxBytes()));
            return withLeader(
                    answer(new FetchSnapshotResponse.PartitionSnapshot()
                            .setSnapshotId(new FetchSnapshotResponse.SnapshotId()
                                    .setEndOffset(id.endOffset())
                                    .setEpoch(id.leaderEpoch()))
                            .setSize(size)
                            .setPosition(asked.position())
                            .setUnalignedRecords(new BufferRecords(bytes))),
                    version,
                    view);
        } catch (IOException e) {
            throw new UncheckedIOException("Metadata snapshot " + id + " could not be read", e);
        }
    }

    private static FetchSnapshotRequest.@Nullable PartitionSnapshot metadataPartition(FetchSnapshotRequest request) {
        for (FetchSnapshotRequest.TopicSnapshot topic : request.topics()) {
            if (topic.name().equals(TOPIC)) {
                for (FetchSnapshotRequest.PartitionSnapshot partition : topic.partitions()) {
                    if (partition.partition() == 0) {
                        return partition;
                    }
                }
            }
        }
        return null;
    }

    private static ErrorCode refusal(int currentLeaderEpoch, View view) {
        if (currentLeaderEpoch < view.leaderEpoch()) {
            return ErrorCode.FENCED_LEADER_EPOCH;
        }
        if (currentLeaderEpoch > view.leaderEpoch()) {
            return ErrorCode.UNKNOWN_LEADER_EPOCH;
        }
        return view.isLeader() ? ErrorCode.NONE : ErrorCode.NOT_LEADER_OR_FOLLOWER;
    }

    private static FetchSnapshotResponse refused(ErrorCode error) {
        return answer(new FetchSnapshotResponse.PartitionSnapshot().setErrorCode(error.code()));
    }

    private static FetchSnapshotResponse answer(FetchSnapshotResponse.PartitionSnapshot partition) {
        FetchSnapshotResponse.TopicSnapshot topic = new FetchSnapshotResponse.TopicSnapshot().setName(TOPIC);
        if (partition.unalignedRecords() == null) {
            partition.setUnalignedRecords(BufferRecords.EMPTY);
        }
        topic.partitions().add(partition.setIndex(0));
        FetchSnapshotResponse response = new FetchSnapshotResponse();
        response.topics().add(topic);
        return response;
    }

    private static FetchSnapshotResponse withLeader(FetchSnapshotResponse response, short version, View view) {
        response.topics()
                .get(0)
                .partitions()
                .get(0)
                .setCurrentLeader(new FetchSnapshotResponse.LeaderIdAndEpoch()
                        .setLeaderId(view.leaderId())
                        .setLeaderEpoch(view.leaderEpoch()));
        Endpoint leader = view.leader();
        if (version >= TELLS_ENDPOINTS && leader != null && view.leaderId() >= 0) {
            response.nodeEndpoints()
                    .add(new FetchSnapshotResponse.NodeEndpoint()
                            .setNodeId(view.leaderId())
                            .setHost(leader.host())
                            .setPort(leader.port()));
        }
        return response;
    }
}

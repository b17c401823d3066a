package io.tidemark.broker.quorum;

import io.tidemark.broker.log.LogSlice;
import io.tidemark.broker.log.OffsetOutOfRangeException;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchRequest.FetchPartition;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.raft.FetchOutcome;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.RaftEffect;
import io.tidemark.broker.raft.RaftNode;
import io.tidemark.broker.raft.ReplicaKey;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Serves replicas of the metadata log. A fetch that finds nothing new waits until the high watermark moves, or its time
 * is up. An observer is given committed records only, so that it never has to cut what it holds for want of a vote.
 */
final class MetadataFetches {
    /** The fetch version from which a replica tells the high watermark that it knows, and so what it has applied. */
    private static final short TELLS_HIGH_WATERMARK = 18;

    /** The fetch version from which a refusal tells where the leader is. */
    private static final short TELLS_ENDPOINTS = 17;

    private final QuorumSettings settings;
    private final RaftNode raft;
    private final MetadataLog log;
    private final Clock clock;
    private final Loop loop;
    private final IntFunction<@Nullable Endpoint> endpoints;
    private final AppliedListener applied;
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    /** @param endpoints where a controller is reached by the others, as far as that is known */
    MetadataFetches(
            QuorumSettings settings,
            RaftNode raft,
            MetadataLog log,
            Clock clock,
            Loop loop,
            IntFunction<@Nullable Endpoint> endpoints,
            AppliedListener applied) {
        this.settings = settings;
        this.raft = raft;
        this.log = log;
        this.clock = clock;
        this.loop = loop;
        this.endpoints = endpoints;
        this.applied = applied;
    }

    /** Hears what a broker has applied. */
    @FunctionalInterface
    interface AppliedListener {
        void onApplied(int brokerId, long metadataOffset);
    }

    /** A fetch that waits for news. */
    private static final class Waiting {
        private final Asked asked;
        private final Consumer<FetchResponse> respond;
        private Loop.@Nullable Timer timer;

        Waiting(Asked asked, Consumer<FetchResponse> respond) {
            this.asked = asked;
            this.respond = respond;
        }
    }

    /** What of a request matters here. */
    private record Asked(ReplicaKey replica, FetchPartition partition, int maxBytes, long knownHighWatermark) {}

    /** Effects for the driver: a voter's fetch may move the high watermark. */
    List<RaftEffect> fetch(FetchRequest request, short version, Consumer<FetchResponse> respond) {
        String clusterId = request.clusterId();
        if (clusterId != null && !clusterId.equals(settings.clusterId())) {
            respond.accept(new FetchResponse().setErrorCode(ErrorCode.INCONSISTENT_CLUSTER_ID.code()));
            return List.of();
        }
        FetchPartition partition = metadataPartition(request);
        if (partition == null) {
            respond.accept(new FetchResponse().setErrorCode(ErrorCode.INVALID_REQUEST.code()));
            return List.of();
        }
        Asked asked = asked(request, partition, version);
        FetchOutcome outcome = raft.onFetch(
                asked.replica(),
                partition.currentLeaderEpoch(),
                partition.fetchOffset(),
                partition.lastFetchedEpoch(),
                clock.monotonicMs());
        if (outcome instanceof FetchOutcome.Refused refused) {
            respond.accept(refusal(refused.error(), version));
            return List.of();
        }
        if (outcome instanceof FetchOutcome.Diverging diverging) {
            FetchResponse response = response(ErrorCode.NONE);
            partition(response)
                    .setDivergingEpoch(new FetchResponse.EpochEndOffset()
                            .setEpoch(diverging.leaderEpoch())
                            .setEndOffset(diverging.endOffset()));
            respond.accept(response);
            return List.of();
        }
        if (outcome instanceof FetchOutcome.SnapshotNeeded needed) {
            FetchResponse response = response(ErrorCode.NONE);
            partition(response)
                    .setSnapshotId(new FetchResponse.SnapshotId()
                            .setEndOffset(needed.snapshot().endOffset())
                            .setEpoch(needed.snapshot().leaderEpoch()));
            respond.accept(response);
            return List.of();
        }
        List<RaftEffect> effects = note(asked);
        if (hasNews(asked) || request.maxWaitMs() <= 0) {
            respond.accept(records(asked));
        } else {
            await(asked, request.maxWaitMs(), respond);
        }
        return effects;
    }

    private static @Nullable FetchPartition metadataPartition(FetchRequest request) {
        if (request.topics().size() != 1) {
            return null;
        }
        FetchRequest.FetchTopic topic = request.topics().get(0);
        boolean isMetadata =
                topic.topicId().equals(Uuid.METADATA_TOPIC_ID) || "__cluster_metadata".equals(topic.topic());
        if (!isMetadata
                || topic.partitions().size() != 1
                || topic.partitions().get(0).partition() != 0) {
            return null;
        }
        return topic.partitions().get(0);
    }

    private Asked asked(FetchRequest request, FetchPartition partition, short version) {
        int replicaId =
                request.replicaState().replicaId() >= 0 ? request.replicaState().replicaId() : request.replicaId();
        int maxBytes = Math.min(settings.fetchMaxBytes(), Math.max(request.maxBytes(), 0));
        long knownHighWatermark = version >= TELLS_HIGH_WATERMARK ? partition.highWatermark() : Long.MAX_VALUE;
        return new Asked(
                new ReplicaKey(replicaId, partition.replicaDirectoryId()), partition, maxBytes, knownHighWatermark);
    }

    private List<RaftEffect> note(Asked asked) {
        if (asked.replica().nodeId() < 0) {
            return List.of();
        }
        if (asked.knownHighWatermark() > 0 && asked.knownHighWatermark() != Long.MAX_VALUE) {
            applied.onApplied(asked.replica().nodeId(), asked.knownHighWatermark() - 1);
        }
        return raft.onReplicaAt(asked.replica(), asked.partition().fetchOffset(), clock.wallTimeMs());
    }

    private long readableEnd(Asked asked) {
        if (!(raft.role() instanceof Leader leader)) {
            return 0;
        }
        return leader.isVoter(asked.replica()) ? log.endOffset() : Math.max(leader.highWatermark(), 0);
    }

    private boolean hasNews(Asked asked) {
        long highWatermark = raft.role() instanceof Leader leader ? leader.highWatermark() : -1;
        return asked.partition().fetchOffset() < readableEnd(asked) || asked.knownHighWatermark() < highWatermark;
    }

    private void await(Asked asked, long maxWaitMs, Consumer<FetchResponse> respond) {
        Waiting fetch = new Waiting(asked, respond);
        waiting.add(fetch);
        fetch.timer = loop.schedule(maxWaitMs, () -> {
            waiting.remove(fetch);
            respond.accept(records(asked));
        });
    }

    void onHighWatermark() {
        for (Waiting fetch : List.copyOf(waiting)) {
            if (end(fetch)) {
                fetch.respond.accept(records(fetch.asked));
            }
        }
    }

    /** There are new records in the log: voters are to have them before they are committed. */
    void onAppended() {
        for (Waiting fetch : List.copyOf(waiting)) {
            if (hasNews(fetch.asked) && end(fetch)) {
                fetch.respond.accept(records(fetch.asked));
            }
        }
    }

    /** This node leads no more: who waits is sent on to whoever does. */
    void onLeadershipLost() {
        for (Waiting fetch : List.copyOf(waiting)) {
            if (end(fetch)) {
                fetch.respond.accept(response(ErrorCode.NOT_LEADER_OR_FOLLOWER));
            }
        }
    }

    private boolean end(Waiting fetch) {
        if (fetch.timer != null) {
            fetch.timer.cancel();
        }
        return waiting.remove(fetch);
    }

    void close() {
        for (Waiting fetch : waiting) {
            if (fetch.timer != null) {
                fetch.timer.cancel();
            }
        }
        waiting.clear();
    }

    private FetchResponse records(Asked asked) {
        ErrorCode refusal = raft.refusal(asked.partition().currentLeaderEpoch());
        FetchResponse response = response(refusal);
        if (refusal != ErrorCode.NONE) {
            return response;
        }
        try {
            LogSlice slice = log.read(asked.partition().fetchOffset(), asked.maxBytes(), readableEnd(asked));
            partition(response).setRecords(slice);
        } catch (OffsetOutOfRangeException e) {
            partition(response).setErrorCode(ErrorCode.OFFSET_OUT_OF_RANGE.code());
        } catch (IOException e) {
            throw new UncheckedIOException("Metadata log in " + log.folder() + " could not be read", e);
        }
        return response;
    }

    private FetchResponse refusal(ErrorCode error, short version) {
        FetchResponse response = response(error);
        Endpoint leader = version >= TELLS_ENDPOINTS ? endpoints.apply(raft.leaderId()) : null;
        if (leader != null) {
            response.nodeEndpoints()
                    .add(new FetchResponse.NodeEndpoint()
                            .setNodeId(raft.leaderId())
                            .setHost(leader.host())
                            .setPort(leader.port()));
        }
        return response;
    }

    private FetchResponse response(ErrorCode error) {
        long highWatermark = raft.role() instanceof Leader leader ? leader.highWatermark() : -1;
        FetchResponse.PartitionData partition = new FetchResponse.PartitionData()
                .setPartitionIndex(0)
                .setErrorCode(error.code())
                .setHighWatermark(highWatermark)
                .setLogStartOffset(log.startOffset())
                .setCurrentLeader(new FetchResponse.LeaderIdAndEpoch()
                        .setLeaderId(raft.leaderId())
                        .setLeaderEpoch(raft.role().leaderEpoch()))
                .setRecords(BufferRecords.EMPTY);
        FetchResponse.FetchableTopicResponse topic = new FetchResponse.FetchableTopicResponse()
                .setTopic("__cluster_metadata")
                .setTopicId(Uuid.METADATA_TOPIC_ID);
        topic.setPartitions(new ArrayList<>(List.of(partition)));
        FetchResponse response = new FetchResponse();
        response.responses().add(topic);
        return response;
    }

    private static FetchResponse.PartitionData partition(FetchResponse response) {
        return response.responses().get(0).partitions().get(0);
    }
}

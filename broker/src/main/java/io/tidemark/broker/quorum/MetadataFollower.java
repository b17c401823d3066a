package io.tidemark.broker.quorum;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.raft.Follower;
import io.tidemark.broker.raft.RaftEffect;
import io.tidemark.broker.raft.RaftNode;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An observer of the quorum: keeps this broker's own copy of the metadata log by fetching from the leader, and replays
 * it as far as the leader's high watermark. One fetch is always under way; the leader holds it until there is news. On
 * the node's loop only.
 */
final class MetadataFollower implements MetadataSource {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataFollower.class);
    private static final String ELECTION_LANE = "quorum-state";
    private static final int MAX_WAIT_MS = 500;

    private final QuorumSettings settings;
    private final Clock clock;
    private final Loop loop;
    private final Peers peers;
    private final Disk disk;
    private final LogDirectory directory;
    private final QuorumAddresses addresses;
    private final MetadataPublisher committed = new MetadataPublisher();

    private @Nullable State state;
    private boolean isClosed;

    MetadataFollower(
            QuorumSettings settings,
            Clock clock,
            Loop loop,
            Peers peers,
            Disk disk,
            LogDirectory directory,
            QuorumAddresses addresses) {
        this.settings = settings;
        this.clock = clock;
        this.loop = loop;
        this.peers = peers;
        this.disk = disk;
        this.directory = directory;
        this.addresses = addresses;
    }

    /** What is there once the log is open. */
    private static final class State {
        private final MetadataLog log;
        private final RaftNode raft;
        private final QuorumStateFile file;
        private QuorumVoter target;
        private @Nullable Peer peer;

        State(MetadataLog log, RaftNode raft, QuorumStateFile file, QuorumVoter target) {
            this.log = log;
            this.raft = raft;
            this.file = file;
            this.target = target;
        }
    }

    void start() throws IOException {
        MetadataLog log = MetadataLog.open(directory, settings, clock, loop, durableEnd -> {});
        QuorumStateFile file = new QuorumStateFile(disk, log.folder(), settings.voterIds());
        RaftNode raft = new RaftNode(settings.nodeId(), settings.directoryId(), settings.voterIds(), file.read(), log);
        State started = new State(log, raft, file, addresses.leaderOrAny());
        state = started;
        fetch(started);
    }

    void close() {
        isClosed = true;
        if (state != null && state.peer != null) {
            state.peer.close();
        }
    }

    @Override
    public MetadataImage image() {
        return committed.image();
    }

    @Override
    public void addListener(MetadataListener listener) {
        committed.addListener(listener);
    }

    private void fetch(State at) {
        if (isClosed) {
            return;
        }
        Peer peer = at.peer;
        if (peer == null) {
            peer = peers.open(at.target.host(), at.target.port(), "metadata-fetcher");
            at.peer = peer;
        }
        peer.send(request(at), settings.requestTimeoutMs() + MAX_WAIT_MS, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                if (!isClosed) {
                    MetadataFollower.this.onResponse(at, (FetchResponse) response);
                }
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("Broker {} got no metadata from {}: {}", settings.nodeId(), at.target, cause.getMessage());
                moveOn(at, addresses.next(at.target));
                again(at);
            }
        });
    }

    private FetchRequest request(State at) {
        FetchRequest request = new FetchRequest()
                .setClusterId(settings.clusterId())
                .setMaxWaitMs(MAX_WAIT_MS)
                .setMinBytes(1)
                .setMaxBytes(settings.fetchMaxBytes())
                .setReplicaState(new FetchRequest.ReplicaState().setReplicaId(settings.nodeId()));
        long highWatermark = at.raft.role() instanceof Follower follower ? follower.highWatermark() : -1;
        FetchRequest.FetchTopic topic = new FetchRequest.FetchTopic().setTopicId(Uuid.METADATA_TOPIC_ID);
        topic.partitions()
                .add(new FetchRequest.FetchPartition()
                        .setPartition(0)
                        .setCurrentLeaderEpoch(at.raft.role().leaderEpoch())
                        .setFetchOffset(at.log.endOffset())
                        .setLastFetchedEpoch(at.log.lastEpoch())
                        .setReplicaDirectoryId(settings.directoryId())
                        .setPartitionMaxBytes(settings.fetchMaxBytes())
                        .setHighWatermark(highWatermark));
        request.topics().add(topic);
        return request;
    }

    private void onResponse(State at, FetchResponse response) {
        FetchResponse.PartitionData partition = partition(response);
        if (response.errorCode() != ErrorCode.NONE.code() || partition == null) {
            LOG.warn(
                    "Broker {} cannot fetch metadata from {}: {}; it tries again",
                    settings.nodeId(),
                    at.target,
                    ErrorCode.forCode(response.errorCode()));
            again(at);
            return;
        }
        boolean news = hearOfLeader(at, response, partition);
        if (partition.errorCode() != ErrorCode.NONE.code()) {
            if (news) {
                fetch(at);
            } else {
                again(at);
            }
            return;
        }
        try {
            take(at, partition);
        } catch (IOException e) {
            throw new UncheckedIOException("Broker " + settings.nodeId() + " cannot keep its metadata log", e);
        }
        fetch(at);
    }

    private static FetchResponse.@Nullable PartitionData partition(FetchResponse response) {
        if (response.responses().size() != 1
                || response.responses().get(0).partitions().size() != 1) {
            return null;
        }
        return response.responses().get(0).partitions().get(0);
    }

    private boolean hearOfLeader(State at, FetchResponse response, FetchResponse.PartitionData partition) {
        response.nodeEndpoints()
                .forEach(node -> addresses.learn(new QuorumVoter(node.nodeId(), node.host(), node.port())));
        int leaderId = partition.currentLeader().leaderId();
        boolean news = at.raft.onLeaderHeardOf(partition.currentLeader().leaderEpoch(), leaderId);
        if (news) {
            persist(at, at.raft.election());
        }
        if (leaderId >= 0) {
            addresses.leader(leaderId);
            moveOn(at, addresses.leaderOrAny());
        }
        return news;
    }

    /** An observer has no vote to forget: nothing waits for this write. */
    private void persist(State at, ElectionState election) {
        loop.runBeside(
                ELECTION_LANE,
                () -> {
                    at.file.note(election);
                    return election;
                },
                (written, failure) -> {
                    if (failure != null) {
                        LOG.warn("Broker {} could not write {}", settings.nodeId(), election, failure);
                    }
                });
    }

    private void take(State at, FetchResponse.PartitionData partition) throws IOException {
        FetchResponse.EpochEndOffset diverging = partition.divergingEpoch();
        if (diverging.epoch() >= 0) {
            perform(at, at.raft.onDiverging(diverging.epoch(), diverging.endOffset()));
            return;
        }
        Records records = partition.records();
        if (records != null && records.sizeInBytes() > 0) {
            at.log.appendAsFollower(records.toByteBuf(), at.raft.role().leaderEpoch());
        }
        perform(at, at.raft.onFetched(partition.highWatermark()));
    }

    private void perform(State at, List<RaftEffect> effects) throws IOException {
        for (RaftEffect effect : effects) {
            if (effect instanceof RaftEffect.Truncate truncate) {
                truncate(at, truncate.endOffset());
            } else if (effect instanceof RaftEffect.HighWatermarkMoved moved) {
                replay(at, moved.highWatermark());
            }
        }
    }

    private void truncate(State at, long endOffset) throws IOException {
        if (endOffset <= committed.image().lastOffset()) {
            throw new IllegalStateException("The quorum's leader has another metadata log than this broker from offset "
                    + endOffset + " on, but broker " + settings.nodeId() + " has replayed up to "
                    + committed.image().lastOffset()
                    + " as committed. The controller has lost its log; start the cluster anew");
        }
        LOG.info(
                "Broker {} cuts its metadata log to {}, where it parts from the leader's",
                settings.nodeId(),
                endOffset);
        at.log.truncateTo(endOffset);
    }

    private void replay(State at, long highWatermark) throws IOException {
        long from = committed.image().lastOffset() + 1;
        if (from < highWatermark) {
            MetadataDelta delta = new MetadataDelta(committed.image());
            at.log.replay(from, highWatermark, delta);
            committed.publish(delta);
        }
    }

    private static void moveOn(State at, QuorumVoter target) {
        if (!target.equals(at.target)) {
            if (at.peer != null) {
                at.peer.close();
                at.peer = null;
            }
            at.target = target;
        }
    }

    private void again(State at) {
        if (!isClosed) {
            loop.schedule(settings.retryBackoffMs(), () -> fetch(at));
        }
    }
}

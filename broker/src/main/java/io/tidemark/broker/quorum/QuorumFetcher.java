package io.tidemark.broker.quorum;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.raft.Follower;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.RaftEffect;
import io.tidemark.broker.raft.RaftNode;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the metadata log from the quorum's leader, and finds out who that is where this node does not know. One fetch
 * is always under way; the leader holds it until there is news. A voter asks for more only when what it has is durable,
 * for by the offset that it asks from it tells what it has. On the node's loop only.
 */
final class QuorumFetcher {
    private static final NodeLog LOG = NodeLog.of(QuorumFetcher.class);
    private static final long MOST_WAIT_MS = 500;

    private final QuorumSettings settings;
    private final Clock clock;
    private final Loop loop;
    private final Peers peers;
    private final QuorumAddresses addresses;
    private final MetadataLog log;
    private final RaftNode raft;
    private final Consumer<List<RaftEffect>> effects;
    private final SnapshotSource snapshots;
    private final boolean isDurable;
    private final long waitMs;

    private @Nullable Peer peer;
    private @Nullable QuorumVoter target;
    private Loop.@Nullable Timer retry;
    private boolean isUnderWay;
    private boolean isProbe;
    private boolean isClosed;

    /** Which fetch an answer belongs to; an older one is not listened to. */
    private int number;

    /**
     * @param effects performs what the quorum's rules decide
     * @param snapshots what to do where the leader has only a snapshot of what comes next
     * @param isDurable whether this node asks only for what follows the durable part of its log, as a voter has to
     */
    QuorumFetcher(
            QuorumSettings settings,
            Clock clock,
            Loop loop,
            Peers peers,
            QuorumAddresses addresses,
            MetadataLog log,
            RaftNode raft,
            Consumer<List<RaftEffect>> effects,
            SnapshotSource snapshots,
            boolean isDurable) {
        this.settings = settings;
        this.clock = clock;
        this.loop = loop;
        this.peers = peers;
        this.addresses = addresses;
        this.log = log;
        this.raft = raft;
        this.effects = effects;
        this.snapshots = snapshots;
        this.isDurable = isDurable;
        this.waitMs = Math.max(1, Math.min(MOST_WAIT_MS, settings.fetchTimeoutMs() / 2));
    }

    /** Gets what the leader no longer has in its log. */
    @FunctionalInterface
    interface SnapshotSource {
        /**
         * @param leader where the leader is
         * @param leaderEpoch its epoch
         * @param then called on the loop when the log begins at the snapshot's end, or when it could not be had
         */
        void fetch(QuorumVoter leader, int leaderEpoch, SnapshotId snapshot, Runnable then);
    }

    /** There is another leader, or none: what is under way is not waited for. */
    void redirect() {
        number++;
        isUnderWay = false;
        isProbe = false;
        cancelRetry();
        fetch();
    }

    /** Fetches, unless a fetch is under way or has to wait. Harmless to repeat. */
    void fetch() {
        if (isClosed || isUnderWay || retry != null || raft.role() instanceof Leader) {
            return;
        }
        if (isDurable && (raft.isElectionPending() || !log.isDurable())) {
            // Called again when it is.
            return;
        }
        QuorumVoter asked = choose();
        if (asked.nodeId() == settings.nodeId()) {
            asked = addresses.another(asked);
            if (asked.nodeId() == settings.nodeId()) {
                return;
            }
        }
        send(asked);
    }

    private QuorumVoter choose() {
        int leaderId = raft.role() instanceof Follower follower ? follower.leaderId() : ElectionState.NOBODY;
        QuorumVoter known = leaderId == ElectionState.NOBODY ? addresses.leaderOrAny() : addresses.node(leaderId);
        QuorumVoter last = target;
        return isProbe && last != null ? addresses.another(last) : known;
    }

    private void send(QuorumVoter asked) {
        Peer link = peer;
        if (link == null || !asked.equals(target)) {
            if (link != null) {
                link.close();
            }
            link = peers.open(asked.host(), asked.port(), "metadata-fetcher");
            peer = link;
            target = asked;
        }
        isUnderWay = true;
        int sent = ++number;
        int leaderEpoch = raft.role().leaderEpoch();
        long timeoutMs = Math.min(settings.requestTimeoutMs(), settings.fetchTimeoutMs()) + waitMs;
        link.send(request(leaderEpoch), timeoutMs, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                // Under way until it is dealt with: what comes of it must not fetch from the same offset again.
                if (!isClosed && sent == number) {
                    QuorumFetcher.this.onResponse(asked, leaderEpoch, (FetchResponse) response);
                }
            }

            @Override
            public void onFailure(IOException cause) {
                if (!isClosed && sent == number) {
                    LOG.debug("Node {} got no metadata from {}: {}", settings.nodeId(), asked, cause.getMessage());
                    // Another may know of another leader; it may also have been a hiccup of this one.
                    isProbe = !isProbe;
                    again();
                }
            }
        });
    }

    private FetchRequest request(int leaderEpoch) {
        FetchRequest request = new FetchRequest()
                .setClusterId(settings.clusterId())
                .setMaxWaitMs((int) waitMs)
                .setMinBytes(1)
                .setMaxBytes(settings.fetchMaxBytes())
                .setReplicaState(new FetchRequest.ReplicaState().setReplicaId(settings.nodeId()));
        FetchRequest.FetchTopic topic = new FetchRequest.FetchTopic().setTopicId(Uuid.METADATA_TOPIC_ID);
        topic.partitions()
                .add(new FetchRequest.FetchPartition()
                        .setPartition(0)
                        .setCurrentLeaderEpoch(leaderEpoch)
                        .setFetchOffset(log.endOffset())
                        .setLastFetchedEpoch(log.lastEpoch())
                        .setReplicaDirectoryId(settings.directoryId())
                        .setPartitionMaxBytes(settings.fetchMaxBytes())
                        .setHighWatermark(raft.highWatermark()));
        request.topics().add(topic);
        return request;
    }

    private void onResponse(QuorumVoter from, int askedEpoch, FetchResponse response) {
        FetchResponse.PartitionData partition = partition(response);
        if (response.errorCode() != ErrorCode.NONE.code() || partition == null) {
            LOG.warn(
                    "Node {} cannot fetch metadata from {}: {}; it tries again",
                    settings.nodeId(),
                    from,
                    ErrorCode.forCode(response.errorCode()));
            again();
            return;
        }
        response.nodeEndpoints()
                .forEach(node -> addresses.learn(new QuorumVoter(node.nodeId(), node.host(), node.port())));
        boolean isServed = partition.errorCode() == ErrorCode.NONE.code();
        int leaderId = partition.currentLeader().leaderId();
        int before = number;
        int epochBefore = raft.role().leaderEpoch();
        effects.accept(
                raft.onLeaderHeardOf(partition.currentLeader().leaderEpoch(), leaderId, isServed, clock.monotonicMs()));
        if (leaderId >= 0 && raft.leaderId() == leaderId) {
            addresses.leader(leaderId);
        }
        if (isClosed || number != before) {
            // That was news, and the next fetch is under way already.
            return;
        }
        boolean isOfLeader = raft.role() instanceof Follower follower && follower.leaderEpoch() == askedEpoch;
        if (isServed && isOfLeader) {
            isProbe = false;
            take(from, partition);
        } else if (epochBefore != raft.role().leaderEpoch()) {
            next();
        } else {
            isProbe = !isProbe || raft.leaderId() == ElectionState.NOBODY;
            again();
        }
    }

    private static FetchResponse.@Nullable PartitionData partition(FetchResponse response) {
        if (response.responses().size() != 1
                || response.responses().get(0).partitions().size() != 1) {
            return null;
        }
        return response.responses().get(0).partitions().get(0);
    }

    private void take(QuorumVoter leader, FetchResponse.PartitionData partition) {
        FetchResponse.EpochEndOffset diverging = partition.divergingEpoch();
        FetchResponse.SnapshotId snapshot = partition.snapshotId();
        if (snapshot.endOffset() >= 0 && snapshot.epoch() >= 0) {
            int waiting = number;
            snapshots.fetch(
                    leader, raft.role().leaderEpoch(), new SnapshotId(snapshot.endOffset(), snapshot.epoch()), () -> {
                        if (!isClosed && waiting == number) {
                            again();
                        }
                    });
            return;
        }
        if (diverging.epoch() >= 0) {
            effects.accept(raft.onDiverging(diverging.epoch(), diverging.endOffset(), clock.monotonicMs()));
        } else {
            append(partition.records());
            effects.accept(raft.onFetched(partition.highWatermark(), clock.monotonicMs()));
        }
        next();
    }

    private void next() {
        isUnderWay = false;
        fetch();
    }

    private void append(@Nullable Records records) {
        if (records == null || records.sizeInBytes() == 0) {
            return;
        }
        try {
            log.appendAsFollower(records.toByteBuf(), raft.role().leaderEpoch());
            if (isDurable) {
                log.force();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Node " + settings.nodeId() + " cannot keep its metadata log", e);
        }
    }

    private void again() {
        isUnderWay = false;
        if (!isClosed && retry == null) {
            retry = loop.schedule(settings.retryBackoffMs(), () -> {
                retry = null;
                fetch();
            });
        }
    }

    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }

    void close() {
        isClosed = true;
        cancelRetry();
        if (peer != null) {
            peer.close();
        }
    }
}

package io.tidemark.broker.quorum;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.FetchSnapshotRequest;
import io.tidemark.broker.protocol.message.FetchSnapshotResponse;
import io.tidemark.broker.quorum.SnapshotReader.Formatted;
import io.tidemark.broker.quorum.SnapshotReader.Snapshot;
import io.tidemark.broker.quorum.SnapshotWriter.QuorumState;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.RaftEffect;
import io.tidemark.broker.raft.RaftNode;
import io.tidemark.broker.raft.RaftReply;
import io.tidemark.broker.raft.RaftRequest;
import io.tidemark.broker.raft.ReplicaKey;
import io.tidemark.broker.raft.Role;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.raft.VoterHistory;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.StallCount;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One node's copy of the metadata log, and its part in the quorum: does what {@link RaftNode} decides. A controller's
 * is durable: its vote, its epoch and its log are forced before anybody hears of them. A broker's is not, for a broker
 * promises nobody anything. On the node's loop only.
 */
final class QuorumReplica {
    private static final NodeLog LOG = NodeLog.of(QuorumReplica.class);
    private static final String ELECTION_LANE = "quorum-state";

    /** A timer that comes this much late is a matter of scheduling, not of a stall. */
    private static final long TOLERATED_LATENESS_MS = 5;

    private static final long RESIGN_TIMEOUT_MS = 1_000;

    private final QuorumSettings settings;
    private final Clock clock;
    private final Disk disk;
    private final Loop loop;
    private final QuorumPeers quorumPeers;
    private final QuorumAddresses addresses;
    private final Listener listener;
    private final boolean isDurable;
    private final VoterHistory voters;
    private final LogDirectory directory;
    private final MetadataLog log;
    private final MetadataSnapshots snapshots;
    private final SnapshotServer snapshotServer;
    private final SnapshotFetcher snapshotFetcher;
    private final @Nullable Formatted formatted;
    private final QuorumStateFile file;
    private final RaftNode raft;
    private final QuorumFetcher fetcher;
    private final Stalls stalls;
    private final StallCount stallCount = new StallCount();
    private final SortedMap<Long, Consumer<RaftReply>> asked = new TreeMap<>();
    private long nextRequestId;
    private Loop.@Nullable Timer timer;
    private long timerMs;
    private boolean isClosed;

    /** What was there at the start, until it is handed on. */
    private @Nullable Snapshot loaded;

    /**
     * Opens the log; {@link #start} then takes part.
     *
     * @param stalls of the other voters, where they share the process
     * @param directory the directory of the metadata log, open
     * @param addresses where the voters are
     * @param endpoints the controller listeners of this node, none on a broker
     * @param random seeded, for the election timeouts
     * @param isDurable true on a controller
     */
    QuorumReplica(
            QuorumSettings settings,
            Clock clock,
            Stalls stalls,
            Loop loop,
            Peers peers,
            Disk disk,
            LogDirectory directory,
            QuorumAddresses addresses,
            List<Endpoint> endpoints,
            RandomGenerator random,
            boolean isDurable,
            Listener listener)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.stalls = stalls;
        this.disk = disk;
        this.loop = loop;
        this.isDurable = isDurable;
        this.listener = listener;
        this.voters = new VoterHistory(settings.voterSet());
        this.directory = directory;
        this.log = MetadataLog.open(directory, settings, clock, loop, this::onLogDurable, voters);
        this.snapshots = new MetadataSnapshots(settings, disk, clock, loop, log, this::quorumBelow);
        this.formatted = new FormattedFolder(disk, log.folder()).read();
        if (formatted != null) {
            noteVoters(SnapshotFiles.BOOTSTRAP, formatted.quorum());
        }
        this.loaded = snapshots.open();
        if (loaded != null) {
            noteVoters(snapshots.latest(), loaded.quorum());
        }
        this.snapshotServer = new SnapshotServer(settings, snapshots);
        this.snapshotFetcher = new SnapshotFetcher(settings, disk, loop, peers, log.folder(), new SnapshotInstaller());
        this.file = new QuorumStateFile(disk, log.folder(), settings.voterIds());
        this.raft =
                new RaftNode(settings.raft(), voters.voters(), isDurable ? file.read() : file.readNoted(), log, random);
        this.quorumPeers = new QuorumPeers(settings, peers, endpoints);
        this.addresses = addresses;
        addresses.learn(voters.voters());
        this.fetcher = new QuorumFetcher(
                settings, clock, loop, peers, addresses, log, raft, this::onFetched, snapshotFetcher::fetch, isDurable);
    }

    /** What a replica's owner makes of what happens to it. On the node's loop. */
    interface Listener {
        /** This node leads from here on; the record that says so is the last in its log. */
        default void onLeading(Leader leader) {}

        /** This node leads no more; what was not committed may be cut. */
        default void onLeadershipLost(int leaderEpoch) {}

        /** Records below are committed. */
        void onHighWatermark(long highWatermark);

        /** The committed metadata came as a whole: at the start, or because the leader has the records no more. */
        void onSnapshot(MetadataImage image);

        /** What is made of the committed records so far. */
        MetadataImage image();
    }

    /** Puts a fetched snapshot into the log's place. */
    private final class SnapshotInstaller implements SnapshotFetcher.Installer {
        @Override
        public void onPiece() {
            perform(raft.onSnapshotChunk(clock.monotonicMs()));
        }

        @Override
        public void install(SnapshotId id, Snapshot snapshot) throws IOException {
            snapshots.replaceLogBy(id, snapshot.sizeInBytes(), snapshot.lastTimestampMs());
            noteVoters(id, snapshot.quorum());
            listener.onSnapshot(snapshot.image());
            perform(raft.onSnapshotLoaded(id, clock.monotonicMs()));
        }
    }

    /** In the log, the records that a snapshot stands for would lie below its end. */
    private void noteVoters(@Nullable SnapshotId id, QuorumState quorum) {
        VoterSet known = quorum.voters();
        if (id != null && known != null) {
            voters.addKraftVersion(id.endOffset() - 1, quorum.kraftVersion());
            voters.addVoters(id.endOffset() - 1, known);
        }
    }

    private QuorumState quorumBelow(long endOffset) {
        short kraftVersion = voters.kraftVersionBelow(endOffset);
        return new QuorumState(kraftVersion, kraftVersion == 0 ? null : voters.votersBelow(endOffset));
    }

    /**
     * Serves a replica that fetches a snapshot.
     *
     * @param leader where the leader is, null where that is not known
     */
    FetchSnapshotResponse fetchSnapshot(FetchSnapshotRequest request, short version, @Nullable Endpoint leader) {
        for (FetchSnapshotRequest.TopicSnapshot topic : request.topics()) {
            for (FetchSnapshotRequest.PartitionSnapshot partition : topic.partitions()) {
                raft.onSnapshotFetch(
                        new ReplicaKey(request.replicaId(), partition.replicaDirectoryId()), clock.monotonicMs());
            }
        }
        SnapshotServer.View view = new SnapshotServer.View(
                raft.role() instanceof Leader, raft.role().leaderEpoch(), raft.leaderId(), leader);
        return snapshotServer.serve(request, version, view);
    }

    /** Starts to take part in the quorum. */
    void start() {
        if (loaded != null) {
            listener.onSnapshot(loaded.image());
            loaded = null;
        }
        snapshots.start();
        if (isDurable && log.endOffset() > 0) {
            // What a life before left in the page cache must not be told to a leader as durable.
            log.force();
        }
        if (isDurable) {
            directory.forceFormat(ELECTION_LANE);
        }
        perform(raft.start(clock.monotonicMs()));
    }

    /** What a new cluster starts with, as this node's folder was formatted; null where it was not. */
    @Nullable
    List<ApiMessage> bootstrapRecords() {
        return formatted == null || formatted.records().isEmpty() ? null : formatted.records();
    }

    /** Writes down, beside the loop, what this node formats its folder with. */
    void format(List<ApiMessage> records) {
        long nowMs = clock.wallTimeMs();
        loop.runBeside(
                MetadataSnapshots.LANE,
                () -> {
                    new FormattedFolder(disk, log.folder()).write(records, nowMs);
                    return records;
                },
                (written, failure) -> {
                    if (failure != null) {
                        LOG.warn("Node {} could not write down what it was formatted with", settings.nodeId(), failure);
                    }
                });
    }

    /** Who votes, by what is in the log. */
    VoterHistory voters() {
        return voters;
    }

    RaftNode raft() {
        return raft;
    }

    MetadataLog log() {
        return log;
    }

    /** Serves a request of another voter; the answer goes when what it rests on is durable. */
    void serve(RaftRequest request, Consumer<RaftReply> respond) {
        long requestId = nextRequestId++;
        asked.put(requestId, respond);
        perform(raft.onRequest(requestId, request, clock.monotonicMs()));
    }

    /** Does what the quorum's rules decided. */
    void perform(List<RaftEffect> effects) {
        if (isClosed) {
            return;
        }
        effects.forEach(this::perform);
        if (raft.voters() != voters.voters()) {
            // What is in the log counts, committed or not.
            addresses.learn(voters.voters());
            raft.onVoters(voters.voters(), clock.monotonicMs()).forEach(this::perform);
        }
        schedule();
        fetcher.fetch();
    }

    private void perform(RaftEffect effect) {
        if (effect instanceof RaftEffect.PersistElection persist) {
            persist(persist.state());
        } else if (effect instanceof RaftEffect.BeginEpoch begin) {
            beginEpoch(begin.leader());
        } else if (effect instanceof RaftEffect.EndEpoch end) {
            LOG.info("Controller {} no longer leads the quorum in epoch {}", settings.nodeId(), end.leaderEpoch());
            listener.onLeadershipLost(end.leaderEpoch());
        } else if (effect instanceof RaftEffect.LeaderChanged changed) {
            LOG.debug(
                    "Node {} knows of leader {} in epoch {}",
                    settings.nodeId(),
                    changed.leaderId(),
                    changed.leaderEpoch());
            fetcher.redirect();
        } else if (effect instanceof RaftEffect.HighWatermarkMoved moved) {
            listener.onHighWatermark(moved.highWatermark());
            snapshots.onCommitted(listener.image());
        } else if (effect instanceof RaftEffect.Truncate truncate) {
            truncate(truncate.endOffset());
        } else if (effect instanceof RaftEffect.Send send) {
            send(send.to(), send.request());
        } else if (effect instanceof RaftEffect.Answer answer) {
            Consumer<RaftReply> respond = asked.remove(answer.requestId());
            if (respond != null) {
                respond.accept(answer.reply());
            }
        }
    }

    private void persist(ElectionState state) {
        short kraftVersion = voters.kraftVersion();
        loop.runBeside(
                ELECTION_LANE,
                () -> {
                    if (isDurable) {
                        file.write(state, kraftVersion);
                    } else {
                        file.note(state, kraftVersion);
                    }
                    return state;
                },
                (written, failure) -> {
                    if (isDurable) {
                        onPersisted(state, failure);
                    } else if (failure != null) {
                        LOG.warn("Broker {} could not write {}", settings.nodeId(), state, failure);
                    }
                });
        if (!isDurable) {
            // A broker has no vote to forget: nothing waits for this write.
            perform(raft.onElectionDurable(state));
        }
    }

    private void onPersisted(ElectionState state, @Nullable Throwable failure) {
        if (failure != null) {
            throw new UncheckedIOException(
                    "Controller " + settings.nodeId() + " could not write its election state",
                    failure instanceof IOException io ? io : new IOException(failure));
        }
        if (!isClosed) {
            perform(raft.onElectionDurable(state));
        }
    }

    private void beginEpoch(Leader leader) {
        try {
            log.beginEpoch(leader, settings.nodeId());
            if (voters.kraftVersion() > 0 && voters.votersOffset() < 0) {
                // So far only this node's folder was formatted with them.
                log.appendKraftVersion(leader.leaderEpoch(), voters.kraftVersion());
                log.appendVoters(leader.leaderEpoch(), voters.voters());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Controller " + settings.nodeId() + " could not begin its epoch", e);
        }
        LOG.debug("Controller {} leads in epoch {}", settings.nodeId(), leader.leaderEpoch());
        listener.onLeading(leader);
    }

    private void truncate(long endOffset) {
        if (endOffset < raft.highWatermark()) {
            throw new IllegalStateException("The quorum's leader has another metadata log than node "
                    + settings.nodeId() + " from offset " + endOffset + " on, but up to " + raft.highWatermark()
                    + " it was committed. The quorum has lost its log; start the cluster anew");
        }
        LOG.info("Node {} cuts its metadata log to {}, where it parts from the leader's", settings.nodeId(), endOffset);
        try {
            log.truncateTo(endOffset);
        } catch (IOException e) {
            throw new UncheckedIOException("Node " + settings.nodeId() + " cannot cut its metadata log", e);
        }
    }

    private void send(Voter to, RaftRequest request) {
        quorumPeers.send(to, request, reply -> onAnswer(to, request, reply));
    }

    private void onAnswer(Voter from, RaftRequest request, @Nullable RaftReply reply) {
        long nowMs = clock.monotonicMs();
        perform(
                reply == null
                        ? raft.onNoReply(from.nodeId(), request, nowMs)
                        : raft.onReply(from.nodeId(), request, reply, nowMs));
    }

    private void onLogDurable(long endOffset) {
        if (!isClosed) {
            perform(raft.onLogDurable(endOffset));
        }
    }

    /** A timer that comes too early looks again; so that not each fetch makes a new one. */
    private void schedule() {
        long deadlineMs = raft.deadlineMs();
        if (deadlineMs == Role.NEVER || (timer != null && timerMs <= deadlineMs)) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timerMs = deadlineMs;
        timer = loop.schedule(Math.max(0, deadlineMs - clock.monotonicMs()), this::onTimer);
    }

    private void onTimer() {
        timer = null;
        long nowMs = clock.monotonicMs();
        long lateMs = nowMs - timerMs;
        long standstillMs = Math.max(lateMs > TOLERATED_LATENESS_MS ? lateMs : 0, othersStalledMs());
        if (standstillMs > 0) {
            raft.onStall(standstillMs, nowMs);
        }
        perform(raft.onTime(nowMs));
    }

    /** How long those stood still since the last call whose silence would end this node's term, or its trust. */
    private long othersStalledMs() {
        if (raft.role() instanceof Leader) {
            return raft.voters().voters().stream()
                    .mapToInt(Voter::nodeId)
                    .filter(id -> id != settings.nodeId())
                    .mapToLong(id -> stallCount.sinceLast(stalls, id))
                    .max()
                    .orElse(0);
        }
        return raft.leaderId() < 0 ? 0 : stallCount.sinceLast(stalls, raft.leaderId());
    }

    /** The leader is heard of: what it stood still before that is past. */
    private void onFetched(List<RaftEffect> effects) {
        othersStalledMs();
        perform(effects);
    }

    /**
     * Gives up leading, where this node does, and tells the others to elect somebody.
     *
     * @param then called when they know, or when that takes too long
     */
    void resign(Runnable then) {
        List<RaftEffect> effects = raft.resign(clock.monotonicMs());
        long[] open = {1};
        Loop.Timer deadline = loop.schedule(RESIGN_TIMEOUT_MS, () -> {
            if (open[0] > 0) {
                open[0] = -1;
                then.run();
            }
        });
        Runnable settled = () -> {
            if (--open[0] == 0) {
                deadline.cancel();
                then.run();
            }
        };
        for (RaftEffect effect : effects) {
            if (effect instanceof RaftEffect.Send send && send.request() instanceof RaftRequest.EndQuorumEpoch) {
                open[0]++;
                quorumPeers.send(send.to(), send.request(), reply -> settled.run());
            } else {
                perform(effect);
            }
        }
        settled.run();
    }

    void close() {
        isClosed = true;
        if (timer != null) {
            timer.cancel();
        }
        fetcher.close();
        snapshotFetcher.close();
        snapshots.close();
        quorumPeers.close();
        asked.clear();
    }
}

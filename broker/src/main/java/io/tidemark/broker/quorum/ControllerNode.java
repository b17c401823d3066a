package io.tidemark.broker.quorum;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.controller.Controller;
import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.controller.ControllerResult;
import io.tidemark.broker.controller.ControllerSettings;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.AddRaftVoterResponse;
import io.tidemark.broker.protocol.message.BeginQuorumEpochRequest;
import io.tidemark.broker.protocol.message.BeginQuorumEpochResponse;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.protocol.message.EndQuorumEpochRequest;
import io.tidemark.broker.protocol.message.EndQuorumEpochResponse;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.FetchSnapshotRequest;
import io.tidemark.broker.protocol.message.FetchSnapshotResponse;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterResponse;
import io.tidemark.broker.protocol.message.UpdateRaftVoterRequest;
import io.tidemark.broker.protocol.message.UpdateRaftVoterResponse;
import io.tidemark.broker.protocol.message.VoteRequest;
import io.tidemark.broker.protocol.message.VoteResponse;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.VoterChange;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The controller role of a node: a voter of the quorum, and while it leads, the active controller.
 *
 * <p>A command is decided, its records are appended and replayed at once, so that the next command sees them; its reply
 * goes when the high watermark has passed everything it was decided on. The active controller's own image is ahead of
 * the committed one, which is what listeners hear of; a standby's are the same. Who no longer leads forgets what was
 * not committed, and answers those who wait for it that it is not the controller. On the node's loop only.
 */
public final class ControllerNode implements MetadataSource {
    private static final NodeLog LOG = NodeLog.of(ControllerNode.class);
    private static final long LEAST_TICK_MS = 20;
    private static final long MOST_TICK_MS = 500;

    /** A tick that comes this much late is a matter of scheduling, not of a stall. */
    private static final long TOLERATED_LATENESS_MS = 5;

    private final QuorumSettings settings;
    private final Clock clock;
    private final Stalls stalls;
    private final Loop loop;
    private final Peers peers;
    private final Disk disk;
    private final LogDirectory directory;
    private final RandomGenerator random;
    private final ControllerRegistration self;
    private final Controller controller;
    private final QuorumAddresses addresses;
    private final ControllerRegistrar registrar;
    private final VoterUpkeep voterUpkeep;
    private final NoOpRecords noOps;
    private final CommittedMetadata committed;
    private final PendingReplies replies = new PendingReplies();
    private final long tickMs;

    private @Nullable Parts parts;
    private boolean isClosed;
    private Loop.@Nullable Timer ticker;
    private long lastTickMs;

    /**
     * @param stalls of brokers in the same process, whose silence may be the machine's fault
     * @param directory the directory of the metadata log, open
     * @param endpoints the controller listeners of this node, as others reach them
     * @param random seeded, the controller's own
     */
    public ControllerNode(
            QuorumSettings settings,
            Clock clock,
            Stalls stalls,
            Loop loop,
            Peers peers,
            Disk disk,
            LogDirectory directory,
            List<Endpoint> endpoints,
            RandomGenerator random) {
        this.settings = settings;
        this.clock = clock;
        this.stalls = stalls;
        this.loop = loop;
        this.peers = peers;
        this.disk = disk;
        this.directory = directory;
        this.random = random;
        this.self = new ControllerRegistration(
                settings.nodeId(), Uuid.random(random), endpoints, ControllerFeatures.supported(settings.values()));
        ControllerSettings controllerSettings =
                new ControllerSettings(settings.nodeId(), settings.clusterId(), settings.values());
        this.controller = new Controller(controllerSettings, random);
        this.committed = new CommittedMetadata(settings.nodeId());
        this.addresses = new QuorumAddresses(settings.voters());
        this.registrar = new ControllerRegistrar(
                self,
                new RemoteControllerChannel(settings, addresses, clock, loop, peers, "controller-registration"),
                settings.requestTimeoutMs());
        this.voterUpkeep = new VoterUpkeep(
                settings,
                endpoints,
                new RemoteControllerChannel(settings, addresses, clock, loop, peers, "voter-upkeep"));
        this.noOps = new NoOpRecords(
                loop, settings.values().intValue(BrokerConfigs.METADATA_MAX_IDLE_INTERVAL_MS), this::append);
        this.tickMs = Math.max(LEAST_TICK_MS, Math.min(MOST_TICK_MS, controllerSettings.brokerSessionTimeoutMs() / 20));
    }

    /** What is there once the log is open. */
    private record Parts(
            QuorumReplica replica, MetadataFetches fetches, QuorumRequests requests, QuorumVoters voters) {}

    /** Opens the log and takes part in the quorum. What comes in from here on is answered once it may be. */
    public void start() throws IOException {
        QuorumReplica replica = new QuorumReplica(
                settings,
                clock,
                stalls,
                loop,
                peers,
                disk,
                directory,
                addresses,
                self.endpoints(),
                random,
                true,
                new QuorumListener());
        MetadataFetches fetches = new MetadataFetches(
                settings, replica.raft(), replica.log(), clock, loop, this::endpoint, controller::onMetadataApplied);
        parts = new Parts(
                replica,
                fetches,
                new QuorumRequests(settings, replica, addresses, this::endpoint),
                new QuorumVoters(settings, clock, replica, fetches::onAppended));
        List<ApiMessage> formattedWith = replica.bootstrapRecords();
        if (formattedWith != null) {
            controller.bootstrapFrom(formattedWith);
        } else if (replica.log().endOffset() == 0) {
            replica.format(controller.bootstrapRecords());
        }
        replica.start();
        lastTickMs = clock.monotonicMs();
        ticker = loop.schedule(tickMs, this::tick);
        noOps.start();
    }

    /**
     * Gives up the active controller's office in good order, where this node has it.
     *
     * @param then called when another may take it
     */
    public void resign(Runnable then) {
        if (isClosed
                || parts == null
                || !isActive()
                || parts.replica().voters().voters().size() < 2) {
            then.run();
        } else {
            parts.replica().resign(then);
        }
    }

    /** Stops deciding and answering; nothing that waits is answered any more. */
    public void close() {
        isClosed = true;
        if (ticker != null) {
            ticker.cancel();
            ticker = null;
        }
        if (parts != null) {
            parts.fetches().close();
            parts.replica().close();
        }
        registrar.close();
        voterUpkeep.close();
        noOps.close();
        replies.clear();
    }

    @Override
    public MetadataImage image() {
        return committed.image();
    }

    @Override
    public void addListener(MetadataListener listener) {
        committed.addListener(listener);
    }

    /** True while this node leads the quorum. */
    public boolean isActive() {
        return leader() != null;
    }

    /** The epoch in which this node leads the quorum, -1 while it does not. */
    public int activeEpoch() {
        Leader leader = leader();
        return leader == null ? -1 : leader.leaderEpoch();
    }

    /** The id of the quorum's leader, -1 where this node does not know one. */
    public int leaderId() {
        return isClosed || parts == null
                ? ElectionState.NOBODY
                : parts.replica().raft().leaderId();
    }

    public String clusterId() {
        return settings.clusterId();
    }

    /** The committed high watermark, -1 before the first. */
    public long highWatermark() {
        return isClosed || parts == null ? -1 : parts.replica().raft().highWatermark();
    }

    QuorumAddresses addresses() {
        return addresses;
    }

    /** This node's copy of the metadata log, null before the start. */
    @Nullable
    QuorumReplica replica() {
        return parts == null ? null : parts.replica();
    }

    private @Nullable Leader leader() {
        return !isClosed && parts != null && parts.replica().raft().role() instanceof Leader leader ? leader : null;
    }

    /** Where a controller is reached by the others, null where that is not known. */
    private @Nullable Endpoint endpoint(int nodeId) {
        ControllerRegistration registered =
                nodeId == self.id() ? self : image().cluster().controllers().get(nodeId);
        if (registered != null && !registered.endpoints().isEmpty()) {
            return registered.endpoints().get(0);
        }
        QuorumVoter known = addresses.find(nodeId);
        return known == null ? null : new Endpoint("CONTROLLER", known.host(), known.port(), (short) 0);
    }

    /**
     * Has the controller decide.
     *
     * @param command gets the controller and the monotonic time
     * @param reply called with the command's reply once that is committed; never, if the node stops first or leads no
     *     more
     * @return false, and nothing was done, where this node is not the active controller
     */
    public <R> boolean submit(Command<R> command, Consumer<R> reply) {
        return submit(command, reply, () -> {});
    }

    /**
     * As {@link #submit(Command, Consumer)}.
     *
     * @param onLost called instead of the reply where this node stops leading before the command is committed; it may
     *     be committed all the same
     */
    public <R> boolean submit(Command<R> command, Consumer<R> reply, Runnable onLost) {
        if (!isActive()) {
            return false;
        }
        ControllerResult<R> result = command.decide(controller, clock.monotonicMs());
        append(result.records());
        replies.add(log().endOffset(), () -> reply.accept(result.reply()), onLost);
        replies.release(highWatermark());
        return true;
    }

    /**
     * What the controller is asked.
     *
     * @param <R> the reply's type
     */
    @FunctionalInterface
    public interface Command<R> {
        ControllerResult<R> decide(Controller controller, long nowMs);
    }

    /**
     * Serves a fetch of the metadata log.
     *
     * @param respond called once, now or when there is something new
     */
    public void fetch(FetchRequest request, short version, Consumer<FetchResponse> respond) {
        Parts started = started();
        started.replica().perform(started.fetches().fetch(request, version, respond));
    }

    /** Serves a replica that has to begin with a snapshot. */
    public FetchSnapshotResponse fetchSnapshot(FetchSnapshotRequest request, short version) {
        int leaderId = leaderId();
        return started().replica().fetchSnapshot(request, version, leaderId < 0 ? null : endpoint(leaderId));
    }

    /** Serves a candidate's request for a vote; the answer goes when the vote is durable. */
    public void vote(VoteRequest request, Consumer<VoteResponse> respond) {
        started().requests().vote(request, respond);
    }

    /** Hears that another leads. */
    public void beginQuorumEpoch(BeginQuorumEpochRequest request, Consumer<BeginQuorumEpochResponse> respond) {
        started().requests().begin(request, respond);
    }

    /** Hears that another leads no more. */
    public void endQuorumEpoch(EndQuorumEpochRequest request, short version, Consumer<EndQuorumEpochResponse> respond) {
        started().requests().end(request, version, respond);
    }

    /** Gives an observer a vote (KIP-853). */
    public void addVoter(AddRaftVoterRequest request, Consumer<AddRaftVoterResponse> respond) {
        change(
                voters -> voters.add(request),
                request.ackWhenCommitted(),
                (error, message) -> respond.accept(
                        new AddRaftVoterResponse().setErrorCode(error.code()).setErrorMessage(message)));
    }

    /** Takes a voter its vote. Where that is this node, it resigns when it is committed. */
    public void removeVoter(RemoveRaftVoterRequest request, Consumer<RemoveRaftVoterResponse> respond) {
        change(
                voters -> voters.remove(request),
                true,
                (error, message) -> respond.accept(
                        new RemoveRaftVoterResponse().setErrorCode(error.code()).setErrorMessage(message)));
    }

    /** A voter tells where it is reached now. */
    public void updateVoter(UpdateRaftVoterRequest request, Consumer<UpdateRaftVoterResponse> respond) {
        change(voters -> voters.update(request, activeEpoch()), true, (error, message) -> {
            Endpoint leader = endpoint(leaderId());
            UpdateRaftVoterResponse response = new UpdateRaftVoterResponse().setErrorCode(error.code());
            response.currentLeader()
                    .setLeaderId(leaderId())
                    .setLeaderEpoch(started().replica().raft().role().leaderEpoch());
            if (leader != null) {
                response.currentLeader().setHost(leader.host()).setPort(leader.port());
            }
            respond.accept(response);
        });
    }

    /**
     * Finalizes kraft.version 1: the voters of the configuration go into the log, and can be changed from then on.
     *
     * @param respond NONE when it is committed, or was so before
     */
    public void upgradeKraftVersion(BiConsumer<ErrorCode, @Nullable String> respond) {
        change(voters -> voters.upgrade(image().cluster().controllers().values()), true, respond);
    }

    /** Who votes, by what is in the log, committed or not. */
    VoterSet voters() {
        return started().replica().voters().voters();
    }

    /** The finalized kraft.version, committed or not. */
    public short kraftVersion() {
        return parts == null ? 0 : parts.replica().voters().kraftVersion();
    }

    private void change(
            Function<QuorumVoters, VoterChange> request,
            boolean waitsForCommit,
            BiConsumer<ErrorCode, @Nullable String> respond) {
        if (!isActive()) {
            respond.accept(ErrorCode.NOT_LEADER_OR_FOLLOWER, "Node " + self.id() + " does not lead the quorum");
            return;
        }
        VoterChange change = request.apply(started().voters());
        if (change instanceof VoterChange.Refused refused) {
            respond.accept(refused.error(), refused.message());
            return;
        }
        MetadataDelta delta = new MetadataDelta(controller.image());
        delta.advance(log().endOffset() - 1, activeEpoch());
        controller.replay(delta.apply());
        committed.onAppended(log().endOffset(), activeEpoch(), List.of());
        if (!waitsForCommit) {
            respond.accept(ErrorCode.NONE, null);
        }
        replies.add(
                log().endOffset(),
                () -> {
                    if (waitsForCommit) {
                        respond.accept(ErrorCode.NONE, null);
                    }
                    started().voters().resignIfRemoved();
                },
                () -> {
                    if (waitsForCommit) {
                        respond.accept(ErrorCode.NOT_LEADER_OR_FOLLOWER, "The leader changed before it was committed");
                    }
                });
        replies.release(highWatermark());
    }

    public DescribeQuorumResponse describeQuorum(DescribeQuorumRequest request) {
        return QuorumDescription.describe(
                request,
                leader(),
                settings,
                log().endOffset(),
                clock.wallTimeMs(),
                image().cluster().controllers().values());
    }

    /** Answers from the image that commands are decided on, for requests that only read. */
    public <T> T read(Function<MetadataImage, T> reader) {
        return reader.apply(controller.image());
    }

    private void append(List<ApiMessage> records) {
        Leader leader = leader();
        if (records.isEmpty() || leader == null) {
            return;
        }
        try {
            long baseOffset = log().append(leader.leaderEpoch(), records, controller.recordFormat());
            MetadataDelta delta = new MetadataDelta(controller.image());
            for (int i = 0; i < records.size(); i++) {
                delta.replay(baseOffset + i, leader.leaderEpoch(), records.get(i));
            }
            controller.replay(delta.apply());
            committed.onAppended(baseOffset + records.size(), leader.leaderEpoch(), records);
        } catch (IOException e) {
            throw new UncheckedIOException("Controller " + settings.nodeId() + " could not write its metadata log", e);
        }
        started().fetches().onAppended();
    }

    /** Hears what becomes of this node in the quorum. */
    private final class QuorumListener implements QuorumReplica.Listener {
        @Override
        public void onLeading(Leader leader) {
            controller.replay(committed.replay(log(), log().endOffset()).apply());
            addresses.leader(settings.nodeId());
            append(controller.onLeader(self, clock.monotonicMs()));
        }

        @Override
        public void onLeadershipLost(int leaderEpoch) {
            committed.forgetUncommitted();
            controller.replay(committed.image());
            replies.lose();
            started().fetches().onLeadershipLost();
        }

        @Override
        public void onSnapshot(MetadataImage image) {
            committed.onSnapshot(image);
            controller.replay(committed.image());
        }

        @Override
        public MetadataImage image() {
            return committed.image();
        }

        @Override
        public void onHighWatermark(long highWatermark) {
            Leader leader = leader();
            if (leader != null) {
                committed.publishUpTo(highWatermark, log(), leader.epochStartOffset());
                controller.onMetadataApplied(settings.nodeId(), highWatermark - 1);
                // Brokers first: who is told that a topic exists will ask them for it next.
                started().fetches().onHighWatermark();
                replies.release(highWatermark());
            } else {
                MetadataDelta delta = committed.replay(log(), highWatermark);
                controller.replay(delta.apply());
                committed.publish(delta);
                register();
            }
        }
    }

    private void tick() {
        long nowMs = clock.monotonicMs();
        long lateMs = nowMs - lastTickMs - tickMs;
        controller.onStalls(lateMs > TOLERATED_LATENESS_MS ? lateMs : 0, stalls::stalledMs, nowMs);
        lastTickMs = nowMs;
        if (isActive()) {
            for (List<ApiMessage> records = controller.fenceOneExpired(nowMs);
                    !records.isEmpty();
                    records = controller.fenceOneExpired(nowMs)) {
                LOG.info(
                        "Controller {} fences a broker that it has not heard of in time: {}",
                        settings.nodeId(),
                        records.get(0));
                append(records);
            }
            append(controller.balanceLeaders(nowMs));
        } else {
            register();
            voterUpkeep.onTime(started().replica(), nowMs);
        }
        ticker = loop.schedule(tickMs, this::tick);
    }

    /** A standby has the active controller write down how it is reached; the active one does so itself. */
    private void register() {
        if (!isActive() && leaderId() != ElectionState.NOBODY) {
            registrar.register(image());
        }
    }

    private MetadataLog log() {
        return started().replica().log();
    }

    private Parts started() {
        if (parts == null) {
            throw new IllegalStateException("Controller " + settings.nodeId() + " is not started");
        }
        return parts;
    }
}

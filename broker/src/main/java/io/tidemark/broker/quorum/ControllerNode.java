package io.tidemark.broker.quorum;

import io.tidemark.broker.controller.Controller;
import io.tidemark.broker.controller.ControllerResult;
import io.tidemark.broker.controller.ControllerSettings;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.raft.ElectionState;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.RaftEffect;
import io.tidemark.broker.raft.RaftNode;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller role of a node: a voter of the quorum, and while it leads, the active controller.
 *
 * <p>A command is decided, its records are appended and replayed at once, so that the next command sees them; its reply
 * goes when the high watermark has passed everything it was decided on. The controller's own image is ahead of the
 * committed one, which is what listeners hear of. On the node's loop only.
 */
public final class ControllerNode implements MetadataSource {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerNode.class);
    private static final String ELECTION_LANE = "quorum-state";
    private static final long LEAST_TICK_MS = 20;
    private static final long MOST_TICK_MS = 500;

    /** A tick that comes this much late is a matter of scheduling, not of a stall. */
    private static final long TOLERATED_LATENESS_MS = 5;

    private final QuorumSettings settings;
    private final Clock clock;
    private final Loop loop;
    private final Disk disk;
    private final LogDirectory directory;
    private final ControllerRegistration self;
    private final Controller controller;
    private final MetadataPublisher committed = new MetadataPublisher();
    private final Queue<Appended> uncommitted = new ArrayDeque<>();
    private final Queue<PendingReply> replies = new ArrayDeque<>();
    private final long tickMs;

    private @Nullable MetadataLog log;
    private @Nullable QuorumStateFile stateFile;
    private @Nullable RaftNode raft;
    private @Nullable MetadataFetches fetches;
    private Loop.@Nullable Timer ticker;
    private long lastTickMs;

    /**
     * @param directory the directory of the metadata log, open
     * @param endpoints the controller listeners of this node, as others reach them
     * @param random seeded, the controller's own
     */
    public ControllerNode(
            QuorumSettings settings,
            Clock clock,
            Loop loop,
            Disk disk,
            LogDirectory directory,
            List<Endpoint> endpoints,
            RandomGenerator random) {
        this.settings = settings;
        this.clock = clock;
        this.loop = loop;
        this.disk = disk;
        this.directory = directory;
        this.self = new ControllerRegistration(settings.nodeId(), Uuid.random(random), endpoints);
        ControllerSettings controllerSettings =
                new ControllerSettings(settings.nodeId(), settings.clusterId(), settings.values());
        this.controller = new Controller(controllerSettings, random);
        this.tickMs = Math.max(LEAST_TICK_MS, Math.min(MOST_TICK_MS, controllerSettings.brokerSessionTimeoutMs() / 20));
    }

    /** One batch in the log whose records are not committed yet. */
    private record Appended(long endOffset, int leaderEpoch, List<ApiMessage> records) {
        long baseOffset() {
            return endOffset - records.size();
        }
    }

    /** A reply that waits for the high watermark to reach an offset. */
    private record PendingReply(long offset, Runnable reply) {}

    /** Opens the log, replays it, and becomes the leader. What comes in from here on is answered once it may be. */
    public void start() throws IOException {
        MetadataLog opened = MetadataLog.open(directory, settings, clock, loop, this::onLogDurable);
        log = opened;
        QuorumStateFile file = new QuorumStateFile(disk, opened.folder(), settings.voterIds());
        stateFile = file;
        MetadataDelta delta = new MetadataDelta(MetadataImage.EMPTY);
        opened.replay(opened.startOffset(), opened.endOffset(), delta);
        controller.replay(delta.apply());
        RaftNode node =
                new RaftNode(settings.nodeId(), settings.directoryId(), settings.voterIds(), file.read(), opened);
        raft = node;
        fetches = new MetadataFetches(settings, node, opened, clock, loop, self, controller::onMetadataApplied);
        perform(node.start());
        lastTickMs = clock.monotonicMs();
        ticker = loop.schedule(tickMs, this::tick);
    }

    /** Stops deciding and answering; nothing that waits is answered any more. */
    public void close() {
        if (ticker != null) {
            ticker.cancel();
            ticker = null;
        }
        if (fetches != null) {
            fetches.close();
        }
        replies.clear();
        raft = null;
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

    /** The id of the quorum's leader, -1 where this node does not know one. */
    public int leaderId() {
        return raft == null ? ElectionState.NOBODY : raft.election().leaderId();
    }

    public String clusterId() {
        return settings.clusterId();
    }

    /** The committed high watermark, -1 before the first. */
    public long highWatermark() {
        Leader leader = leader();
        return leader == null ? -1 : leader.highWatermark();
    }

    private @Nullable Leader leader() {
        return raft != null && raft.role() instanceof Leader leader ? leader : null;
    }

    /**
     * Has the controller decide.
     *
     * @param command gets the controller and the monotonic time
     * @param reply called with the command's reply once that is committed; never, if the node stops first
     * @return false, and nothing was done, where this node is not the active controller
     */
    public <R> boolean submit(Command<R> command, Consumer<R> reply) {
        if (!isActive()) {
            return false;
        }
        ControllerResult<R> result = command.decide(controller, clock.monotonicMs());
        append(result.records());
        replies.add(new PendingReply(requireLog().endOffset(), () -> reply.accept(result.reply())));
        releaseReplies();
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
        if (fetches == null) {
            throw new IllegalStateException("Controller " + settings.nodeId() + " is not started");
        }
        List<RaftEffect> effects = fetches.fetch(request, version, respond);
        perform(effects);
    }

    public DescribeQuorumResponse describeQuorum(DescribeQuorumRequest request) {
        return QuorumDescription.describe(
                request, leader(), settings, requireLog().endOffset(), clock.wallTimeMs(), self);
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
            long baseOffset = requireLog().append(leader.leaderEpoch(), records, controller.recordFormat());
            MetadataDelta delta = new MetadataDelta(controller.image());
            for (int i = 0; i < records.size(); i++) {
                delta.replay(baseOffset + i, leader.leaderEpoch(), records.get(i));
            }
            controller.replay(delta.apply());
            uncommitted.add(new Appended(baseOffset + records.size(), leader.leaderEpoch(), records));
        } catch (IOException e) {
            throw new UncheckedIOException("Controller " + settings.nodeId() + " could not write its metadata log", e);
        }
    }

    private void perform(List<RaftEffect> effects) {
        for (RaftEffect effect : effects) {
            if (effect instanceof RaftEffect.PersistElection persist) {
                persist(persist.state());
            } else if (effect instanceof RaftEffect.BeginEpoch begin) {
                beginEpoch(begin.leader());
            } else if (effect instanceof RaftEffect.HighWatermarkMoved moved) {
                onHighWatermark(moved.highWatermark());
            } else if (effect instanceof RaftEffect.Truncate truncate) {
                throw new IllegalStateException("The leader was asked to cut its own log to " + truncate.endOffset());
            }
        }
    }

    private void persist(ElectionState state) {
        QuorumStateFile file = stateFile;
        if (file == null) {
            return;
        }
        loop.runBeside(
                ELECTION_LANE,
                () -> {
                    file.write(state);
                    return state;
                },
                (written, failure) -> {
                    if (failure != null || written == null) {
                        throw new UncheckedIOException(
                                "Controller " + settings.nodeId() + " could not write its election state",
                                failure instanceof IOException io ? io : new IOException(failure));
                    }
                    if (raft != null) {
                        perform(raft.onElectionDurable(written));
                    }
                });
    }

    private void beginEpoch(Leader leader) {
        try {
            requireLog().beginEpoch(leader.leaderEpoch(), settings.nodeId(), settings.voterIds());
        } catch (IOException e) {
            throw new UncheckedIOException("Controller " + settings.nodeId() + " could not begin its epoch", e);
        }
        LOG.debug("Controller {} leads in epoch {}", settings.nodeId(), leader.leaderEpoch());
        MetadataDelta delta = new MetadataDelta(controller.image());
        delta.advance(requireLog().endOffset() - 1, leader.leaderEpoch());
        controller.replay(delta.apply());
        append(controller.onLeader(self, clock.monotonicMs()));
    }

    private void onLogDurable(long endOffset) {
        if (raft != null) {
            perform(raft.onLogDurable(endOffset));
        }
    }

    private void onHighWatermark(long highWatermark) {
        publishUpTo(highWatermark);
        controller.onMetadataApplied(settings.nodeId(), highWatermark - 1);
        // Brokers first: who is told that a topic exists will ask them for it next.
        if (fetches != null) {
            fetches.onHighWatermark();
        }
        releaseReplies();
    }

    /** The first time, all that lies in the log below this epoch's own records; then only what was appended. */
    private void publishUpTo(long highWatermark) {
        MetadataDelta delta = new MetadataDelta(committed.image());
        Leader leader = leader();
        if (leader != null && committed.image().lastOffset() < leader.epochStartOffset()) {
            try {
                requireLog().replay(committed.image().lastOffset() + 1, leader.epochStartOffset() + 1, delta);
            } catch (IOException e) {
                throw new UncheckedIOException("Controller " + settings.nodeId() + " could not read its log", e);
            }
        }
        for (Appended next = uncommitted.peek();
                next != null && next.endOffset() <= highWatermark;
                next = uncommitted.peek()) {
            uncommitted.remove();
            long offset = next.baseOffset();
            for (ApiMessage record : next.records()) {
                delta.replay(offset++, next.leaderEpoch(), record);
            }
        }
        committed.publish(delta);
    }

    private void releaseReplies() {
        long highWatermark = highWatermark();
        for (PendingReply next = replies.peek();
                next != null && next.offset() <= highWatermark;
                next = replies.peek()) {
            replies.remove();
            next.reply().run();
        }
    }

    private void tick() {
        long nowMs = clock.monotonicMs();
        long lateMs = nowMs - lastTickMs - tickMs;
        if (lateMs > TOLERATED_LATENESS_MS) {
            controller.onStall(lateMs);
        }
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
        }
        ticker = loop.schedule(tickMs, this::tick);
    }

    private MetadataLog requireLog() {
        if (log == null) {
            throw new IllegalStateException("Controller " + settings.nodeId() + " is not started");
        }
        return log;
    }
}

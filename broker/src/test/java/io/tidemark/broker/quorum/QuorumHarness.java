package io.tidemark.broker.quorum;

import io.tidemark.broker.api.ControllerApis;
import io.tidemark.broker.api.RequestRouter;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.MetaProperties;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.time.VirtualTime.VirtualLoop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Some controllers and brokers in virtual time, on real files, over a network that is a method call. */
final class QuorumHarness implements AutoCloseable {
    static final int CONTROLLER_ID = 1001;
    static final long SESSION_MS = 1_000;
    static final String CLUSTER_ID = "c1uster";

    final VirtualTime time = new VirtualTime();
    private final Path folder;
    private final Disk disk = new FileSystemDisk();
    private final List<AutoCloseable> open = new ArrayList<>();
    final List<ApiMessage> sent = new ArrayList<>();

    /** Of every node that is started from now on. */
    final Map<String, String> configs = new TreeMap<>();

    private int lives;
    private final int controllers;
    private final SortedMap<Integer, Controlling> controlling = new TreeMap<>();

    /** Where each controller says that it is reached, where that is not by the name of its id. */
    final Map<Integer, String> hosts = new TreeMap<>();

    /** The directories of controllers that lost their first one. */
    final Map<Integer, Uuid> directories = new TreeMap<>();

    /** Who is cut off from everybody, by node id. */
    final Set<Integer> cutOff = new TreeSet<>();

    /** What every controller is told of the others' loops. */
    Stalls stalls = Stalls.NONE;

    /** With one controller. */
    QuorumHarness(Path folder) {
        this(folder, 1);
    }

    QuorumHarness(Path folder, int controllers) {
        this.folder = folder;
        this.controllers = controllers;
    }

    /** A controller beyond the first ones is told where they are, and not that it is one of them. */
    private boolean isJoining(int nodeId) {
        return nodeId >= CONTROLLER_ID + controllers;
    }

    List<Integer> controllerIds() {
        return IntStream.range(0, controllers).mapToObj(i -> CONTROLLER_ID + i).toList();
    }

    /** A controller that runs. */
    private record Controlling(ControllerNode node, RequestRouter router, VirtualLoop loop, LogDirectory directory) {}

    /** A broker that runs. */
    static final class RunningBroker implements BrokerLifecycle.Listener {
        final int id;
        final VirtualLoop loop;
        final LogDirectory directory;

        @Nullable
        BrokerQuorum quorum;

        boolean isCaughtUp;
        boolean isUnfenced;
        boolean isStopped;

        RunningBroker(int id, VirtualLoop loop, LogDirectory directory) {
            this.id = id;
            this.loop = loop;
            this.directory = directory;
        }

        @Override
        public void onCaughtUp() {
            isCaughtUp = true;
        }

        @Override
        public void onUnfenced() {
            isUnfenced = true;
        }

        void kill() {
            loop.halt();
            directory.abandon();
        }
    }

    private ConfigValues values() {
        TreeMap<String, String> values = new TreeMap<>(configs);
        values.put("broker.session.timeout.ms", Long.toString(SESSION_MS));
        values.put("broker.heartbeat.interval.ms", "200");
        return BrokerConfigs.DEFINITION.parse(values);
    }

    private QuorumSettings settings(int nodeId) {
        return new QuorumSettings(
                nodeId,
                CLUSTER_ID,
                directories.getOrDefault(nodeId, new Uuid(8, nodeId)),
                controllerIds().stream()
                        .map(id -> new QuorumVoter(isJoining(nodeId) ? -1 : id, "controller-" + id, 9093))
                        .toList(),
                values());
    }

    Path folder(int nodeId) {
        return folder.resolve("node-" + nodeId);
    }

    Path metadataFolder(int nodeId) {
        return folder(nodeId).resolve("__cluster_metadata-0");
    }

    LogDirectory openDirectory(int nodeId, Loop loop) throws IOException {
        LogDirectory directory = LogDirectory.open(disk, folder(nodeId), loop);
        if (directory.metaProperties() == null) {
            directory.format(new MetaProperties(CLUSTER_ID, nodeId, new Uuid(8, nodeId)));
        }
        open.add(directory::abandon);
        return directory;
    }

    ControllerNode startController() throws IOException {
        return startController(CONTROLLER_ID);
    }

    ControllerNode startController(int id) throws IOException {
        VirtualLoop loop = time.newLoop();
        LogDirectory directory = openDirectory(id, loop);
        ControllerNode node = new ControllerNode(
                settings(id),
                time,
                nodeId -> stalls.stalledMs(nodeId),
                loop,
                new CallPeers(id, loop),
                disk,
                directory,
                List.of(new Endpoint("CONTROLLER", hosts.getOrDefault(id, "controller-" + id), 9093, (short) 0)),
                new SplittableRandom(++lives * 7919L + id));
        RequestRouter router = new RequestRouter();
        ControllerApis.handlers(node).forEach(router::add);
        controlling.put(id, new Controlling(node, router, loop, directory));
        node.start();
        return node;
    }

    void startControllers() throws IOException {
        for (int id : controllerIds()) {
            startController(id);
        }
    }

    void killController() {
        killController(CONTROLLER_ID);
    }

    void killController(int id) {
        Controlling killed = controlling.remove(id);
        if (killed != null) {
            killed.loop().halt();
            killed.directory().abandon();
        }
    }

    ControllerNode controller(int id) {
        Controlling running = controlling.get(id);
        if (running == null) {
            throw new AssertionError("Controller " + id + " does not run");
        }
        return running.node();
    }

    /** The ids of the controllers that take themselves for the active one. */
    List<Integer> active() {
        List<Integer> active = new ArrayList<>();
        controlling.forEach((id, running) -> {
            if (running.node().isActive()) {
                active.add(id);
            }
        });
        return active;
    }

    RunningBroker startBroker(int id) throws IOException {
        VirtualLoop loop = time.newLoop();
        LogDirectory directory = openDirectory(id, loop);
        RunningBroker broker = new RunningBroker(id, loop, directory);
        BrokerIdentity identity = new BrokerIdentity(
                id,
                new Uuid(id, ++lives),
                List.of(new Endpoint("PLAINTEXT", "localhost", 9092 + id, (short) 0)),
                null,
                List.of(new Uuid(8, id)),
                -1);
        BrokerQuorum quorum = new BrokerQuorum(
                settings(id),
                identity,
                time,
                loop,
                new CallPeers(id, loop),
                disk,
                directory,
                new SplittableRandom(lives),
                null,
                broker);
        broker.quorum = quorum;
        quorum.start();
        return broker;
    }

    /** Sends by calling a controller's router on its loop, and takes the answer back on the sender's. */
    private final class CallPeers implements Peers {
        private final int senderId;
        private final VirtualLoop home;

        CallPeers(int senderId, VirtualLoop home) {
            this.senderId = senderId;
            this.home = home;
        }

        @Override
        public Peer open(String host, int port, String purpose) {
            return new CallPeer(senderId, home, Integer.parseInt(host.substring("controller-".length())));
        }
    }

    private final class CallPeer implements Peer {
        private final int senderId;
        private final VirtualLoop home;
        private final int targetId;
        private final List<Runnable> underWay = new ArrayList<>();

        CallPeer(int senderId, VirtualLoop home, int targetId) {
            this.senderId = senderId;
            this.home = home;
            this.targetId = targetId;
        }

        @Override
        public void send(ApiMessage request, long timeoutMs, Reply reply) {
            sent.add(request);
            Controlling to = controlling.get(targetId);
            if (to == null) {
                home.execute(() -> reply.onFailure(new IOException("refused")));
                return;
            }
            boolean[] answered = new boolean[1];
            Runnable fail = () -> {
                if (!answered[0]) {
                    answered[0] = true;
                    reply.onFailure(new IOException("timed out, or closed"));
                }
            };
            underWay.add(fail);
            home.schedule(timeoutMs, fail);
            if (isCut()) {
                return;
            }
            to.loop().execute(() -> to.router()
                    .call(
                            request,
                            "CONTROLLER",
                            response -> home.execute(() -> {
                                if (!answered[0] && response != null && !isCut()) {
                                    answered[0] = true;
                                    reply.onResponse(response);
                                }
                            })));
        }

        private boolean isCut() {
            return cutOff.contains(senderId) != cutOff.contains(targetId);
        }

        @Override
        public void send(ApiMessage request, short version, long timeoutMs, Reply reply) {
            send(request, timeoutMs, reply);
        }

        @Override
        public void close() {
            underWay.forEach(home::execute);
            underWay.clear();
        }
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }
}

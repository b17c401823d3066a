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
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One controller and some brokers in virtual time, on real files, over a network that is a method call. */
final class QuorumHarness implements AutoCloseable {
    static final int CONTROLLER_ID = 1001;
    static final long SESSION_MS = 1_000;
    static final String CLUSTER_ID = "c1uster";

    final VirtualTime time = new VirtualTime();
    private final Path folder;
    private final Disk disk = new FileSystemDisk();
    private final List<AutoCloseable> open = new ArrayList<>();
    final List<ApiMessage> sent = new ArrayList<>();
    private int lives;
    private @Nullable Controlling controlling;

    QuorumHarness(Path folder) {
        this.folder = folder;
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

    private static ConfigValues values() {
        TreeMap<String, String> values = new TreeMap<>();
        values.put("broker.session.timeout.ms", Long.toString(SESSION_MS));
        values.put("broker.heartbeat.interval.ms", "200");
        return BrokerConfigs.DEFINITION.parse(values);
    }

    private QuorumSettings settings(int nodeId) {
        return new QuorumSettings(
                nodeId,
                CLUSTER_ID,
                new Uuid(8, nodeId),
                List.of(new QuorumVoter(CONTROLLER_ID, "controller", 9093)),
                values());
    }

    Path folder(int nodeId) {
        return folder.resolve("node-" + nodeId);
    }

    Path metadataFolder(int nodeId) {
        return folder(nodeId).resolve("__cluster_metadata-0");
    }

    LogDirectory openDirectory(int nodeId, Loop loop) throws IOException {
        LogDirectory directory = LogDirectory.open(disk, folder(nodeId), loop, 86_400_000);
        if (directory.metaProperties() == null) {
            directory.format(new MetaProperties(CLUSTER_ID, nodeId, new Uuid(8, nodeId)));
        }
        open.add(directory::abandon);
        return directory;
    }

    ControllerNode startController() throws IOException {
        VirtualLoop loop = time.newLoop();
        LogDirectory directory = openDirectory(CONTROLLER_ID, loop);
        ControllerNode node = new ControllerNode(
                settings(CONTROLLER_ID),
                time,
                loop,
                disk,
                directory,
                List.of(new Endpoint("CONTROLLER", "controller", 9093, (short) 0)),
                new SplittableRandom(++lives));
        RequestRouter router = new RequestRouter();
        ControllerApis.handlers(node).forEach(router::add);
        node.start();
        controlling = new Controlling(node, router, loop, directory);
        return node;
    }

    void killController() {
        Controlling killed = controlling;
        if (killed != null) {
            killed.loop().halt();
            killed.directory().abandon();
            controlling = null;
        }
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
                settings(id), identity, time, loop, new CallPeers(loop), disk, directory, null, broker);
        broker.quorum = quorum;
        quorum.start();
        return broker;
    }

    /** Sends by calling the controller's router on its loop, and takes the answer back on the sender's. */
    private final class CallPeers implements Peers {
        private final VirtualLoop home;

        CallPeers(VirtualLoop home) {
            this.home = home;
        }

        @Override
        public Peer open(String host, int port, String purpose) {
            return new Peer() {
                @Override
                public void send(ApiMessage request, long timeoutMs, Reply reply) {
                    sent.add(request);
                    Controlling to = controlling;
                    if (to == null) {
                        home.execute(() -> reply.onFailure(new IOException("refused")));
                        return;
                    }
                    boolean[] answered = new boolean[1];
                    home.schedule(timeoutMs, () -> {
                        if (!answered[0]) {
                            answered[0] = true;
                            reply.onFailure(new IOException("timed out"));
                        }
                    });
                    to.loop().execute(() -> to.router()
                            .call(
                                    request,
                                    "CONTROLLER",
                                    response -> home.execute(() -> {
                                        if (!answered[0] && response != null) {
                                            answered[0] = true;
                                            reply.onResponse(response);
                                        }
                                    })));
                }

                @Override
                public void send(ApiMessage request, short version, long timeoutMs, Reply reply) {
                    send(request, timeoutMs, reply);
                }

                @Override
                public void close() {}
            };
        }
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }
}

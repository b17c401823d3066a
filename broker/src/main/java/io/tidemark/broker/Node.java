package io.tidemark.broker;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.BrokerConfig.ListenerConfig;
import io.tidemark.broker.api.RequestRouter;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.InvalidConfigException;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.network.PeerClients;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.quorum.QuorumSettings;
import io.tidemark.broker.quorum.QuorumVoter;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop.Completion;
import io.tidemark.broker.transport.Network.Listener;
import io.tidemark.broker.transport.NodeHost;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What runs on a node's loop: its folders, its listeners, and its roles.
 *
 * <p>The way up: bind the listeners, open the folders, learn the cluster's id and format what is empty, then start the
 * controller and the broker. Links that come in meanwhile wait. On the node's loop only, except {@link #ports} and
 * {@link #abandon}.
 */
final class Node {
    private static final NodeLog LOG = NodeLog.of(Node.class);
    private static final short PLAINTEXT = 0;

    private final BrokerConfig config;
    private final BrokerEnvironment environment;
    private final NodeHost host;
    private final Clock clock;
    private final RandomGenerator random;
    private final Peers peers;
    private final RequestRouter brokerRouter = new RequestRouter();
    private final RequestRouter controllerRouter = new RequestRouter();
    private final Map<String, Listener> listeners = new TreeMap<>();
    private volatile Map<String, Integer> ports = Map.of();
    private volatile @Nullable NodeDirectories directories;
    private @Nullable ControllerRole controller;
    private @Nullable BrokerRole broker;

    Node(BrokerConfig config, BrokerEnvironment environment, NodeHost host) {
        this.config = config;
        this.environment = environment;
        this.host = host;
        this.clock = environment.clock();
        // Each life of a node is another: its incarnation id must not come again.
        // Far apart, so that a node that starts a little later than another does not get its random numbers.
        this.random =
                new SplittableRandom(environment.seed() + config.nodeId() * 0xBF58476D1CE4E5B9L + clock.wallTimeMs());
        this.peers = new PeerClients(config.nodeId(), host.network(), host.loop(), clock);
    }

    /**
     * Takes the node up.
     *
     * @param onStarted called once, when it serves
     * @param onFailure called with what keeps it from coming up
     */
    void start(Runnable onStarted, Consumer<Throwable> onFailure) {
        try {
            bind();
            NodeDirectories opened = NodeDirectories.open(config, environment.disk(config.nodeId()), host.loop());
            directories = opened;
            String clusterId = opened.clusterId();
            if (clusterId == null && isOnlyVoter()) {
                clusterId = Uuid.random(random).toString();
            }
            if (clusterId == null
                    && config.isController()
                    && config.voters().get(0).nodeId() >= 0) {
                throw new InvalidConfigException("Config " + BrokerConfigs.CLUSTER_ID + " is missing; several"
                        + " controllers cannot make one up. Give every node the same, 22 characters of base64");
            }
            if (clusterId == null) {
                new ClusterIdFinder(
                                host.loop(),
                                peers,
                                config.voters(),
                                found -> startRoles(opened, found, onStarted, onFailure))
                        .ask();
            } else {
                startRoles(opened, clusterId, onStarted, onFailure);
            }
        } catch (IOException | RuntimeException e) {
            onFailure.accept(e);
        }
    }

    private void bind() throws IOException {
        Map<String, Integer> bound = new TreeMap<>();
        for (ListenerConfig listener : config.listeners()) {
            Listener opened =
                    host.network().listen(listener.name(), listener.host(), listener.port(), routerOf(listener.name()));
            listeners.put(listener.name(), opened);
            bound.put(listener.name(), opened.port());
        }
        ports = bound;
    }

    private RequestRouter routerOf(String listenerName) {
        return config.controllerListenerNames().contains(listenerName) ? controllerRouter : brokerRouter;
    }

    private void startRoles(
            NodeDirectories opened, String clusterId, Runnable onStarted, Consumer<Throwable> onFailure) {
        try {
            opened.format(clusterId, random);
            QuorumSettings quorum = new QuorumSettings(
                    config.nodeId(),
                    clusterId,
                    NodeDirectories.idOf(opened.metadataDirectory()),
                    config.voters().stream().map(this::quorumVoter).toList(),
                    config.values());
            NodeParts parts = new NodeParts(config, quorum, environment, host, peers, random, opened);
            if (config.isController()) {
                controller = new ControllerRole(parts, controllerRouter, endpoints(true));
                controller.start();
            }
            if (config.isBroker()) {
                broker = new BrokerRole(
                        parts, brokerRouter, endpoints(false), controller == null ? null : controller.quorum());
                broker.start(onStarted);
            } else {
                onStarted.run();
            }
        } catch (IOException | RuntimeException e) {
            onFailure.accept(e);
        }
    }

    private QuorumVoter quorumVoter(BrokerConfig.Voter voter) {
        boolean isSelf = voter.nodeId() < 0 && isOnlyVoter();
        return new QuorumVoter(isSelf ? config.nodeId() : voter.nodeId(), voter.host(), voter.port());
    }

    /**
     * A lone controller that was told only where controllers are, and not their ids, is the one voter where that is its
     * own address; else it is an observer of the quorum that is there, until it is given a vote.
     */
    private boolean isOnlyVoter() {
        if (!config.isController() || config.voters().size() != 1) {
            return false;
        }
        BrokerConfig.Voter voter = config.voters().get(0);
        return voter.nodeId() == config.nodeId()
                || endpoints(true).stream()
                        .anyMatch(own -> own.host().equals(voter.host()) && own.port() == voter.port());
    }

    private List<Endpoint> endpoints(boolean ofController) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (ListenerConfig listener : config.listeners()) {
            if (config.controllerListenerNames().contains(listener.name()) == ofController) {
                Integer bound = ports.get(listener.name());
                int port = listener.advertisedPort() != 0 || bound == null ? listener.advertisedPort() : bound;
                endpoints.add(new Endpoint(listener.name(), listener.advertisedHost(), port, PLAINTEXT));
            }
        }
        return endpoints;
    }

    /** The bound port of each listener. From any thread. */
    Map<String, Integer> ports() {
        return ports;
    }

    /** The broker role, once it is started. */
    @Nullable
    BrokerRole broker() {
        return broker;
    }

    /** The controller role, once it is started. */
    @Nullable
    ControllerRole controller() {
        return controller;
    }

    NodeSnapshot snapshot() {
        MetadataImage image =
                controller == null ? MetadataImage.EMPTY : controller.quorum().image();
        NodeSnapshot snapshot = broker != null ? broker.snapshot() : new NodeSnapshot(config.nodeId(), image, Map.of());
        return controller == null
                ? snapshot
                : new NodeSnapshot(
                        snapshot.nodeId(),
                        snapshot.metadata(),
                        snapshot.partitions(),
                        controller.quorum().activeEpoch());
    }

    void call(ApiMessage request, Consumer<@Nullable ApiMessage> done) {
        if (config.isBroker()) {
            brokerRouter.call(request, config.interBrokerListenerName(), done);
        } else {
            controllerRouter.call(request, config.controllerListenerNames().get(0), done);
        }
    }

    /**
     * @param done called on the loop when the action is done, unless this throws
     * @throws IllegalArgumentException if this node hosts no such replica
     */
    void pageCache(TopicPartition partition, PageCacheAction action, Completion<PageCacheReport> done) {
        if (broker == null) {
            throw new IllegalArgumentException(
                    "Node " + config.nodeId() + " hosts no replica of " + partition + ": it is no broker");
        }
        broker.pageCache(partition, action, done);
    }

    /** @throws IllegalArgumentException if this node does not lead the partition, or its log does not take the batch */
    long appendUnasked(TopicPartition partition, ByteBuf batch) {
        if (broker == null) {
            throw new IllegalArgumentException(
                    "Node " + config.nodeId() + " does not lead " + partition + ": it is no broker");
        }
        return broker.appendUnasked(partition, batch);
    }

    /**
     * Takes the node down in good order.
     *
     * @param then called when nothing is open any more but the links
     */
    void shutdown(Runnable then) {
        BrokerRole stopping = broker;
        if (stopping == null) {
            resign(() -> {
                close(-1);
                then.run();
            });
        } else {
            stopping.shutdown(() -> resign(() -> {
                close(stopping.brokerEpoch());
                then.run();
            }));
        }
    }

    /** After the broker, which may need this very controller to go in good order. */
    private void resign(Runnable then) {
        if (controller == null) {
            then.run();
        } else {
            controller.shutdown(then);
        }
    }

    private void close(long brokerEpoch) {
        listeners.values().forEach(Listener::close);
        if (broker != null) {
            broker.close();
        }
        if (controller != null) {
            controller.close();
        }
        NodeDirectories opened = directories;
        if (opened != null) {
            try {
                opened.close(brokerEpoch);
            } catch (IOException e) {
                LOG.error("Node {} could not close its folders in good order", config.nodeId(), e);
            }
        }
    }

    /** Lets go of every file as a killed process does. From any thread, once the loop runs nothing more. */
    void abandon() {
        NodeDirectories opened = directories;
        if (opened != null) {
            opened.abandon();
        }
    }
}

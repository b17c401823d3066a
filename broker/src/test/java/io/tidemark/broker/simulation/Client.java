package io.tidemark.broker.simulation;

import io.tidemark.broker.BrokerEnvironment.HostLimits;
import io.tidemark.broker.network.PeerClients;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.message.MetadataRequest;
import io.tidemark.broker.protocol.message.MetadataResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What simulated clients share: a machine, links to the brokers, and what they know of the cluster. */
abstract class Client {
    static final long REQUEST_TIMEOUT_MS = 2_500;
    private static final long RETRY_MS = 60;

    final World world;
    final Oracle oracle;
    final SplittableRandom random;
    final Loop loop;
    final Machine machine;
    private final int brokers;
    private final PeerClients peers;
    private final Map<String, Peer> links = new TreeMap<>();
    private final Map<String, Topic> topics = new TreeMap<>();
    private final Map<Integer, Network.Link> oneWay = new TreeMap<>();
    private final SimulatedHost host;
    private boolean isRefreshing;

    Client(World world, Oracle oracle, Machine machine, int brokers) {
        this.world = world;
        this.oracle = oracle;
        this.machine = machine;
        this.brokers = brokers;
        this.random = world.random().split();
        this.host = (SimulatedHost) machine.newHost("client", new HostLimits(1 << 20, 1_000), fault -> {
            throw new IllegalStateException("A client of the simulation is at fault", fault);
        });
        this.loop = host.loop();
        this.peers = new PeerClients(machine.id(), host.network(), loop, machine.clock());
    }

    /** A topic as this client knows it. */
    static final class Topic {
        final Uuid id;
        final Map<Integer, Integer> leaders = new TreeMap<>();
        final Map<Integer, Integer> epochs = new TreeMap<>();

        private Topic(Uuid id) {
            this.id = id;
        }

        int leader(int partition) {
            return leaders.getOrDefault(partition, -1);
        }

        int epoch(int partition) {
            return epochs.getOrDefault(partition, -1);
        }
    }

    abstract void start();

    @Nullable
    Topic topic(String name) {
        return topics.get(name);
    }

    Map<String, Topic> topics() {
        return topics;
    }

    void send(int broker, ApiMessage request, int version, Consumer<ApiMessage> onResponse, Runnable onFailure) {
        send(broker, Cluster.PORT, request, version, onResponse, onFailure);
    }

    /** At a controller's own listener. */
    void sendToController(int controller, ApiMessage request, Consumer<ApiMessage> onResponse, Runnable onFailure) {
        send(controller, Cluster.CONTROLLER_PORT, request, -1, onResponse, onFailure);
    }

    private void send(
            int node, int port, ApiMessage request, int version, Consumer<ApiMessage> onResponse, Runnable onFailure) {
        Peer peer = links.computeIfAbsent(
                Wires.hostOf(node) + ":" + port, address -> peers.open(Wires.hostOf(node), port, "client"));
        Peer.Reply reply = new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                onResponse.accept(response);
            }

            @Override
            public void onFailure(IOException cause) {
                onFailure.run();
            }
        };
        if (version < 0) {
            peer.send(request, REQUEST_TIMEOUT_MS, reply);
        } else {
            peer.send(request, (short) version, REQUEST_TIMEOUT_MS, reply);
        }
    }

    /** Sends what is never answered, over links on which nothing is. */
    void sendOneWay(int broker, ApiMessage request, int version) {
        Network.Link link = oneWay.get(broker);
        if (link == null || !link.isOpen()) {
            link = host.network().connect(Wires.hostOf(broker), Cluster.PORT, (from, frame) -> {});
            oneWay.put(broker, link);
        }
        ApiKey key = ApiKey.forId(request.apiKey());
        link.send(RequestFrames.encode(key, (short) version, 0, "one-way", request));
    }

    int anyBroker() {
        return random.nextInt(1, brokers + 1);
    }

    void later(long delayMs, Runnable task) {
        loop.schedule(delayMs, task);
    }

    /** Asks for the metadata, over and over until somebody answers. */
    void refresh() {
        if (isRefreshing) {
            return;
        }
        isRefreshing = true;
        ask();
    }

    private void ask() {
        send(
                anyBroker(),
                new MetadataRequest().setTopics(null),
                -1,
                response -> {
                    isRefreshing = false;
                    take((MetadataResponse) response);
                },
                () -> later(RETRY_MS, this::ask));
    }

    private void take(MetadataResponse response) {
        for (MetadataResponse.MetadataResponseTopic answer : response.topics()) {
            String name = answer.name();
            if (answer.errorCode() != 0 || name == null) {
                continue;
            }
            Topic known = topics.get(name);
            if (known == null || !known.id.equals(answer.topicId())) {
                if (known != null && oracle.isDeleted(answer.topicId())) {
                    continue;
                }
                known = new Topic(answer.topicId());
                topics.put(name, known);
            }
            for (MetadataResponse.MetadataResponsePartition partition : answer.partitions()) {
                int number = partition.partitionIndex();
                // What an older broker says of an older leader is no news.
                if (partition.leaderEpoch() >= known.epoch(number)) {
                    known.epochs.put(number, partition.leaderEpoch());
                    known.leaders.put(number, partition.leaderId());
                }
            }
        }
    }
}

package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.backend.Capability;
import io.tidemark.backend.InProcessBackend;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.ApiVersionsRequest;
import io.tidemark.broker.protocol.message.ApiVersionsResponse;
import io.tidemark.broker.types.Uuid;
import io.tidemark.clients.Clients;
import io.tidemark.journal.ClusterJournal;
import io.tidemark.journal.ReplicaHistory;
import io.tidemark.requests.RequestRule;
import io.tidemark.spi.Closing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A running Kafka cluster for one test. It is ready when {@link Builder#start()} returns, and nothing of it is left when
 * {@link #close()} does. Safe from any thread.
 *
 * <pre>{@code
 * try (Cluster cluster = Cluster.builder()
 *         .brokers(3)
 *         .topic("orders", t -> t.partitions(3).config("min.insync.replicas", "2"))
 *         .start()) {
 *     Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
 *     producer.send(new ProducerRecord<>("orders", "key", "value")).get();
 *     cluster.broker(1).kill();
 * }
 * }</pre>
 */
public final class Cluster implements AutoCloseable {
    private final ClusterSpec spec;
    private final Backend backend;
    private final SplittableRandom random;
    private final String clusterId;
    private final ClusterFiles files;
    private final ClusterLayout layout;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private final Collection<String> topics = new TreeSet<>();
    private List<TopicSpec> declared = List.of();
    private Map<ConfigResource, SortedMap<String, String>> firstConfigs = Map.of();
    private final ClusterTransactions transactions = new ClusterTransactions(this);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Deeds deeds;
    private @Nullable Clients clients;

    private Cluster(ClusterSpec spec, Backend backend) {
        this.spec = spec;
        this.backend = backend;
        this.random = new SplittableRandom(spec.seed());
        this.clusterId =
                spec.source() == null ? Uuid.random(random).toString() : new ClusterFolder(spec.source()).clusterId();
        this.files = ClusterFiles.create(spec.parentDirectory());
        this.layout = new ClusterLayout(spec, clusterId, files);
        this.deeds = new Deeds(
                backend.capabilities().contains(Capability.ADVANCE_CLOCK)
                        ? () -> clock().now().toEpochMilli()
                        : System::currentTimeMillis);
    }

    /** A cluster of one broker and no topics, to be told otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    static Cluster start(ClusterSpec spec, Backend backend) {
        Cluster cluster = new Cluster(spec, backend);
        try {
            cluster.bringUp();
            return cluster;
        } catch (RuntimeException | Error e) {
            try {
                cluster.close();
            } catch (RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private void bringUp() {
        long deadline = System.nanoTime() + spec.startTimeout().toNanos();
        if (spec.source() != null) {
            new ClusterFolder(spec.source()).give(layout.folders(), files);
        }
        nodes.addAll(layout.createNodes(backend));
        ClusterStart.run(
                nodes, spec.startTimeout().toMillis(), () -> Readiness.missing(view(), brokerIds(), List.of()));
        nodes.forEach(ClusterNode::serving);
        nodes.forEach(node -> {
            node.witness(deeds::add);
            node.among(this::view);
        });
        declared = named(spec.topics());
        create(declared.stream().filter(topic -> !takeOver(topic)).toList(), deadline);
        MetadataImage metadata = Objects.requireNonNull(view().metadata());
        firstConfigs = metadata.configs();
        if (spec.source() != null) {
            Collection<String> all = metadata.topics().byName().keySet();
            Readiness.await(this::view, brokerIds(), all, millisUntil(deadline));
            synchronized (topics) {
                all.stream().filter(name -> !name.startsWith("__")).forEach(topics::add);
            }
        }
    }

    /** True for a declared topic that came with the data that the cluster started with. */
    private boolean takeOver(TopicSpec topic) {
        return spec.source() != null
                && topic(Objects.requireNonNull(topic.name())).exists();
    }

    /** The address for clients: every broker's host and port. Stays the same over kills and restarts. */
    public String bootstrapServers() {
        return brokers().stream().map(ClusterNode::address).collect(Collectors.joining(","));
    }

    /**
     * The address for clients that come in by one of the {@linkplain Builder#listeners listeners}, and are told the
     * brokers' addresses of that one. Upper and lower case are the same; {@code PLAINTEXT} is the default.
     *
     * @throws IllegalArgumentException if the brokers have no such listener; the message names those that they have
     */
    public String bootstrapServers(String listener) {
        return brokers().stream().map(broker -> broker.address(listener)).collect(Collectors.joining(","));
    }

    public String clusterId() {
        return clusterId;
    }

    /** The seed of all that is random in it, for {@link Builder#seed(long)}. */
    public long seed() {
        return spec.seed();
    }

    /** Its folder, with one folder in it for each node. */
    public Path directory() {
        return files.root();
    }

    /**
     * True where the brokers serve requests of a kind, by Kafka's number for it, and tell clients so. What is not served
     * is not advertised.
     *
     * <pre>{@code
     * boolean shareGroups = cluster.serves(76);   // ShareGroupHeartbeat
     * }</pre>
     *
     * @throws IllegalStateException if no broker runs
     */
    public boolean serves(int apiKey) {
        ClusterNode any = brokers().stream()
                .filter(broker -> broker.state() == NodeState.RUNNING)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No broker of " + this + " runs; restart one first"));
        ApiVersionsResponse response = (ApiVersionsResponse) Outcome.await(
                any.current()
                        .call(new ApiVersionsRequest()
                                .setClientSoftwareName("tidemark")
                                .setClientSoftwareVersion("fixture")),
                spec.startTimeout().toMillis(),
                "ask " + any + " for what it serves");
        return response.apiKeys().stream().anyMatch(api -> api.apiKey() == apiKey);
    }

    /** Every node: the brokers, then the controllers where they are nodes of their own. */
    public List<ClusterNode> nodes() {
        return List.copyOf(nodes);
    }

    /** Every broker, in the order of the ids. */
    public List<ClusterNode> brokers() {
        return nodes.stream().filter(ClusterNode::isBroker).toList();
    }

    /**
     * A broker by its id, 1 and up.
     *
     * @throws IllegalArgumentException if there is no such broker
     */
    public ClusterNode broker(int id) {
        return nodes.stream()
                .filter(node -> node.isBroker() && node.id() == id)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no broker [" + id + "]; the cluster has the brokers " + brokerIds()));
    }

    /**
     * A node by its id, controllers included.
     *
     * @throws IllegalArgumentException if there is no such node
     */
    public ClusterNode node(int id) {
        return nodes.stream()
                .filter(node -> node.id() == id)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("There is no node [" + id + "]; the cluster has " + nodes));
    }

    /**
     * The controller, which is broker 1 in a combined cluster. Of several, the active one; where an election is under
     * way it is waited for.
     *
     * <pre>{@code
     * cluster.controller().kill();
     * cluster.createTopic("orders", topic -> {});     // by the one that took over
     * }</pre>
     *
     * @throws ClusterException if there is none within the start timeout, as without a majority of the controllers
     */
    public ClusterNode controller() {
        List<Integer> ids = spec.controllerIds();
        return node(
                ids.size() == 1
                        ? ids.get(0)
                        : Readiness.awaitController(
                                this::view, ids, spec.startTimeout().toMillis()));
    }

    /** Every controller, in the order of the ids: 1001 and up, or the first brokers of a combined cluster. */
    public List<ClusterNode> controllers() {
        return spec.controllerIds().stream().map(this::node).toList();
    }

    /**
     * The time of its nodes, to be pushed forward.
     *
     * @throws UnsupportedOperationException if the backend cannot do that
     */
    public ClusterClock clock() {
        return new ClusterClock(this, backend);
    }

    /**
     * The links between its nodes, to be cut on purpose.
     *
     * @throws UnsupportedOperationException if the backend cannot cut links
     */
    public ClusterLinks links() {
        requireOpen();
        return new ClusterLinks(this, backend.links());
    }

    /**
     * Requests of its clients and nodes, to be hurt on purpose: says which, when, and how.
     *
     * <pre>{@code
     * cluster.requests().on(ApiKey.PRODUCE).topic("orders").once().answer(ErrorCode.NOT_ENOUGH_REPLICAS);
     * }</pre>
     *
     * @throws UnsupportedOperationException if the backend cannot do that
     */
    public RequestRule requests() {
        requireOpen();
        return new RequestRule(backend.requestFaults(), this::node, deeds::add, seed());
    }

    /** Who leads, decided by the test. */
    public ClusterLeadership leadership() {
        requireOpen();
        return new ClusterLeadership(this);
    }

    /** Consumer groups, disturbed on purpose. */
    public ClusterGroups groups() {
        requireOpen();
        return new ClusterGroups(this);
    }

    /** Transactions that hang on purpose. */
    public ClusterTransactions transactions() {
        requireOpen();
        return transactions;
    }

    /** A transactional id to look into; whether its coordinator knows it is asked at each look. */
    public TransactionHandle transaction(String transactionalId) {
        return new TransactionHandle(this, transactionalId);
    }

    /** The names of the topics that were declared or created through this handle, random ones included. */
    public List<String> topics() {
        synchronized (topics) {
            return List.copyOf(topics);
        }
    }

    /** Creates a topic. On return it has its leaders and its full ISR, and every running broker knows it. */
    public String createTopic(String name, Consumer<TopicSpec.Builder> settings) {
        return createTopic(specOf(name, settings));
    }

    /** Creates a topic with a random name and returns the name. */
    public String createTopic(Consumer<TopicSpec.Builder> settings) {
        return createTopic(specOf(null, settings));
    }

    private String createTopic(TopicSpec topic) {
        requireOpen();
        ClusterSpec.check(topic, spec.brokers());
        return create(List.of(topic), System.nanoTime() + spec.startTimeout().toNanos())
                .get(0);
    }

    /** A topic to look into; whether there is one is asked at each look. */
    public TopicHandle topic(String name) {
        return new TopicHandle(this, name);
    }

    /** A partition to look into; whether there is one is asked at each look. */
    public PartitionHandle partition(String topic, int partition) {
        return new PartitionHandle(this, topic, partition);
    }

    /** A consumer group to look into; whether there is one is asked at each look. */
    public GroupHandle group(String groupId) {
        return new GroupHandle(this, groupId);
    }

    /**
     * Waits until every running node has applied all metadata that any of them has now: topics, configs, ISRs.
     *
     * @return the offset that all of them have reached, in the log of the metadata
     * @throws ClusterException if one has not when the time is up; the message names it
     */
    public long awaitMetadata(Duration timeout) {
        MetadataImage newest = view().metadata();
        long offset = newest == null ? -1 : newest.lastOffset();
        awaitMetadata(offset, timeout);
        return offset;
    }

    /**
     * Waits until every running node has applied the metadata up to an offset, or further.
     *
     * @throws ClusterException if one has not when the time is up; the message names it
     */
    public void awaitMetadata(long offset, Duration timeout) {
        Readiness.awaitNothing(
                () -> view().snapshots().values().stream()
                        .filter(node -> node.metadata().lastOffset() < offset)
                        .map(node -> "node " + node.nodeId() + " is at metadata offset "
                                + node.metadata().lastOffset())
                        .toList(),
                "Not every node has the metadata up to offset " + offset,
                timeout.toMillis());
    }

    /**
     * Waits until the ISR of every partition has all its replicas, internal topics too. As
     * {@code assertThat(cluster).eventually().hasNoUnderReplicatedPartitions()}, with an exception in place of a failure.
     *
     * @throws ClusterException if one lacks a replica when the time is up; the message shows it
     */
    public void awaitNoUnderReplicated(Duration timeout) {
        Readiness.awaitNothing(
                () -> snapshot().underReplicated().stream()
                        .map(PartitionState::toString)
                        .toList(),
                "Not every replica is in sync",
                timeout.toMillis());
    }

    /** The cluster now: its nodes, each as it told itself on its own loop, and all partitions. */
    public ClusterState snapshot() {
        ClusterView view = view();
        return new ClusterState(
                clusterId,
                nodes.stream()
                        .map(node -> NodeStatus.of(
                                node.id(),
                                view.states().getOrDefault(node.id(), NodeState.STOPPED),
                                view.snapshots().get(node.id())))
                        .toList(),
                view.activeController(),
                view.partitions(),
                seed());
    }

    /**
     * Producers, consumers and admins for this cluster, closed with it at the latest.
     *
     * @throws IllegalStateException if kafka-clients is not on the class path
     */
    public Clients clients() {
        requireOpen();
        requireKafkaClients();
        synchronized (topics) {
            if (clients == null) {
                clients = Clients.of(this);
            }
            return clients;
        }
    }

    /**
     * Waits until every broker runs and is seen unfenced by all others, and every partition of every topic has its full
     * ISR.
     *
     * @throws ClusterException if something is still missing when the time is up; the message names it
     */
    public void awaitHealthy(Duration timeout) {
        requireOpen();
        ClusterView view = view();
        Collection<String> all =
                view.partitions().stream().map(PartitionState::topic).collect(Collectors.toSet());
        Readiness.await(this::view, brokerIds(), new TreeSet<>(all), timeout.toMillis());
    }

    /**
     * Makes the cluster what it was when {@link Builder#start()} returned, without a restart of what runs: every fault is
     * healed, the clock is the system's again, topics, records, groups with their offsets, transactions and changed
     * configs are gone, and the topics that were declared are there anew, empty and under the same names. Clients of
     * {@link #clients()} are closed; others should be, since what they still do counts as new.
     *
     * <pre>{@code
     * @AfterEach
     * void forget() {
     *     cluster.reset();
     * }
     * }</pre>
     *
     * @throws ClusterException if something cannot be taken back; the message names it
     */
    public void reset() {
        requireOpen();
        if (spec.source() != null) {
            throw new IllegalStateException(this + " has started with the data of [" + spec.source()
                    + "], which a reset would lose; start a new one with it");
        }
        synchronized (topics) {
            if (clients != null) {
                clients.close();
            }
        }
        ClusterReset reset =
                new ClusterReset(nodes, backend, spec.startTimeout().toMillis());
        reset.heal();
        reset.empty(this::view, decider(brokerIds()).current(), brokerIds(), firstConfigs);
        synchronized (topics) {
            topics.clear();
        }
        backend.journal().forgetReplicas();
        create(declared, System.nanoTime() + spec.startTimeout().toNanos());
        deeds.add("cluster", "reset");
    }

    Deeds deeds() {
        return deeds;
    }

    /**
     * What has happened, in the order of time: what was done to the cluster, and what its own files tell: elections, ISR
     * changes, topics, registrations, configs, transactions, generations of groups and their commits. Read out of those
     * files when it is asked for; what retention or a snapshot of the metadata took is left out, and of the rest the
     * newest thousands are given. Which clients connected and what the nodes logged is told by the nodes as it happens,
     * and the newest thousand of each are kept.
     */
    public List<TimelineEvent> timeline() {
        requireOpen();
        return ClusterTimeline.of(this);
    }

    /**
     * How far every replica of the user's topics was, over time: its log end, high watermark and last stable offset. In
     * bounded memory, so that a long history is coarser; empty where the backend cannot tell.
     */
    public List<ReplicaHistory> replicaHistories() {
        return backend.journal().histories();
    }

    ClusterJournal journal() {
        return backend.journal();
    }

    /** Every partition of every topic now, internal ones too, in the order of the names. */
    public List<PartitionState> partitions() {
        return view().partitions();
    }

    /**
     * Copies the data of every node into an empty folder, from which {@link Builder#from(Path)} starts clusters. Nodes
     * that run are paused meanwhile, so that the copy is what a sudden death of all of them would leave: every committed
     * record is in it. Clients wait.
     *
     * <pre>{@code
     * cluster.saveTo(prepared);
     * Cluster another = Cluster.builder().brokers(3).from(prepared).start();
     * }</pre>
     *
     * @throws IllegalArgumentException if the folder is not empty
     */
    public void saveTo(Path folder) {
        requireOpen();
        List<ClusterNode> paused = new ArrayList<>();
        try {
            for (ClusterNode node : nodes) {
                if (node.state() == NodeState.RUNNING) {
                    node.pause();
                    paused.add(node);
                }
            }
            new ClusterFolder(folder)
                    .take(nodes.stream().map(ClusterNode::logDirectory).toList());
        } finally {
            paused.forEach(ClusterNode::resume);
        }
    }

    /** The state of every node and of every partition, in lines. */
    public String describe() {
        ClusterView view = view();
        return "Cluster " + clusterId + " (seed " + seed() + "), nodes " + view.states() + "\n"
                + view.partitions().stream().map(PartitionState::toString).collect(Collectors.joining("\n"));
    }

    public boolean isClosed() {
        return closed.get();
    }

    /** Ends every node and client and deletes the folder. Harmless to repeat. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Closing closing = new Closing();
        synchronized (topics) {
            if (clients != null) {
                closing.run(clients);
            }
        }
        for (ClusterNode node : nodes) {
            closing.run(() -> node.close(spec.keepFiles()));
        }
        closing.run(layout);
        if (!spec.keepFiles()) {
            closing.run(files::delete);
        }
        closing.rethrow("close " + this);
    }

    Duration startTimeout() {
        return spec.startTimeout();
    }

    ClusterView view() {
        requireOpen();
        return ClusterView.of(nodes, spec.config(), spec.seed());
    }

    private List<String> create(List<TopicSpec> wanted, long deadline) {
        List<TopicSpec> named = named(wanted);
        List<String> names = named.stream()
                .map(topic -> Objects.requireNonNull(topic.name()))
                .toList();
        List<Integer> running = brokers().stream()
                .filter(node -> node.state() == NodeState.RUNNING)
                .map(ClusterNode::id)
                .toList();
        if (!names.isEmpty()) {
            TopicCreation.create(decider(running).current(), named, spec.brokers(), running, millisUntil(deadline));
            synchronized (topics) {
                topics.addAll(names);
            }
        }
        Readiness.await(this::view, running, names, millisUntil(deadline));
        return names;
    }

    private List<TopicSpec> named(List<TopicSpec> wanted) {
        return wanted.stream()
                .map(topic -> topic.name() == null ? topic.named(randomName()) : topic)
                .toList();
    }

    <R extends ApiMessage> R askController(ApiMessage request, Class<R> type, String task) {
        List<Integer> running = brokers().stream()
                .filter(node -> node.state() == NodeState.RUNNING)
                .map(ClusterNode::id)
                .toList();
        return type.cast(Outcome.await(
                decider(running).current().call(request), spec.startTimeout().toMillis(), task));
    }

    /** Where to send what the controller decides: of several, a broker finds the active one, and its successor. */
    private ClusterNode decider(List<Integer> runningBrokers) {
        return spec.controllers() > 1 && !runningBrokers.isEmpty() ? broker(runningBrokers.get(0)) : controller();
    }

    private static long millisUntil(long deadline) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }

    private List<Integer> brokerIds() {
        return brokers().stream().map(ClusterNode::id).toList();
    }

    private String randomName() {
        synchronized (random) {
            return "topic-" + Long.toString(random.nextLong() >>> 1, 36);
        }
    }

    /** Asked before {@link Clients} is touched, since that cannot even be loaded without its library. */
    private static void requireKafkaClients() {
        try {
            Class.forName("org.apache.kafka.clients.producer.Producer", false, Cluster.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "kafka-clients is not on the class path: add org.apache.kafka:kafka-clients, any version from 2.8 on",
                    e);
        }
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("Cluster " + clusterId + " is closed");
        }
    }

    private static TopicSpec specOf(@Nullable String name, Consumer<TopicSpec.Builder> settings) {
        TopicSpec.Builder builder = new TopicSpec.Builder(name);
        settings.accept(builder);
        return builder.build();
    }

    @Override
    public String toString() {
        return "Cluster " + clusterId + " at " + bootstrapServers();
    }

    /** Collects what a cluster shall be, checks it, and starts it. Belongs to one thread. */
    public static final class Builder {
        private final List<TopicSpec> topics = new ArrayList<>();
        private final SortedMap<String, String> config = new TreeMap<>();
        private final SortedMap<String, Integer> features = new TreeMap<>();
        private List<String> listeners = List.of();
        private List<String> racks = List.of();
        private int brokers = 1;
        private int controllers = 1;
        private boolean combined;
        private @Nullable Long seed;
        private @Nullable Path directory;
        private @Nullable Path source;
        private boolean keepFiles;
        private Duration startTimeout = Duration.ofSeconds(30);

        private Builder() {}

        /** How many brokers, with the ids 1 and up; 1 where nothing is said. */
        public Builder brokers(int brokers) {
            if (brokers < 1 || brokers > ClusterSpec.MOST_BROKERS) {
                throw new IllegalArgumentException(
                        "A cluster cannot have [" + brokers + "] brokers: ask for 1 to " + ClusterSpec.MOST_BROKERS);
            }
            this.brokers = brokers;
            return this;
        }

        /**
         * How many controllers, with the ids 1001 and up; 1 where nothing is said. A majority of them has to run for
         * anything to be decided, so three survive the death of one, and five that of two.
         */
        public Builder controllers(int controllers) {
            if (controllers < 1 || controllers > ClusterSpec.MOST_CONTROLLERS) {
                throw new IllegalArgumentException("A cluster cannot have [" + controllers
                        + "] controllers: ask for 1 to " + ClusterSpec.MOST_CONTROLLERS + ", best an odd number");
            }
            this.controllers = controllers;
            return this;
        }

        /** True makes the first brokers the controllers too, where else controllers are nodes of their own. */
        public Builder combined(boolean combined) {
            this.combined = combined;
            return this;
        }

        /**
         * Puts the brokers into racks ({@code broker.rack}), round robin: with two racks brokers 1 and 3 are in the
         * first, broker 2 is in the second. The replicas of topics that clients create are spread over the racks.
         */
        public Builder racks(String... racks) {
            this.racks = List.of(racks);
            return this;
        }

        /**
         * Gives every broker more listeners, each with a port of its own on this host, for clients that come in another
         * way: through a proxy, say, or from a network of their own. They speak plaintext. Brokers reach one another by
         * the default, {@code PLAINTEXT}.
         *
         * <pre>{@code
         * Cluster cluster = Cluster.builder().brokers(3).listeners("EXTERNAL").start();
         * String address = cluster.bootstrapServers("EXTERNAL");
         * }</pre>
         */
        public Builder listeners(String... names) {
            List<String> all = new ArrayList<>();
            for (String name : names) {
                all.add(ClusterListeners.checked(name, all));
            }
            this.listeners = all;
            return this;
        }

        /** Declares a topic of one partition. */
        public Builder topic(String name) {
            return topic(name, topic -> {});
        }

        /** Declares a topic; it is there, with its leaders and its full ISR, when {@link #start()} returns. */
        public Builder topic(String name, Consumer<TopicSpec.Builder> settings) {
            topics.add(specOf(name, settings));
            return this;
        }

        /** Declares a topic with a random name, which {@link Cluster#topics()} tells. */
        public Builder topic(Consumer<TopicSpec.Builder> settings) {
            topics.add(specOf(null, settings));
            return this;
        }

        /** Sets a broker config by Kafka's name, on every node. It goes before {@link FixtureDefaults}. */
        public Builder config(String name, String value) {
            ConfigCheck.broker(name, value);
            config.put(name, value);
            return this;
        }

        /**
         * Sets a feature of the new cluster to a level, as {@code kafka-features} has them: {@code transaction.version} 0 to
         * 2, {@code eligible.leader.replicas.version} 0 or 1, and so on. What is not said has Kafka's own level. It goes
         * before the same feature in {@code cluster.features}.
         */
        public Builder feature(String name, int level) {
            if (level < 0) {
                throw new IllegalArgumentException(
                        "Feature [" + name + "] cannot have the level [" + level + "]: levels begin at 0");
            }
            features.put(name, level);
            return this;
        }

        /** Makes a run repeatable as far as the cluster's own randomness goes; a random one where nothing is said. */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /** Where the cluster makes its folder; {@code java.io.tmpdir} where nothing is said. */
        public Builder directory(Path directory) {
            this.directory = directory;
            return this;
        }

        /**
         * Starts with a copy of the data that {@link Cluster#saveTo(Path)} wrote, or that a cluster with
         * {@link #keepFiles(boolean)} left in its {@link Cluster#directory()}: its topics, records, groups and configs.
         * Brokers and controllers have to be as many as they were. Declared topics that are in the data stay as they are.
         */
        public Builder from(Path folder) {
            this.source = folder;
            return this;
        }

        /** True leaves the folder when the cluster is closed, with every node shut down in good order. */
        public Builder keepFiles(boolean keepFiles) {
            this.keepFiles = keepFiles;
            return this;
        }

        /** How long the start may take; 30 seconds where nothing is said. Also bounds a stop and a restart. */
        public Builder startTimeout(Duration startTimeout) {
            if (startTimeout.isNegative() || startTimeout.isZero()) {
                throw new IllegalArgumentException(
                        "A cluster cannot start within [" + startTimeout + "]: give it some seconds");
            }
            this.startTimeout = startTimeout;
            return this;
        }

        /**
         * Starts the cluster and waits until every broker is registered, unfenced and caught up, and every declared
         * topic has its leaders and its full ISR and is known to every broker.
         *
         * @throws IllegalArgumentException if what was asked for cannot be; nothing was started
         * @throws ClusterException if it does not come up; nothing of it is left
         */
        public Cluster start() {
            return Cluster.start(spec(), new InProcessBackend());
        }

        /** All that was asked for, the seed left out: two builders that say the same ask for equal clusters. */
        @Override
        public String toString() {
            return "Cluster of " + brokers + " brokers" + (racks.isEmpty() ? "" : " in racks " + racks)
                    + (listeners.isEmpty() ? "" : " with listeners " + listeners) + ", "
                    + controllers + (combined ? " of them controllers" : " controllers apart") + ", config " + config
                    + (features.isEmpty() ? "" : ", features " + features)
                    + ", topics " + topics + ", folder " + directory + (source == null ? "" : " from " + source)
                    + (keepFiles ? " kept" : "") + ", start within "
                    + startTimeout;
        }

        private String allFeatures() {
            StringJoiner all = new StringJoiner(",");
            for (String given :
                    config.getOrDefault(BrokerConfigs.CLUSTER_FEATURES, "").split(",", -1)) {
                if (!given.isBlank() && !features.containsKey(given.split("=", 2)[0].strip())) {
                    all.add(given.strip());
                }
            }
            features.forEach((name, level) -> all.add(name + "=" + level));
            return all.toString();
        }

        ClusterSpec spec() {
            SortedMap<String, String> all = FixtureDefaults.forBrokers(brokers);
            all.putAll(config);
            if (!features.isEmpty()) {
                all.put(BrokerConfigs.CLUSTER_FEATURES, allFeatures());
            }
            long actualSeed = seed == null ? new SplittableRandom().nextLong() : seed;
            return new ClusterSpec(
                    brokers,
                    controllers,
                    combined,
                    topics,
                    all,
                    listeners,
                    racks,
                    actualSeed,
                    directory,
                    source,
                    keepFiles,
                    startTimeout);
        }
    }
}

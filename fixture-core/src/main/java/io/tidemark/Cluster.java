package io.tidemark;

import io.tidemark.backend.Backend;
import io.tidemark.backend.Capability;
import io.tidemark.backend.InProcessBackend;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
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
    private final String clusterId;
    private final ClusterFiles files;
    private final ClusterLayout layout;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private final ClusterTopics topics;
    private List<TopicSpec> declared = List.of();
    private Map<ConfigResource, SortedMap<String, String>> firstConfigs = Map.of();
    private final ClusterTransactions transactions = new ClusterTransactions(this);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Deeds deeds;
    private final ClusterClients clients = new ClusterClients();

    private Cluster(ClusterSpec spec, Backend backend) {
        this.spec = spec;
        this.backend = backend;
        SplittableRandom random = new SplittableRandom(spec.seed());
        this.clusterId =
                spec.source() == null ? Uuid.random(random).toString() : new ClusterFolder(spec.source()).clusterId();
        this.topics = new ClusterTopics(random);
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
        declared = topics.named(spec.topics());
        create(declared.stream().filter(topic -> !takeOver(topic)).toList(), deadline);
        MetadataImage metadata = Objects.requireNonNull(view().metadata());
        firstConfigs = metadata.configs();
        if (spec.source() != null) {
            Collection<String> all = metadata.topics().byName().keySet();
            Readiness.await(this::view, brokerIds(), all, millisUntil(deadline));
            topics.found(all);
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
        return brokers().stream()
                .filter(broker -> broker.state() == NodeState.RUNNING)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No broker of " + this + " runs; restart one first"))
                .serves(apiKey);
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
        return topics.names();
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
        Readiness.awaitMetadata(this::view, offset, timeout.toMillis());
    }

    /**
     * Waits until the ISR of every partition has all its replicas, internal topics too. As
     * {@code assertThat(cluster).eventually().hasNoUnderReplicatedPartitions()}, with an exception in place of a failure.
     *
     * @throws ClusterException if one lacks a replica when the time is up; the message shows it
     */
    public void awaitNoUnderReplicated(Duration timeout) {
        Readiness.awaitNoUnderReplicated(this::snapshot, timeout.toMillis());
    }

    /** The cluster now: its nodes, each as it told itself on its own loop, and all partitions. */
    public ClusterState snapshot() {
        return ClusterState.of(clusterId, nodes, view());
    }

    /**
     * Producers, consumers and admins for this cluster, closed with it at the latest.
     *
     * @throws IllegalStateException if kafka-clients is not on the class path
     */
    public Clients clients() {
        requireOpen();
        return clients.of(this);
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
        clients.close();
        ClusterReset reset =
                new ClusterReset(nodes, backend, spec.startTimeout().toMillis());
        reset.heal();
        reset.empty(this::view, decider(brokerIds()).current(), brokerIds(), firstConfigs);
        topics.forget();
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
        new ClusterFolder(folder).takePaused(nodes);
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
        closing.run(clients);
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
        List<Integer> running = runningBrokerIds();
        List<TopicSpec> named = topics.named(wanted);
        if (!named.isEmpty()) {
            TopicCreation.create(decider(running).current(), named, spec.brokers(), running, millisUntil(deadline));
        }
        List<String> names = topics.created(named);
        Readiness.await(this::view, running, names, millisUntil(deadline));
        return names;
    }

    <R extends ApiMessage> R askController(ApiMessage request, Class<R> type, String task) {
        List<Integer> running = runningBrokerIds();
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

    private List<Integer> runningBrokerIds() {
        return brokers().stream()
                .filter(node -> node.state() == NodeState.RUNNING)
                .map(ClusterNode::id)
                .toList();
    }

    private List<Integer> brokerIds() {
        return brokers().stream().map(ClusterNode::id).toList();
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException("Cluster " + clusterId + " is closed");
        }
    }

    static TopicSpec specOf(@Nullable String name, Consumer<TopicSpec.Builder> settings) {
        TopicSpec.Builder builder = new TopicSpec.Builder(name);
        settings.accept(builder);
        return builder.build();
    }

    @Override
    public String toString() {
        return "Cluster " + clusterId + " at " + bootstrapServers();
    }

    /** Collects what a cluster shall be, checks it, and starts it. Belongs to one thread. */
    public static final class Builder extends ClusterSettings<Builder> {
        private Builder() {}

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

        @Override
        Builder self() {
            return this;
        }
    }
}

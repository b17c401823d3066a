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
import io.tidemark.requests.RequestRule;
import io.tidemark.spi.Closing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
public final class Cluster extends InspectableCluster implements AutoCloseable {
    private final ClusterSpec spec;
    private final Backend backend;
    private final String clusterId;
    private final ClusterFiles files;
    private final ClusterLayout layout;
    private final ClusterNodes nodes;
    private final ClusterMembership membership;
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
        this.files = ClusterFiles.create(spec.parentDirectory());
        this.layout = new ClusterLayout(spec, clusterId, files);
        this.nodes = new ClusterNodes(
                layout,
                this::view,
                spec.startTimeout(),
                (one, other) -> backend.capabilities().contains(Capability.CUT_LINKS)
                        && backend.links().isCut(one, other));
        this.membership = new ClusterMembership(this, nodes, layout, backend, this::adopt);
        this.topics = new ClusterTopics(random, nodes, this::view);
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
        nodes.add(layout.createNodes(backend));
        ClusterStart.run(
                nodes.all(),
                spec.startTimeout().toMillis(),
                () -> Readiness.missing(view(), nodes.brokerIds(), List.of()));
        nodes.all().forEach(this::adopt);
        declared = topics.named(spec.topics());
        topics.create(declared.stream().filter(topic -> !takeOver(topic)).toList(), millisUntil(deadline));
        MetadataImage metadata = Objects.requireNonNull(view().metadata());
        firstConfigs = metadata.configs();
        if (spec.source() != null) {
            Collection<String> all = metadata.topics().byName().keySet();
            Readiness.await(this::view, nodes.brokerIds(), all, millisUntil(deadline));
            topics.found(all);
        }
    }

    private void adopt(ClusterNode node) {
        node.serving();
        node.witness(deeds);
        node.among(this::view);
    }

    /** True for a declared topic that came with the data that the cluster started with. */
    private boolean takeOver(TopicSpec topic) {
        return spec.source() != null
                && topic(Objects.requireNonNull(topic.name())).exists();
    }

    /**
     * The address for clients: every broker's host and port. Stays the same over kills and restarts; a broker that is
     * added is in it from then on, and one that is removed is not.
     */
    public String bootstrapServers() {
        return bootstrapServers(ClusterListeners.DEFAULT);
    }

    /**
     * The address for clients that come in by one of the {@linkplain Builder#listeners listeners}, and are told the
     * brokers' addresses of that one. Upper and lower case are the same; {@code PLAINTEXT} is the default.
     *
     * @throws IllegalArgumentException if the brokers have no such listener; the message names those that they have
     */
    public String bootstrapServers(String listener) {
        return nodes.bootstrapServers(listener);
    }

    @Override
    public String clusterId() {
        return clusterId;
    }

    @Override
    public long seed() {
        return spec.seed();
    }

    /** Its folder, with one folder in it for each node. */
    public Path directory() {
        return files.root();
    }

    /**
     * Adds a broker with the next id, while the cluster runs. On return it is registered, unfenced and known to all, and it
     * holds nothing yet: partitions get there when they are reassigned or created.
     *
     * <pre>{@code
     * ClusterNode added = cluster.addBroker();
     * cluster.createTopic("more", topic -> topic.replicas(0, added.id(), 1));
     * }</pre>
     *
     * @throws ClusterException if it does not come up; nothing of it is left
     */
    public ClusterNode addBroker() {
        requireOpen();
        return membership.addBroker();
    }

    /**
     * Adds a broker with an id, 1 to 1000. With the id of a broker that was removed it has that one's address, an empty
     * folder, and the replicas that the assignments still give it: it copies them from their leaders.
     *
     * @throws IllegalArgumentException if there is such a node
     */
    public ClusterNode addBroker(int id) {
        requireOpen();
        return membership.addBroker(id);
    }

    /**
     * Removes a broker that holds no replica, as an operator does: it is stopped where it runs, and unregistered. Its
     * folder goes; its port refuses until the cluster is closed.
     *
     * @throws IllegalStateException if it holds a replica, which the message names, votes as a controller, or no other runs
     */
    public void removeBroker(int id) {
        removeBroker(id, HeldReplicas.REFUSE);
    }

    /**
     * Removes a broker, whose replicas are moved to others first, or given up.
     *
     * <pre>{@code
     * List<PartitionState> underReplicated = cluster.removeBroker(3, HeldReplicas.ABANDON);
     * }</pre>
     *
     * @return the partitions whose assignment still names it, which are short of a replica now, or without a leader
     * @throws IllegalStateException if it votes as a controller, no other runs, or there is nobody to move a replica to
     */
    public List<PartitionState> removeBroker(int id, HeldReplicas held) {
        requireOpen();
        return membership.removeBroker(id, held);
    }

    /**
     * Adds a controller, a node of its own with the next id from 1001. On return it has a vote in the metadata quorum
     * (KIP-853). The first change of the controllers raises {@code kraft.version} to 1, for good.
     *
     * @throws ClusterException if it does not come up or gets no vote; nothing of it is left
     * @throws IllegalStateException if the cluster started {@linkplain Builder#from with the data of another}
     */
    public ClusterNode addController() {
        requireOpen();
        return membership.addController();
    }

    /**
     * Adds a controller with an id from 1001; one that was removed may come back. The id of a broker that is a controller
     * too, and lost its vote, gives it back.
     *
     * @throws IllegalArgumentException if there is such a controller
     */
    public ClusterNode addController(int id) {
        requireOpen();
        return membership.addController(id);
    }

    /**
     * Takes a controller its vote and removes it, also the active one: on return another is. A broker that is a controller
     * too loses its vote alone, and goes on as a broker and an observer of the quorum, as in Kafka.
     *
     * @throws IllegalStateException if it is the only one
     */
    public void removeController(int id) {
        requireOpen();
        membership.removeController(id);
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
        return new RequestRule(backend.requestFaults(), this::node, deeds, seed());
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
        ClusterSpec.check(topic, nodes.brokerIds());
        return topics.create(List.of(topic), spec.startTimeout().toMillis()).get(0);
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
     * Makes the cluster what it was when {@link Builder#start()} returned, without a restart of what runs: every fault is
     * healed, the clock is the system's again, topics, records, groups with their offsets, transactions and changed
     * configs are gone, nodes that were added are removed and those that were removed are back, and the topics that were
     * declared are there anew, empty and under the same names. Clients of {@link #clients()} are closed; others should be,
     * since what they still do counts as new.
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
                new ClusterReset(nodes.all(), backend, spec.startTimeout().toMillis());
        List<Integer> brokerIds = nodes.brokerIds();
        reset.heal(this::view, brokerIds);
        reset.empty(this::view, nodes.decider(brokerIds).current(), brokerIds, firstConfigs);
        membership.restore();
        topics.forget();
        backend.journal().forgetReplicas();
        topics.create(declared, spec.startTimeout().toMillis());
        deeds.add("cluster", "reset");
    }

    Deeds deeds() {
        return deeds;
    }

    @Override
    ClusterJournal journal() {
        return backend.journal();
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
        new ClusterFolder(folder).takePaused(nodes.all());
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
        for (ClusterNode node : nodes.votersLast()) {
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

    @Override
    ClusterView view() {
        requireOpen();
        return ClusterView.of(nodes.all(), spec.config(), spec.seed());
    }

    @Override
    ClusterNodes members() {
        return nodes;
    }

    @Override
    Cluster self() {
        return this;
    }

    @Override
    ClusterTopics topicsMade() {
        return topics;
    }

    <R extends ApiMessage> R askController(ApiMessage request, Class<R> type, String task) {
        ClusterNode decider = nodes.decider(nodes.runningBrokerIds());
        return type.cast(Outcome.await(
                decider.current().call(request), spec.startTimeout().toMillis(), task));
    }

    static long millisUntil(long deadline) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
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

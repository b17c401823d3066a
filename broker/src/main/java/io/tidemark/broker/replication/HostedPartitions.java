package io.tidemark.broker.replication;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.config.TopicConfigs;
import io.tidemark.broker.controller.EffectiveConfigs;
import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.partition.IsrProposal;
import io.tidemark.broker.partition.LeaderSettings;
import io.tidemark.broker.partition.ReplicaBrokers;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.purgatory.Purgatory;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of this broker, as the metadata wants them.
 *
 * <p>Hears of metadata from the start, and acts on it from {@link #start} on.
 */
public final class HostedPartitions implements MetadataListener {
    private final int brokerId;
    private final Clock clock;
    private final Loop loop;
    private final List<LogDirectory> directories;
    private final EffectiveConfigs configs;
    private final ReplicationSettings settings;
    private final ReplicaFetchers fetchers;
    private final IsrChangeSender isrChanges;
    private final OffsetCheckpoints checkpoints;
    private final ReplicationThrottle leaderThrottle;
    private final ReplicationThrottle followerThrottle;
    private final ReplicaUpkeep upkeep;
    private final UnwantedLogs unwanted;
    private final PartitionNews news;
    private final DirectoryChoice choice;
    private final DirectoryAssigner assigner;
    private final DirectoryMoves moves;
    private final Events events = new Events();
    private final ReplicaBrokers brokers = new ImageBrokers(this::image);
    private final Map<TopicPartition, HostedPartition> partitions = new LinkedHashMap<>();

    /** Replicas of this broker that lie in a directory that is offline, and were never opened in this life. */
    private final Map<TopicPartition, TopicIdPartition> unopened = new HashMap<>();

    private MetadataImage image = MetadataImage.EMPTY;
    private boolean isStarted;
    private boolean isClosed;

    /**
     * @param brokerEpoch this broker's epoch, -1 before it is registered
     * @param directories the log directories, open
     * @param interBrokerListener the name of the listener that leaders are reached by
     */
    public HostedPartitions(
            int brokerId,
            LongSupplier brokerEpoch,
            Clock clock,
            Stalls stalls,
            Loop loop,
            List<LogDirectory> directories,
            Peers peers,
            ControllerRequests controller,
            ConfigValues brokerConfig,
            String interBrokerListener)
            throws IOException {
        this.brokerId = brokerId;
        this.clock = clock;
        this.loop = loop;
        this.directories = List.copyOf(directories);
        this.configs = new EffectiveConfigs(brokerId, brokerConfig);
        this.settings = ReplicationSettings.of(brokerConfig);
        this.leaderThrottle = new ReplicationThrottle(brokerId, "leader", brokerConfig);
        this.followerThrottle = new ReplicationThrottle(brokerId, "follower", brokerConfig);
        this.fetchers = new ReplicaFetchers(
                brokerId, brokerEpoch, settings, followerThrottle, clock, loop, peers, interBrokerListener);
        this.isrChanges = new IsrChangeSender(brokerId, brokerEpoch, controller, loop);
        this.news = new PartitionNews(loop, partitions);
        this.choice = new DirectoryChoice(brokerId, this.directories);
        this.assigner = new DirectoryAssigner(brokerId, brokerEpoch, controller, loop);
        this.moves = DirectoryMoves.of(
                brokerConfig,
                brokerId,
                clock,
                loop,
                this.directories,
                moved -> assigner.assign(
                        moved.partition().id(), Objects.requireNonNull(DirectoryChoice.idOf(moved.to()))));
        this.checkpoints = new OffsetCheckpoints(this.directories);
        this.unwanted = new UnwantedLogs(brokerId, this.directories);
        this.upkeep = new ReplicaUpkeep(
                brokerId, partitions, checkpoints, settings, clock, stalls, loop, () -> configs.nodeValues(image)
                        .intValue(BrokerConfigs.PRODUCER_ID_EXPIRATION_MS));
        for (LogDirectory directory : this.directories) {
            directory.health().onOffline(() -> onOffline(directory));
        }
    }

    /** To be called before {@link #start}. */
    public void watchedBy(ReplicaWatch newWatch) {
        news.watchedBy(newWatch);
    }

    /**
     * Takes the replicas up. To be called once, when the metadata is caught up: a broker that acted on old metadata
     * while it read it in would lead in epochs long gone, and delete what had only not been created yet. Happens after
     * this turn of the loop, when every listener has heard of the image that the caller has seen.
     */
    public void start() {
        loop.execute(this::takeUp);
    }

    private void takeUp() {
        if (isStarted || isClosed) {
            return;
        }
        isStarted = true;
        unwanted.putStraysAside(image, checkpoints::take);
        choice.removeTwins(image);
        for (TopicImage topic : image.topics().byName().values()) {
            topic.partitions()
                    .forEach((number, registration) -> apply(
                            new TopicIdPartition(topic.id(), new TopicPartition(topic.name(), number)), registration));
        }
        moves.takeUp(partitions.values());
        upkeep.start();
    }

    /** Stops to fetch, and writes the high watermarks down. The logs are their directories' to close. */
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        fetchers.close();
        isrChanges.close();
        assigner.close();
        moves.close();
        upkeep.close();
    }

    // --- what others ask

    public int brokerId() {
        return brokerId;
    }

    /** The newest metadata. */
    public MetadataImage image() {
        return image;
    }

    /** The replica of a partition, or null where this broker has none. */
    public @Nullable HostedPartition partition(TopicPartition partition) {
        return partitions.get(partition);
    }

    /** The replica of a partition that somebody asks for by name, or the error that he is to get. */
    public PartitionLookup find(TopicPartition partition) {
        HostedPartition hosted = partitions.get(partition);
        if (hosted != null) {
            return new PartitionLookup(hosted, ErrorCode.NONE);
        }
        if (unopened.containsKey(partition)) {
            return new PartitionLookup(null, ErrorCode.KAFKA_STORAGE_ERROR);
        }
        boolean isKnown = image.topics().partition(partition) != null;
        return new PartitionLookup(
                null, isKnown ? ErrorCode.NOT_LEADER_OR_FOLLOWER : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    /**
     * The state of a write that wants every in-sync replica; null while it waits.
     *
     * @param partition the replica that was written to, which may be gone or another one by now
     * @param endOffset the offset after the last record
     * @param appendedInEpoch the leader epoch in which it was appended
     */
    public @Nullable ErrorCode acksAllOutcome(HostedPartition partition, long endOffset, int appendedInEpoch) {
        TopicPartition name = partition.topicPartition();
        if (partitions.get(name) == partition) {
            return partition.acksAllOutcome(endOffset, appendedInEpoch);
        }
        return find(name).error() == ErrorCode.NOT_LEADER_OR_FOLLOWER
                ? ErrorCode.NOT_LEADER_OR_FOLLOWER
                : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
    }

    /**
     * True where a follower gets no records of a partition now, since it is throttled (KIP-73). Those in sync never are:
     * producers wait for them.
     */
    public boolean holdsBack(HostedPartition partition, Reader reader) {
        return reader instanceof Reader.Follower follower
                && !partition.isInSync(follower.brokerId())
                && leaderThrottle.holdsBack(partition.topicPartition(), clock.monotonicMs());
    }

    /** Counts what a follower was sent. */
    public void onSent(HostedPartition partition, Reader reader, long bytes) {
        if (reader instanceof Reader.Follower) {
            leaderThrottle.record(partition.topicPartition(), bytes, clock.monotonicMs());
        }
    }

    /**
     * Has a replica move to another log directory of this broker, or come up there where it does not exist yet (KIP-113).
     *
     * @param path the directory's absolute path
     * @return NONE where it moves, or is there already
     */
    public ErrorCode move(TopicPartition partition, String path) {
        LogDirectory to = moves.directory(path);
        if (to == null) {
            return ErrorCode.LOG_DIR_NOT_FOUND;
        }
        if (!to.health().isOnline()) {
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        PartitionLookup lookup = find(partition);
        HostedPartition hosted = lookup.partition();
        if (hosted != null) {
            return moves.move(hosted, to);
        }
        if (lookup.error() == ErrorCode.KAFKA_STORAGE_ERROR) {
            return lookup.error();
        }
        choice.prefer(partition, to);
        // Not the error of a partition that has moved to other brokers: as Kafka has always answered here.
        return lookup.error() == ErrorCode.NOT_LEADER_OR_FOLLOWER ? ErrorCode.REPLICA_NOT_AVAILABLE : lookup.error();
    }

    /** Every replica, the first hosted first. */
    public Collection<HostedPartition> partitions() {
        return Collections.unmodifiableCollection(partitions.values());
    }

    /** Every replica as it is now, in order of name and number. */
    public SortedMap<TopicPartition, ReplicaSnapshot> snapshots() {
        SortedMap<TopicPartition, ReplicaSnapshot> snapshots = new TreeMap<>();
        partitions.forEach((name, partition) -> snapshots.put(name, partition.snapshot()));
        return snapshots;
    }

    /**
     * Who waits for something to happen to a partition: records, a higher watermark, another role. They are woken
     * after the turn of the loop in which it happened.
     */
    public Purgatory<TopicPartition> waiting() {
        return news.waiting();
    }

    /** Tells of a topic's partitions from now on, and of those that this broker leads already. */
    void listen(String topic, PartitionListener listener) {
        news.listen(topic, listener);
    }

    // --- metadata

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage newImage) {
        if (isClosed) {
            return;
        }
        image = newImage;
        fetchers.onImage(newImage);
        for (ConfigResource resource : delta.changedConfigs()) {
            leaderThrottle.onConfigs(resource, newImage);
            followerThrottle.onConfigs(resource, newImage);
            moves.onConfigs(resource, newImage);
        }
        if (!isStarted) {
            return;
        }
        for (TopicImage topic : delta.deletedTopics()) {
            for (int partition : topic.partitions().keySet()) {
                remove(new TopicIdPartition(topic.id(), new TopicPartition(topic.name(), partition)));
            }
        }
        // Before the partitions: what a change of the in-sync set means depends on min.insync.replicas.
        reconfigure(delta);
        delta.changedPartitions().forEach(this::apply);
        if (!delta.changedBrokers().isEmpty()) {
            fetchers.onBrokers(delta.changedBrokers(), partitions.values());
        }
        if (!delta.changedBrokers().isEmpty() || !delta.changedConfigs().isEmpty()) {
            partitions.values().forEach(HostedPartition::reconsider);
        }
    }

    private void reconfigure(MetadataDelta delta) {
        if (delta.changedConfigs().contains(ConfigResource.brokerDefault())
                || delta.changedConfigs().contains(ConfigResource.broker(brokerId))) {
            // The defaults of every topic that does not say otherwise.
            Set<String> topics = new LinkedHashSet<>();
            partitions.keySet().forEach(partition -> topics.add(partition.topic()));
            topics.forEach(this::reconfigure);
        } else {
            for (ConfigResource resource : delta.changedConfigs()) {
                if (resource.type() == ConfigResource.TOPIC) {
                    reconfigure(resource.name());
                }
            }
        }
    }

    private void apply(TopicIdPartition id, PartitionRegistration registration) {
        if (!registration.replicas().contains(brokerId)) {
            remove(id);
            return;
        }
        HostedPartition partition = partitions.get(id.topicPartition());
        if (partition != null && !partition.id().topicId().equals(id.topicId())) {
            remove(partition.id());
            partition = null;
        }
        if (partition == null) {
            partition = host(id, registration);
        }
        if (partition != null) {
            boolean wasLeader = partition.isLeader();
            if (partition.onRegistration(registration)) {
                onRoleChanged(partition, wasLeader);
            }
        }
    }

    private @Nullable HostedPartition host(TopicIdPartition id, PartitionRegistration registration) {
        ConfigValues values = topicConfig(id.topic());
        LogDirectory directory = choice.directoryOf(id, registration);
        if (directory == null || !directory.health().isOnline()) {
            unopened.put(id.topicPartition(), id);
            return null;
        }
        PartitionLog log;
        try {
            log = directory.openPartition(id.topicPartition(), id.topicId(), LogConfig.of(values), clock.wallTimeMs());
        } catch (IOException e) {
            unopened.put(id.topicPartition(), id);
            directory.health().fail("open the log of " + id.topicPartition(), e);
            return null;
        }
        unopened.remove(id.topicPartition());
        Uuid directoryId = DirectoryChoice.idOf(directory);
        if (directoryId != null && !directoryId.equals(registration.directory(brokerId))) {
            assigner.assign(id, directoryId);
        }
        HostedPartition partition = new HostedPartition(
                brokerId,
                id,
                log,
                registration,
                checkpoints.take(id.topicPartition()),
                leaderSettings(values),
                clock,
                brokers,
                events);
        partitions.put(id.topicPartition(), partition);
        return partition;
    }

    private void onRoleChanged(HostedPartition partition, boolean wasLeader) {
        int leaderEpoch = partition.leaderEpoch();
        if (partition.isLeader()) {
            fetchers.unfollow(partition);
            news.tell(partition, listener -> listener.onLeader(partition, leaderEpoch));
        } else {
            if (wasLeader) {
                news.tell(partition, listener -> listener.onNotLeader(partition));
            }
            fetchers.follow(partition);
        }
    }

    /** Every replica in the directory stops: nobody is led or followed from it any more. */
    private void onOffline(LogDirectory directory) {
        moves.onOffline(directory);
        for (HostedPartition partition : partitions.values()) {
            if (directory.partition(partition.topicPartition()) == partition.log()) {
                boolean wasLeader = partition.isLeader();
                partition.goOffline();
                fetchers.unfollow(partition);
                if (wasLeader) {
                    news.tell(partition, listener -> listener.onNotLeader(partition));
                }
            }
        }
    }

    private void remove(TopicIdPartition id) {
        unopened.remove(id.topicPartition(), id);
        HostedPartition partition = partitions.get(id.topicPartition());
        if (partition == null || !partition.id().equals(id)) {
            return;
        }
        partitions.remove(id.topicPartition());
        fetchers.unfollow(partition);
        if (partition.isLeader()) {
            news.tell(partition, listener -> listener.onNotLeader(partition));
        }
        events.onChanged(partition);
        moves.cancel(id.topicPartition());
        unwanted.delete(id.topicPartition());
    }

    // --- configuration

    private void reconfigure(String topic) {
        ConfigValues values = topicConfig(topic);
        for (HostedPartition partition : partitions.values()) {
            if (partition.id().topic().equals(topic)) {
                partition.onSettings(leaderSettings(values), LogConfig.of(values));
            }
        }
    }

    private ConfigValues topicConfig(String topic) {
        return configs.topicValues(image, topic);
    }

    /** What holds for a topic's logs. */
    public LogConfig logConfig(String topic) {
        return LogConfig.of(topicConfig(topic));
    }

    private LeaderSettings leaderSettings(ConfigValues values) {
        return new LeaderSettings(values.intValue(TopicConfigs.MIN_INSYNC_REPLICAS), settings.lagTimeMaxMs());
    }

    // --- events

    private final class Events implements PartitionEvents {
        @Override
        public void onChanged(HostedPartition partition) {
            news.changed(partition);
        }

        @Override
        public void onHighWatermark(HostedPartition partition, long highWatermark) {
            news.tell(partition, listener -> listener.onHighWatermark(partition, highWatermark));
        }

        @Override
        public void onDiskFailure(HostedPartition partition, String attempt, IOException cause) {
            for (LogDirectory directory : directories) {
                if (directory.partition(partition.topicPartition()) == partition.log()) {
                    directory.health().fail(attempt, cause);
                }
            }
        }

        @Override
        public void onProposal(HostedPartition partition, IsrProposal proposal) {
            isrChanges.propose(partition, proposal);
        }
    }
}

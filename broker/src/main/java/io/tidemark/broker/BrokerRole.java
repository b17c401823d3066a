package io.tidemark.broker;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.api.AlterReplicaLogDirsHandler;
import io.tidemark.broker.api.ApiVersionsHandler;
import io.tidemark.broker.api.DeleteRecordsHandler;
import io.tidemark.broker.api.DescribeClusterHandler;
import io.tidemark.broker.api.DescribeConfigsHandler;
import io.tidemark.broker.api.DescribeLogDirsHandler;
import io.tidemark.broker.api.DescribeProducersHandler;
import io.tidemark.broker.api.DescribeTopicPartitionsHandler;
import io.tidemark.broker.api.FetchHandler;
import io.tidemark.broker.api.ForwardedApis;
import io.tidemark.broker.api.GroupAccess;
import io.tidemark.broker.api.ListOffsetsHandler;
import io.tidemark.broker.api.MetadataHandler;
import io.tidemark.broker.api.OffsetForLeaderEpochHandler;
import io.tidemark.broker.api.ProduceHandler;
import io.tidemark.broker.api.RequestRouter;
import io.tidemark.broker.api.TopicAutoCreation;
import io.tidemark.broker.api.TransactionVerification;
import io.tidemark.broker.api.TxnOffsetCommitHandler;
import io.tidemark.broker.api.WriteTxnMarkersHandler;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.controller.EffectiveConfigs;
import io.tidemark.broker.fetch.FetchSessions;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.SegmentPages;
import io.tidemark.broker.log.cleaner.CleanableLog;
import io.tidemark.broker.log.cleaner.CleanerSettings;
import io.tidemark.broker.log.cleaner.LogCleaner;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.partition.EpochFence;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.quorum.BrokerIdentity;
import io.tidemark.broker.quorum.BrokerLifecycle;
import io.tidemark.broker.quorum.BrokerQuorum;
import io.tidemark.broker.quorum.ControllerNode;
import io.tidemark.broker.quorum.MetadataSource;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.LocalAppend;
import io.tidemark.broker.replication.ReadReplicas;
import io.tidemark.broker.time.Loop.Completion;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import io.tidemark.broker.verification.CoordinatorVerifier;
import io.tidemark.broker.verification.VerificationSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The broker role of a node.
 *
 * <p>The way up: follow the metadata and register; when the broker's own registration is in its metadata, open the logs,
 * take up the replicas and serve; when it is unfenced, it is started.
 */
final class BrokerRole {
    /** How long the controller may take to move leaderships away before the broker stops without its leave. */
    private static final long CONTROLLED_SHUTDOWN_MS = 10_000;

    private static final String PAGE_CACHE_LANE = "page-cache";

    private final NodeParts parts;
    private final RequestRouter router;
    private final BrokerQuorum quorum;
    private final HostedPartitions partitions;
    private final LogCleaner cleaner;
    private final GroupAccess groups;
    private final TransactionPart transactions;
    private final CoordinatorVerifier verifier;
    private Runnable onStarted = () -> {};

    /**
     * @param endpoints the listeners that are not the controllers', as clients and brokers reach them
     * @param controller the controller of the same node, or null
     */
    BrokerRole(NodeParts parts, RequestRouter router, List<Endpoint> endpoints, @Nullable ControllerNode controller)
            throws IOException {
        this.parts = parts;
        this.router = router;
        List<LogDirectory> directories = parts.directories().logDirectories();
        BrokerIdentity identity = new BrokerIdentity(
                parts.config().nodeId(),
                Uuid.random(parts.random()),
                endpoints,
                parts.config().rack(),
                directories.stream().map(NodeDirectories::idOf).toList(),
                previousBrokerEpoch(directories));
        this.quorum = new BrokerQuorum(
                parts.quorum(),
                identity,
                parts.clock(),
                parts.loop(),
                parts.peers(),
                parts.environment().disk(parts.config().nodeId()),
                parts.directories().metadataDirectory(),
                parts.random(),
                controller,
                new WayUp());
        this.partitions = new HostedPartitions(
                parts.config().nodeId(),
                this::brokerEpoch,
                parts.clock(),
                parts.environment().stalls(),
                parts.loop(),
                directories,
                parts.peers(),
                quorum.controllerChannel()::send,
                parts.values(),
                parts.config().interBrokerListenerName());
        partitions.watchedBy(parts.environment().replicaWatch(parts.config().nodeId()));
        this.verifier = new CoordinatorVerifier(
                quorum.metadata()::image,
                parts.peers(),
                parts.config().interBrokerListenerName(),
                parts.values().intValue(BrokerConfigs.REQUEST_TIMEOUT_MS));
        EffectiveConfigs configs = new EffectiveConfigs(parts.config().nodeId(), parts.values());
        this.cleaner = new LogCleaner(
                () -> CleanerSettings.of(configs.nodeValues(quorum.metadata().image())),
                parts.clock(),
                parts.loop(),
                directories,
                this::cleanableLogs);
        quorum.metadata().addListener(partitions);
        new DirectoryWatch(parts, quorum.lifecycle()).start();
        this.groups = GroupPart.add(parts, partitions, quorum, router);
        this.transactions = TransactionPart.add(parts, partitions, quorum, router, groups);
        addHandlers();
    }

    private List<CleanableLog> cleanableLogs() {
        List<CleanableLog> logs = new ArrayList<>();
        for (HostedPartition partition : partitions.partitions()) {
            if (partition.checkLeader(EpochFence.NO_LEADER_EPOCH) != ErrorCode.KAFKA_STORAGE_ERROR) {
                logs.add(new CleanableLog(partition.log(), partition.lastStableOffset()));
            }
        }
        return logs;
    }

    /** Nothing was lost only if every folder was left in good order by the same life. */
    private static long previousBrokerEpoch(List<LogDirectory> directories) {
        long epoch = directories.get(0).previousBrokerEpoch();
        for (LogDirectory directory : directories) {
            if (!directory.wasCleanlyShutDown() || directory.previousBrokerEpoch() != epoch) {
                return -1;
            }
        }
        return epoch;
    }

    private void addHandlers() {
        TransactionVerification verification = new TransactionVerification(
                verifier, VerificationSettings.of(parts.values()), parts.loop(), parts.clock());
        FetchSessions sessions = new FetchSessions(
                parts.values().intValue(BrokerConfigs.MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS), parts.random());
        router.add(new ProduceHandler(partitions, verification))
                .add(new FetchHandler(
                        partitions,
                        sessions,
                        ReadReplicas.of(parts.values(), partitions::image, parts.clock()),
                        parts.clock(),
                        parts.values().intValue(BrokerConfigs.FETCH_MAX_BYTES)))
                .add(new ListOffsetsHandler(partitions))
                .add(new OffsetForLeaderEpochHandler(partitions))
                .add(new DeleteRecordsHandler(partitions))
                .add(new DescribeProducersHandler(partitions))
                .add(new TxnOffsetCommitHandler(groups, partitions, verification))
                .add(new WriteTxnMarkersHandler(
                        partitions,
                        groups::complete,
                        parts.clock(),
                        parts.values().intValue(BrokerConfigs.REQUEST_TIMEOUT_MS)))
                .add(new AlterReplicaLogDirsHandler(partitions))
                .add(new DescribeLogDirsHandler(partitions, parts.directories().logDirectories()));
        addMetadataHandlers();
    }

    private void addMetadataHandlers() {
        int nodeId = parts.config().nodeId();
        String clusterId = parts.quorum().clusterId();
        MetadataSource metadata = quorum.metadata();
        ForwardedApis.handlers(quorum.controllerChannel()).forEach(router::add);
        router.add(new ApiVersionsHandler(
                        nodeId,
                        clusterId,
                        router::handlers,
                        metadata::image,
                        ControllerFeatures.supported(parts.values()),
                        quorum::kraftVersion))
                .add(new MetadataHandler(
                        clusterId,
                        metadata,
                        new TopicAutoCreation(parts.values(), quorum.controllerChannel()),
                        parts.random()))
                .add(DescribeClusterHandler.ofBrokers(clusterId, metadata::image, parts.random()))
                .add(new DescribeConfigsHandler(nodeId, new EffectiveConfigs(nodeId, parts.values()), metadata::image))
                .add(new DescribeTopicPartitionsHandler(metadata, parts.values()));
    }

    /**
     * @param whenStarted called once, when the broker is registered, caught up and unfenced
     */
    void start(Runnable whenStarted) throws IOException {
        onStarted = whenStarted;
        quorum.start();
    }

    HostedPartitions partitions() {
        return partitions;
    }

    MetadataSource metadata() {
        return quorum.metadata();
    }

    MetadataImage image() {
        return metadata().image();
    }

    /** The epoch of this life, -1 before it is registered. */
    long brokerEpoch() {
        return quorum.lifecycle().brokerEpoch();
    }

    NodeSnapshot snapshot() {
        Map<TopicPartition, PartitionSnapshot> replicas = new TreeMap<>();
        partitions
                .snapshots()
                .forEach((name, replica) -> replicas.put(
                        name,
                        new PartitionSnapshot(
                                name,
                                replica.partition().topicId(),
                                replica.isLeader(),
                                replica.leaderEpoch(),
                                replica.isr(),
                                replica.highWatermark(),
                                replica.lastStableOffset(),
                                replica.logStartOffset(),
                                replica.logEndOffset(),
                                replica.isLeader() && isLoading(name, replica.leaderEpoch()),
                                replica.followerLogEndOffsets())));
        return new NodeSnapshot(parts.config().nodeId(), quorum.metadata().image(), replicas);
    }

    private boolean isLoading(TopicPartition name, int leaderEpoch) {
        return groups.isLoading(name, leaderEpoch)
                || transactions.transactions().isLoading(name, leaderEpoch);
    }

    void pageCache(TopicPartition name, PageCacheAction action, Completion<PageCacheReport> done) {
        HostedPartition partition = partitions.partition(name);
        int nodeId = parts.config().nodeId();
        if (partition == null) {
            throw new IllegalArgumentException("Broker " + nodeId + " hosts no replica of " + name + "; it hosts "
                    + partitions.snapshots().keySet());
        }
        SegmentPages pages = new SegmentPages(
                parts.environment().disk(nodeId), partition.log().directory());
        parts.loop()
                .runBeside(
                        PAGE_CACHE_LANE,
                        () -> {
                            switch (action) {
                                case LOOK -> {}
                                case DROP -> pages.drop();
                                case WARM -> pages.warm();
                            }
                            return new PageCacheReport(nodeId, name, pages.residency());
                        },
                        done);
    }

    long appendUnasked(TopicPartition name, ByteBuf batch) {
        HostedPartition partition = partitions.partition(name);
        ErrorCode error = partition == null
                ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                : partition.checkLeader(EpochFence.NO_LEADER_EPOCH);
        LocalAppend outcome = partition == null || error != ErrorCode.NONE
                ? null
                : partition.append(batch, EpochFence.NO_LEADER_EPOCH, AppendTerms.of(AppendOrigin.CLIENT), false);
        if (outcome instanceof LocalAppend.Appended appended) {
            return appended.firstOffset();
        }
        throw new IllegalArgumentException("Broker " + parts.config().nodeId() + " appends nothing to " + name + ": "
                + (outcome instanceof LocalAppend.Refused refused ? refused.error() : error));
    }

    /**
     * Has the controller move the leaderships away, where that is wanted.
     *
     * @param then called when this broker may go
     */
    void shutdown(Runnable then) {
        if (parts.values().booleanValue(BrokerConfigs.CONTROLLED_SHUTDOWN_ENABLE)) {
            quorum.lifecycle().stop(CONTROLLED_SHUTDOWN_MS, then);
        } else {
            then.run();
        }
    }

    /** Lets go of everything but the folders. */
    void close() {
        cleaner.close();
        transactions.close();
        verifier.close();
        partitions.close();
        quorum.close();
    }

    private final class WayUp implements BrokerLifecycle.Listener {
        @Override
        public void onCaughtUp() {
            long nowMs = parts.clock().wallTimeMs();
            for (LogDirectory directory : parts.directories().logDirectories()) {
                directory.openPartitions(name -> partitions.logConfig(name.topic()), nowMs);
            }
            partitions.start();
            cleaner.start();
            router.serve();
        }

        @Override
        public void onUnfenced() {
            onStarted.run();
        }
    }
}

package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.metadata.ImageRecords;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.RecordFormat;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AllocateProducerIdsRequest;
import io.tidemark.broker.protocol.message.AllocateProducerIdsResponse;
import io.tidemark.broker.protocol.message.AlterConfigsRequest;
import io.tidemark.broker.protocol.message.AlterConfigsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsRequest;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsResponse;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import io.tidemark.broker.protocol.message.BrokerRegistrationRequest;
import io.tidemark.broker.protocol.message.BrokerRegistrationResponse;
import io.tidemark.broker.protocol.message.ControllerRegistrationRequest;
import io.tidemark.broker.protocol.message.ControllerRegistrationResponse;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest;
import io.tidemark.broker.protocol.message.CreatePartitionsResponse;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse;
import io.tidemark.broker.protocol.message.ElectLeadersRequest;
import io.tidemark.broker.protocol.message.ElectLeadersResponse;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsResponse;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.UnregisterBrokerRequest;
import io.tidemark.broker.protocol.message.UnregisterBrokerResponse;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;
import io.tidemark.broker.protocol.metadata.AbortTransactionRecord;
import io.tidemark.broker.protocol.metadata.ProducerIdsRecord;
import io.tidemark.broker.protocol.metadata.RegisterControllerRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;

/**
 * The controller. Each command returns the records it wants and the reply; nothing of the replicated state changes
 * before {@link #replay} is given the new image, which the driver builds from the records once they are in the log.
 * Commands are decided on everything in the log, committed or not, since a reply waits until all of that is committed.
 */
public final class Controller {
    private static final int PRODUCER_ID_BLOCK = 1000;

    private final ControllerSettings settings;
    private final EffectiveConfigs configs;
    private final BrokerSessions sessions;
    private final BrokerControl brokers;
    private final TopicCreation topicCreation;
    private final TopicDeletion topicDeletion;
    private final PartitionCreation partitionCreation;
    private final IsrChanges isrChanges;
    private final ConfigChanges configChanges;
    private final LeaderElections leaderElections;
    private final PartitionReassignments reassignments;
    private final LeaderBalancer balancer;
    private final BrokerUnregistration unregistration;
    private final FeatureUpdates featureUpdates;
    private final DirectoryChanges directoryChanges;

    private MetadataImage image = MetadataImage.EMPTY;
    private List<ApiMessage> bootstrapRecords;

    /**
     * @param random decides where placements start and what ids topics get
     */
    public Controller(ControllerSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.configs = new EffectiveConfigs(settings.nodeId(), settings.values());
        this.sessions = new BrokerSessions(settings.brokerSessionTimeoutMs());
        this.brokers = new BrokerControl(settings, configs, sessions);
        ReplicaPlacer placer = new ReplicaPlacer(random);
        this.topicCreation = new TopicCreation(settings, configs, placer, random);
        this.topicDeletion = new TopicDeletion(settings);
        this.partitionCreation = new PartitionCreation(placer);
        this.isrChanges = new IsrChanges(configs);
        this.configChanges = new ConfigChanges(configs);
        this.leaderElections = new LeaderElections(configs);
        this.reassignments = new PartitionReassignments(configs);
        this.balancer = new LeaderBalancer(settings.values(), configs);
        this.unregistration = new BrokerUnregistration(configs, sessions);
        this.featureUpdates = new FeatureUpdates(settings);
        this.directoryChanges = new DirectoryChanges(configs);
        this.bootstrapRecords = FeatureLevels.bootstrapRecords(settings.values());
    }

    /** What a new cluster starts with, where it was not formatted by this node's configs. */
    public void bootstrapFrom(List<ApiMessage> records) {
        bootstrapRecords = List.copyOf(records);
    }

    /** What this controller starts a new cluster with. */
    public List<ApiMessage> bootstrapRecords() {
        return bootstrapRecords;
    }

    /** Everything in the log, committed or not. */
    public MetadataImage image() {
        return image;
    }

    /** The level by which records are to be written. */
    public short recordFormat() {
        short level = image.featureLevel(ControllerFeatures.METADATA_VERSION);
        return level == 0 ? RecordFormat.NEWEST : level;
    }

    /** The log went on. */
    public void replay(MetadataImage newImage) {
        image = newImage;
    }

    /**
     * This node became the quorum's leader.
     *
     * @param self how this controller is reached
     * @return what has to be written first: the features of a new cluster, and this controller's registration
     */
    public List<ApiMessage> onLeader(ControllerRegistration self, long nowMs) {
        List<ApiMessage> records = new ArrayList<>();
        MetadataImage after = image;
        if (image.openTransaction() != null) {
            // Whoever began it is no longer there to end it.
            records.add(new AbortTransactionRecord());
            after = with(records);
        }
        if (image.features().isEmpty()) {
            records.addAll(bootstrapRecords);
            after = with(records);
            if (ControllerFeatures.isElrEnabled(after)) {
                records.addAll(FeatureUpdates.sameMinInSyncReplicasEverywhere(settings, after));
                after = with(records);
            }
        }
        ControllerRegistration registration = new ControllerRegistration(
                self.id(), self.incarnationId(), self.endpoints(), ControllerFeatures.supported(settings.values()));
        if (after.featureLevel(ControllerFeatures.METADATA_VERSION) >= MetadataVersions.WITH_CONTROLLER_REGISTRATIONS
                && !registration.equals(after.cluster().controllers().get(self.id()))) {
            records.add(ImageRecords.record(registration));
        }
        balancer.onLeader(nowMs);
        sessions.clear();
        for (BrokerRegistration broker : image.cluster().brokers().values()) {
            if (!broker.fenced()) {
                sessions.touch(broker.id(), broker.epoch(), nowMs);
            }
        }
        return records;
    }

    private MetadataImage with(List<ApiMessage> records) {
        MetadataDelta delta = new MetadataDelta(image);
        records.forEach(record -> delta.replay(image.lastOffset(), image.lastLeaderEpoch(), record));
        return delta.apply();
    }

    public ControllerResult<BrokerRegistrationResponse> registerBroker(BrokerRegistrationRequest request, long nowMs) {
        return brokers.register(request, image, nowMs);
    }

    /** A standby controller tells how it is reached (KIP-919). */
    public ControllerResult<ControllerRegistrationResponse> registerController(ControllerRegistrationRequest request) {
        RegisterControllerRecord record = new RegisterControllerRecord()
                .setControllerId(request.controllerId())
                .setIncarnationId(request.incarnationId())
                .setZkMigrationReady(request.zkMigrationReady());
        request.listeners().forEach(listener -> record.endPoints()
                .add(new RegisterControllerRecord.ControllerEndpoint()
                        .setName(listener.name())
                        .setHost(listener.host())
                        .setPort(listener.port())
                        .setSecurityProtocol(listener.securityProtocol())));
        request.features().forEach(feature -> record.features()
                .add(new RegisterControllerRecord.ControllerFeature()
                        .setName(feature.name())
                        .setMinSupportedVersion(feature.minSupportedVersion())
                        .setMaxSupportedVersion(feature.maxSupportedVersion())));
        return new ControllerResult<>(List.of(record), new ControllerRegistrationResponse());
    }

    public ControllerResult<BrokerHeartbeatResponse> heartbeat(BrokerHeartbeatRequest request, long nowMs) {
        return brokers.heartbeat(request, image, nowMs);
    }

    /** A broker's fetch of the metadata log told that it has applied it up to an offset, inclusive. */
    public void onMetadataApplied(int brokerId, long metadataOffset) {
        sessions.applied(brokerId, image.cluster().brokerEpoch(brokerId), metadataOffset);
    }

    /**
     * Fences one broker whose session ran out. Called again for as long as it returns records.
     */
    public List<ApiMessage> fenceOneExpired(long nowMs) {
        return brokers.fenceOneExpired(image, nowMs);
    }

    /** Gives partitions back to their preferred leaders, where it is time to. To be called often. */
    public List<ApiMessage> balanceLeaders(long nowMs) {
        return balancer.balance(image, nowMs);
    }

    public ControllerResult<UnregisterBrokerResponse> unregisterBroker(UnregisterBrokerRequest request) {
        return unregistration.unregister(request, image);
    }

    /**
     * No session shall end because a controller could not hear of a broker, or a broker in the same process could not be
     * heard of. To be called often.
     *
     * @param ownMs how long this controller stood still since the last call, in milliseconds
     * @param brokersMs how long each broker of this process stood still in its life, in sum, in milliseconds; 0 of others
     */
    public void onStalls(long ownMs, IntToLongFunction brokersMs, long nowMs) {
        sessions.onStalls(ownMs, brokersMs, nowMs);
    }

    public ControllerResult<CreateTopicsResponse> createTopics(CreateTopicsRequest request) {
        return topicCreation.create(request, image);
    }

    public ControllerResult<DeleteTopicsResponse> deleteTopics(DeleteTopicsRequest request) {
        return topicDeletion.delete(request, image);
    }

    public ControllerResult<CreatePartitionsResponse> createPartitions(CreatePartitionsRequest request) {
        return partitionCreation.create(request, image);
    }

    public ControllerResult<AlterPartitionResponse> alterPartition(AlterPartitionRequest request) {
        return isrChanges.alter(request, image);
    }

    public ControllerResult<AssignReplicasToDirsResponse> assignReplicas(AssignReplicasToDirsRequest request) {
        return directoryChanges.assign(request, image);
    }

    public ControllerResult<ElectLeadersResponse> electLeaders(ElectLeadersRequest request) {
        return leaderElections.elect(request, image);
    }

    public ControllerResult<AlterPartitionReassignmentsResponse> reassignPartitions(
            AlterPartitionReassignmentsRequest request) {
        return reassignments.alter(request, image);
    }

    public ControllerResult<ListPartitionReassignmentsResponse> listReassignments(
            ListPartitionReassignmentsRequest request) {
        return ControllerResult.of(PartitionReassignments.list(request, image));
    }

    public ControllerResult<IncrementalAlterConfigsResponse> alterConfigs(IncrementalAlterConfigsRequest request) {
        return configChanges.alter(request, image);
    }

    public ControllerResult<AlterConfigsResponse> replaceConfigs(AlterConfigsRequest request) {
        return configChanges.replace(request, image);
    }

    /**
     * @param kraftVersion its finalized level, which is the quorum's
     */
    public ControllerResult<UpdateFeaturesResponse> updateFeatures(UpdateFeaturesRequest request, short kraftVersion) {
        return featureUpdates.update(request, image, kraftVersion);
    }

    /** True where a request that is carried out leaves it to the quorum to raise kraft.version. */
    public static boolean raisesKraftVersion(UpdateFeaturesRequest request, short kraftVersion) {
        return FeatureUpdates.raisesKraftVersion(request, kraftVersion);
    }

    public ControllerResult<AllocateProducerIdsResponse> allocateProducerIds(AllocateProducerIdsRequest request) {
        AllocateProducerIdsResponse response = new AllocateProducerIdsResponse();
        if (image.cluster().brokerEpoch(request.brokerId()) != request.brokerEpoch()) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.STALE_BROKER_EPOCH.code()));
        }
        long start = image.nextProducerId();
        if (start > Long.MAX_VALUE - PRODUCER_ID_BLOCK) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.UNKNOWN_SERVER_ERROR.code()));
        }
        ProducerIdsRecord record = new ProducerIdsRecord()
                .setBrokerId(request.brokerId())
                .setBrokerEpoch(request.brokerEpoch())
                .setNextProducerId(start + PRODUCER_ID_BLOCK);
        return new ControllerResult<>(
                List.of(record), response.setProducerIdStart(start).setProducerIdLen(PRODUCER_ID_BLOCK));
    }
}

package io.tidemark.broker.controller;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.FeatureRange;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import io.tidemark.broker.protocol.message.BrokerRegistrationRequest;
import io.tidemark.broker.protocol.message.BrokerRegistrationResponse;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides on the life of brokers.
 *
 * <pre>
 *   register -> fenced -- heartbeat, caught up --> active -- wants to stop, leads --> in controlled shutdown
 *                 ^                                  |                                        |
 *                 +--- session ran out, wants fence -+-- wants to stop, leads nothing --+     | leads nothing, and the
 *                 +----------------------- may stop <-----------------------------------+-----+ others know it
 * </pre>
 */
final class BrokerControl {
    private static final NodeLog LOG = NodeLog.of(BrokerControl.class);
    private static final byte FENCE = 1;
    private static final byte UNFENCE = -1;
    private static final byte IN_CONTROLLED_SHUTDOWN = 1;

    private final ControllerSettings settings;
    private final EffectiveConfigs configs;
    private final BrokerSessions sessions;
    private final DirectoryChanges directories;

    BrokerControl(ControllerSettings settings, EffectiveConfigs configs, BrokerSessions sessions) {
        this.settings = settings;
        this.configs = configs;
        this.sessions = sessions;
        this.directories = new DirectoryChanges(configs);
    }

    /** A broker's epoch is the offset at which its registration is written. */
    ControllerResult<BrokerRegistrationResponse> register(
            BrokerRegistrationRequest request, MetadataImage image, long nowMs) {
        BrokerRegistrationResponse response = new BrokerRegistrationResponse();
        if (!settings.clusterId().equals(request.clusterId())) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.INCONSISTENT_CLUSTER_ID.code()));
        }
        if (!supportsFinalizedFeatures(request, image)) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.UNSUPPORTED_VERSION.code()));
        }
        int brokerId = request.brokerId();
        BrokerRegistration before = image.cluster().broker(brokerId);
        boolean sameProcess = before != null && before.incarnationId().equals(request.incarnationId());
        if (before != null
                && !sameProcess
                && !before.inControlledShutdown()
                && sessions.isValid(brokerId, before.epoch(), nowMs)) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.DUPLICATE_BROKER_REGISTRATION.code()));
        }
        List<ApiMessage> records = new ArrayList<>();
        RegisterBrokerRecord record = record(request);
        if (before != null && sameProcess) {
            record.setBrokerEpoch(before.epoch())
                    .setFenced(before.fenced())
                    .setInControlledShutdown(before.inControlledShutdown());
        } else {
            if (before != null) {
                // Clean only where the broker shut down as the very registration that is known here: its log then holds
                // all that it held as a member of the ISR or ELR.
                LeaderChanges changes = new LeaderChanges(image, configs);
                records.addAll(
                        before.epoch() == request.previousBrokerEpoch()
                                ? changes.onBrokerGone(brokerId)
                                : changes.onUncleanShutdown(brokerId));
            }
            record.setBrokerEpoch(image.lastOffset() + 1 + records.size()).setFenced(true);
        }
        records.add(record);
        sessions.touch(brokerId, record.brokerEpoch(), nowMs);
        return new ControllerResult<>(records, response.setBrokerEpoch(record.brokerEpoch()));
    }

    /** A feature that a broker does not name it does not support. */
    private static boolean supportsFinalizedFeatures(BrokerRegistrationRequest request, MetadataImage image) {
        SortedMap<String, FeatureRange> supported = new TreeMap<>();
        request.features()
                .forEach(feature -> supported.put(
                        feature.name(),
                        new FeatureRange(feature.minSupportedVersion(), feature.maxSupportedVersion())));
        for (Map.Entry<String, Short> finalized : image.features().entrySet()) {
            FeatureRange range = supported.getOrDefault(finalized.getKey(), FeatureRange.NONE);
            if (!range.contains(finalized.getValue())) {
                LOG.warn(
                        "Broker {} cannot register: finalized is {}={}, of which it supports {}. Start it with a release"
                                + " that has this level, or change the level with kafka-features",
                        request.brokerId(),
                        finalized.getKey(),
                        finalized.getValue(),
                        range);
                return false;
            }
        }
        return true;
    }

    ControllerResult<BrokerHeartbeatResponse> heartbeat(
            BrokerHeartbeatRequest request, MetadataImage image, long nowMs) {
        BrokerHeartbeatResponse response = new BrokerHeartbeatResponse();
        int brokerId = request.brokerId();
        BrokerRegistration broker = image.cluster().broker(brokerId);
        if (broker == null || broker.epoch() != request.brokerEpoch()) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.STALE_BROKER_EPOCH.code()));
        }
        sessions.touch(brokerId, broker.epoch(), nowMs);
        sessions.applied(brokerId, broker.epoch(), request.currentMetadataOffset());
        boolean caughtUp = request.currentMetadataOffset() >= broker.epoch();
        response.setIsCaughtUp(caughtUp).setIsFenced(broker.fenced()).setShouldShutDown(false);
        List<ApiMessage> records = new ArrayList<>();
        if (broker.fenced()) {
            if (request.wantShutDown()) {
                response.setShouldShutDown(true);
            } else if (!request.wantFence() && caughtUp) {
                records.addAll(unfence(broker, image));
                response.setIsFenced(false);
            }
        } else if (broker.inControlledShutdown()) {
            // There is no way back, whatever it asks for now.
            stop(broker, image, records, response);
        } else if (request.wantFence()) {
            records.addAll(fence(broker, image));
            response.setIsFenced(true).setShouldShutDown(request.wantShutDown());
        } else if (request.wantShutDown()) {
            stop(broker, image, records, response);
        }
        if (records.isEmpty()) {
            // Else with the next heartbeat, which is decided on what these records make of the partitions.
            records.addAll(directories.onOffline(broker, request.offlineLogDirs(), image));
        }
        return new ControllerResult<>(records, response);
    }

    private void stop(
            BrokerRegistration broker,
            MetadataImage image,
            List<ApiMessage> records,
            BrokerHeartbeatResponse response) {
        if (leadsSomething(broker.id(), image)) {
            if (!broker.inControlledShutdown()) {
                records.add(new BrokerRegistrationChangeRecord()
                        .setBrokerId(broker.id())
                        .setBrokerEpoch(broker.epoch())
                        .setInControlledShutdown(IN_CONTROLLED_SHUTDOWN));
            }
            records.addAll(new LeaderChanges(image, configs).onBrokerGone(broker.id()));
            sessions.shuttingDown(broker.id(), broker.epoch(), image.lastOffset() + records.size());
            return;
        }
        if (othersHaveApplied(sessions.shutdownOffset(broker.id(), broker.epoch()), broker.id(), image)) {
            records.addAll(fence(broker, image));
            response.setIsFenced(true).setShouldShutDown(true);
        }
    }

    private boolean othersHaveApplied(long offset, int brokerId, MetadataImage image) {
        for (BrokerRegistration other : image.cluster().brokers().values()) {
            if (other.id() != brokerId
                    && !other.fenced()
                    && !other.inControlledShutdown()
                    && sessions.appliedOffset(other.id(), other.epoch()) < offset) {
                return false;
            }
        }
        return true;
    }

    private static boolean leadsSomething(int brokerId, MetadataImage image) {
        for (TopicImage topic : image.topics().byName().values()) {
            for (PartitionRegistration partition : topic.partitions().values()) {
                if (partition.leader() == brokerId) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Fences the live broker whose session ran out, if there is one; one at a time, so that each sees what is left. */
    List<ApiMessage> fenceOneExpired(MetadataImage image, long nowMs) {
        for (int brokerId : sessions.expired(nowMs)) {
            sessions.remove(brokerId);
            BrokerRegistration broker = image.cluster().broker(brokerId);
            if (broker != null && !broker.fenced()) {
                return fence(broker, image);
            }
        }
        return List.of();
    }

    private List<ApiMessage> fence(BrokerRegistration broker, MetadataImage image) {
        List<ApiMessage> records = new ArrayList<>();
        records.add(new BrokerRegistrationChangeRecord()
                .setBrokerId(broker.id())
                .setBrokerEpoch(broker.epoch())
                .setFenced(FENCE));
        records.addAll(new LeaderChanges(image, configs).onBrokerGone(broker.id()));
        return records;
    }

    private List<ApiMessage> unfence(BrokerRegistration broker, MetadataImage image) {
        List<ApiMessage> records = new ArrayList<>();
        records.add(new BrokerRegistrationChangeRecord()
                .setBrokerId(broker.id())
                .setBrokerEpoch(broker.epoch())
                .setFenced(UNFENCE));
        records.addAll(new LeaderChanges(image, configs).onBrokerBack(broker.id()));
        return records;
    }

    private static RegisterBrokerRecord record(BrokerRegistrationRequest request) {
        RegisterBrokerRecord record = new RegisterBrokerRecord()
                .setBrokerId(request.brokerId())
                .setIncarnationId(request.incarnationId())
                .setRack(request.rack())
                .setLogDirs(new ArrayList<>(request.logDirs()));
        request.listeners().forEach(listener -> record.endPoints()
                .add(new RegisterBrokerRecord.BrokerEndpoint()
                        .setName(listener.name())
                        .setHost(listener.host())
                        .setPort(listener.port())
                        .setSecurityProtocol(listener.securityProtocol())));
        request.features().forEach(feature -> record.features()
                .add(new RegisterBrokerRecord.BrokerFeature()
                        .setName(feature.name())
                        .setMinSupportedVersion(feature.minSupportedVersion())
                        .setMaxSupportedVersion(feature.maxSupportedVersion())));
        return record;
    }
}

package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RegisterControllerRecord;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The part of a delta that is about nodes. */
final class ClusterDelta {
    private static final byte FENCE = 1;
    private static final byte UNFENCE = -1;
    private static final byte IN_CONTROLLED_SHUTDOWN = 1;

    private final SortedMap<Integer, BrokerRegistration> brokers;
    private final SortedMap<Integer, ControllerRegistration> controllers;
    private final Set<Integer> changedBrokers = new TreeSet<>();

    ClusterDelta(ClusterImage base) {
        this.brokers = new TreeMap<>(base.brokers());
        this.controllers = new TreeMap<>(base.controllers());
    }

    Set<Integer> changedBrokers() {
        return changedBrokers;
    }

    ClusterImage apply() {
        return new ClusterImage(brokers, controllers);
    }

    void replay(RegisterBrokerRecord record) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (RegisterBrokerRecord.BrokerEndpoint endpoint : record.endPoints()) {
            endpoints.add(new Endpoint(endpoint.name(), endpoint.host(), endpoint.port(), endpoint.securityProtocol()));
        }
        put(new BrokerRegistration(
                record.brokerId(),
                record.brokerEpoch(),
                record.incarnationId(),
                endpoints,
                record.rack(),
                record.fenced(),
                record.inControlledShutdown(),
                record.logDirs(),
                record.cordonedLogDirs(),
                features(record)));
    }

    private static SortedMap<String, FeatureRange> features(RegisterBrokerRecord record) {
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        record.features()
                .forEach(feature -> features.put(
                        feature.name(),
                        new FeatureRange(feature.minSupportedVersion(), feature.maxSupportedVersion())));
        return features;
    }

    void replay(RegisterControllerRecord record) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (RegisterControllerRecord.ControllerEndpoint endpoint : record.endPoints()) {
            endpoints.add(new Endpoint(endpoint.name(), endpoint.host(), endpoint.port(), endpoint.securityProtocol()));
        }
        SortedMap<String, FeatureRange> features = new TreeMap<>();
        record.features()
                .forEach(feature -> features.put(
                        feature.name(),
                        new FeatureRange(feature.minSupportedVersion(), feature.maxSupportedVersion())));
        controllers.put(
                record.controllerId(),
                new ControllerRegistration(record.controllerId(), record.incarnationId(), endpoints, features));
    }

    void unregisterController(int controllerId) {
        controllers.remove(controllerId);
    }

    void unregister(int brokerId) {
        brokers.remove(brokerId);
        changedBrokers.add(brokerId);
    }

    void replay(BrokerRegistrationChangeRecord record) {
        BrokerRegistration before = registered(record.brokerId(), record.brokerEpoch());
        boolean fenced = before.fenced();
        if (record.fenced() == FENCE) {
            fenced = true;
        } else if (record.fenced() == UNFENCE) {
            fenced = false;
        }
        boolean shuttingDown = before.inControlledShutdown() || record.inControlledShutdown() == IN_CONTROLLED_SHUTDOWN;
        put(with(
                before,
                fenced,
                shuttingDown,
                record.logDirs().isEmpty() ? before.logDirectories() : record.logDirs(),
                record.cordonedLogDirs() == null ? before.cordonedLogDirectories() : record.cordonedLogDirs()));
    }

    void fence(int brokerId, long brokerEpoch, boolean fenced) {
        BrokerRegistration before = registered(brokerId, brokerEpoch);
        put(with(
                before,
                fenced,
                before.inControlledShutdown(),
                before.logDirectories(),
                before.cordonedLogDirectories()));
    }

    private static BrokerRegistration with(
            BrokerRegistration before,
            boolean fenced,
            boolean inControlledShutdown,
            List<Uuid> logDirectories,
            @Nullable List<Uuid> cordonedLogDirectories) {
        return new BrokerRegistration(
                before.id(),
                before.epoch(),
                before.incarnationId(),
                before.endpoints(),
                before.rack(),
                fenced,
                inControlledShutdown,
                logDirectories,
                cordonedLogDirectories,
                before.features());
    }

    private void put(BrokerRegistration broker) {
        brokers.put(broker.id(), broker);
        changedBrokers.add(broker.id());
    }

    private BrokerRegistration registered(int brokerId, long brokerEpoch) {
        BrokerRegistration broker = brokers.get(brokerId);
        if (broker == null || broker.epoch() != brokerEpoch) {
            throw new IllegalStateException("Metadata record changes broker " + brokerId + " at broker epoch "
                    + brokerEpoch + ", but registered is " + broker);
        }
        return broker;
    }
}

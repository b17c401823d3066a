package io.tidemark.broker;

import io.tidemark.broker.api.ControllerProducerIds;
import io.tidemark.broker.api.FindCoordinatorHandler;
import io.tidemark.broker.api.GroupAccess;
import io.tidemark.broker.api.InternalTopics;
import io.tidemark.broker.api.RequestRouter;
import io.tidemark.broker.api.TransactionAccess;
import io.tidemark.broker.api.TransactionHandlers;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.coordinator.runtime.CoordinatorRuntime;
import io.tidemark.broker.coordinator.runtime.ProducerIds;
import io.tidemark.broker.coordinator.runtime.RecordCodec;
import io.tidemark.broker.quorum.BrokerQuorum;
import io.tidemark.broker.replication.HostedCoordinatorLog;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.transaction.TransactionCoordinator;
import io.tidemark.broker.transaction.TransactionRecords;
import io.tidemark.broker.transaction.TransactionSettings;
import io.tidemark.broker.transaction.TransactionVersion;
import io.tidemark.broker.transaction.markers.MarkerSender;
import java.util.Map;

/** The transaction coordinator of a broker, the markers that it sends and the producer ids that it hands out. */
final class TransactionPart {
    private final TransactionAccess transactions;
    private final MarkerSender markers;

    private TransactionPart(TransactionAccess transactions, MarkerSender markers) {
        this.transactions = transactions;
        this.markers = markers;
    }

    static TransactionPart add(
            NodeParts parts,
            HostedPartitions partitions,
            BrokerQuorum quorum,
            RequestRouter router,
            GroupAccess groups) {
        ConfigValues values = parts.values();
        TransactionSettings settings = TransactionSettings.of(values);
        long commitTimeoutMs = values.longValue(BrokerConfigs.REQUEST_TIMEOUT_MS);
        CoordinatorRuntime<TransactionCoordinator> runtime = new CoordinatorRuntime<>(
                TransactionAccess.TRANSACTIONS_TOPIC,
                partition -> new TransactionCoordinator(settings, () -> finalizedVersion(quorum)),
                new RecordCodec(TransactionRecords.TYPES),
                new HostedCoordinatorLog(partitions),
                parts.loop(),
                parts.clock(),
                commitTimeoutMs,
                values.intValue(BrokerConfigs.TRANSACTION_STATE_LOG_LOAD_BUFFER_SIZE));
        TransactionAccess transactions = new TransactionAccess(
                runtime,
                settings,
                producerIds(parts, quorum),
                quorum.metadata()::image,
                values.intValue(BrokerConfigs.TRANSACTION_STATE_LOG_NUM_PARTITIONS),
                commitTimeoutMs);
        MarkerSender markers = new MarkerSender(
                parts.peers(),
                parts.loop(),
                parts.config().interBrokerListenerName(),
                quorum.metadata()::image,
                transactions::complete);
        quorum.metadata().addListener(markers);
        transactions.start(markers);
        TransactionHandlers.of(transactions, groups).forEach(router::add);
        router.add(new FindCoordinatorHandler(groups, transactions::partitionOf, internalTopics(values, quorum)));
        return new TransactionPart(transactions, markers);
    }

    private static TransactionVersion finalizedVersion(BrokerQuorum quorum) {
        return TransactionVersion.ofLevel(quorum.metadata().image().featureLevel(TransactionVersion.FEATURE));
    }

    private static InternalTopics internalTopics(ConfigValues values, BrokerQuorum quorum) {
        InternalTopics.Layout transactions = InternalTopics.Layout.compactedSafely(
                values.intValue(BrokerConfigs.TRANSACTION_STATE_LOG_NUM_PARTITIONS),
                (short) values.intValue(BrokerConfigs.TRANSACTION_STATE_LOG_REPLICATION_FACTOR),
                values.intValue(BrokerConfigs.TRANSACTION_STATE_LOG_SEGMENT_BYTES),
                values.intValue(BrokerConfigs.TRANSACTION_STATE_LOG_MIN_ISR));
        return new InternalTopics(
                quorum.controllerChannel(),
                Map.of(
                        GroupAccess.OFFSETS_TOPIC,
                        GroupPart.offsetsLayout(values),
                        TransactionAccess.TRANSACTIONS_TOPIC,
                        transactions),
                requestTimeoutMs(values));
    }

    private static ProducerIds producerIds(NodeParts parts, BrokerQuorum quorum) {
        ConfigValues values = parts.values();
        ControllerProducerIds source = new ControllerProducerIds(
                quorum.controllerChannel(),
                parts.config().nodeId(),
                quorum.lifecycle()::brokerEpoch,
                requestTimeoutMs(values));
        return new ProducerIds(
                source,
                parts.loop(),
                requestTimeoutMs(values),
                values.longValue(BrokerConfigs.CONTROLLER_QUORUM_RETRY_BACKOFF_MS));
    }

    private static long requestTimeoutMs(ConfigValues values) {
        return values.longValue(BrokerConfigs.CONTROLLER_QUORUM_REQUEST_TIMEOUT_MS);
    }

    TransactionAccess transactions() {
        return transactions;
    }

    void close() {
        markers.close();
    }
}

package io.tidemark.broker.transaction;

import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.RecordType;
import io.tidemark.broker.protocol.transaction.TransactionLogKey;
import io.tidemark.broker.protocol.transaction.TransactionLogValue;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The records of {@code __transaction_state}, as Kafka 4.4 writes them. */
public final class TransactionRecords {
    public static final List<RecordType> TYPES =
            List.of(new RecordType(TransactionLogKey::new, TransactionLogValue::new));

    private TransactionRecords() {}

    /** @param version what the cluster has finalized; it decides how the value is written */
    static CoordinatorRecord of(TransactionMetadata metadata, TransactionVersion version) {
        TransactionLogValue value = new TransactionLogValue()
                .setProducerId(metadata.producerId())
                .setProducerEpoch(metadata.producerEpoch())
                .setTransactionTimeoutMs(metadata.timeoutMs())
                .setTransactionStatus(metadata.state().id())
                .setTransactionPartitions(
                        metadata.state() == TransactionState.EMPTY ? null : byTopic(metadata.partitions()))
                .setTransactionLastUpdateTimestampMs(metadata.lastUpdateTimestampMs())
                .setTransactionStartTimestampMs(metadata.startTimestampMs());
        short valueVersion = version.logValueVersion();
        if (valueVersion > 0) {
            value.setPreviousProducerId(metadata.previousProducerId())
                    .setNextProducerId(metadata.nextProducerId())
                    .setClientTransactionVersion(metadata.clientVersion().level());
        }
        return new CoordinatorRecord(key(metadata.transactionalId()), value, valueVersion);
    }

    static CoordinatorRecord tombstone(String transactionalId) {
        return new CoordinatorRecord(key(transactionalId), null, (short) 0);
    }

    private static TransactionLogKey key(String transactionalId) {
        return new TransactionLogKey().setTransactionalId(transactionalId);
    }

    private static List<TransactionLogValue.PartitionsSchema> byTopic(SortedSet<TopicPartition> partitions) {
        Map<String, TransactionLogValue.PartitionsSchema> topics = new TreeMap<>();
        for (TopicPartition partition : partitions) {
            topics.computeIfAbsent(
                            partition.topic(), topic -> new TransactionLogValue.PartitionsSchema().setTopic(topic))
                    .partitionIds()
                    .add(partition.partition());
        }
        return new ArrayList<>(topics.values());
    }

    static TransactionMetadata read(String transactionalId, TransactionLogValue value) {
        SortedSet<TopicPartition> partitions = new TreeSet<>();
        List<TransactionLogValue.PartitionsSchema> topics = value.transactionPartitions();
        if (topics != null) {
            for (TransactionLogValue.PartitionsSchema topic : topics) {
                topic.partitionIds().forEach(id -> partitions.add(new TopicPartition(topic.topic(), id)));
            }
        }
        return new TransactionMetadata(
                transactionalId,
                value.producerId(),
                value.previousProducerId(),
                value.nextProducerId(),
                value.producerEpoch(),
                TransactionMetadata.NO_PRODUCER_EPOCH,
                value.transactionTimeoutMs(),
                TransactionState.ofId(value.transactionStatus()),
                partitions,
                value.transactionStartTimestampMs(),
                value.transactionLastUpdateTimestampMs(),
                TransactionVersion.ofLevel(value.clientTransactionVersion()));
    }
}

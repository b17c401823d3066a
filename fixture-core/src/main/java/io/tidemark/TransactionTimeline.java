package io.tidemark;

import io.tidemark.TimelineEvent.Kind;
import io.tidemark.broker.protocol.transaction.TransactionLogKey;
import io.tidemark.broker.protocol.transaction.TransactionLogValue;
import io.tidemark.broker.transaction.TransactionState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The history of the transactional ids, out of the records of {@code __transaction_state}. */
final class TransactionTimeline {
    static final String TOPIC = "__transaction_state";
    private static final short TRANSACTION_KEY = 0;

    private TransactionTimeline() {}

    static List<TimelineEvent> of(List<ReplicaRecord> records) {
        List<TimelineEvent> events = new ArrayList<>();
        for (ReplicaRecord record : records) {
            TimelineEvent event = eventOf(record);
            if (event != null) {
                events.add(event);
            }
        }
        return events;
    }

    private static @Nullable TimelineEvent eventOf(ReplicaRecord record) {
        CoordinatorRecord coordinator = CoordinatorRecord.of(record);
        if (coordinator == null || coordinator.type() != TRANSACTION_KEY) {
            return null;
        }
        TransactionLogValue transaction = coordinator.value(new TransactionLogValue());
        return new TimelineEvent(
                record.timestampMs(),
                Kind.TRANSACTION,
                coordinator.key(new TransactionLogKey()).transactionalId(),
                TransactionState.ofId(transaction.transactionStatus()).wireName() + partitionsOf(transaction));
    }

    private static String partitionsOf(TransactionLogValue transaction) {
        List<TransactionLogValue.PartitionsSchema> topics = transaction.transactionPartitions();
        if (topics == null || topics.isEmpty()) {
            return "";
        }
        return topics.stream()
                .flatMap(topic -> topic.partitionIds().stream().map(partition -> topic.topic() + "-" + partition))
                .sorted()
                .collect(Collectors.joining(", ", " with ", ""));
    }
}

package io.tidemark.broker.transaction;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse;
import io.tidemark.broker.protocol.message.ListTransactionsRequest;
import io.tidemark.broker.protocol.message.ListTransactionsResponse;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What clients are told of transactions (KIP-664, KIP-994, KIP-1152). */
public final class TransactionViews {
    private TransactionViews() {}

    /** @param ended the partitions that a transaction which is ending has left behind; they are not shown any more */
    static DescribeTransactionsResponse.TransactionState describe(
            String transactionalId, @Nullable TransactionMetadata metadata, Set<TopicPartition> ended) {
        DescribeTransactionsResponse.TransactionState described =
                new DescribeTransactionsResponse.TransactionState().setTransactionalId(transactionalId);
        if (metadata == null) {
            return described.setErrorCode(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code());
        }
        Map<String, DescribeTransactionsResponse.TopicData> topics = new LinkedHashMap<>();
        for (TopicPartition partition : metadata.partitions()) {
            if (ended.contains(partition)) {
                continue;
            }
            topics.computeIfAbsent(
                            partition.topic(), topic -> new DescribeTransactionsResponse.TopicData().setTopic(topic))
                    .partitions()
                    .add(partition.partition());
        }
        return described
                .setTransactionState(metadata.state().wireName())
                .setTransactionTimeoutMs(metadata.timeoutMs())
                .setTransactionStartTimeMs(metadata.startTimestampMs())
                .setProducerId(metadata.producerId())
                .setProducerEpoch(metadata.producerEpoch())
                .setTopics(new ArrayList<>(topics.values()));
    }

    /** The names in a request that are no state's; they match nothing. */
    public static List<String> unknownStates(ListTransactionsRequest request) {
        return request.stateFilters().stream()
                .filter(name -> TransactionState.ofName(name) == null)
                .toList();
    }

    /** @param idPattern what a whole id has to match, or null */
    static List<ListTransactionsResponse.TransactionState> list(
            Collection<TransactionMetadata> all,
            ListTransactionsRequest request,
            @Nullable Pattern idPattern,
            long nowMs) {
        Set<TransactionState> states = EnumSet.noneOf(TransactionState.class);
        for (String name : request.stateFilters()) {
            TransactionState state = TransactionState.ofName(name);
            if (state != null) {
                states.add(state);
            }
        }
        List<ListTransactionsResponse.TransactionState> listed = new ArrayList<>();
        for (TransactionMetadata metadata : all) {
            boolean isWanted = (request.producerIdFilters().isEmpty()
                            || request.producerIdFilters().contains(metadata.producerId()))
                    && (request.stateFilters().isEmpty() || states.contains(metadata.state()))
                    && (request.durationFilter() < 0 || nowMs - metadata.startTimestampMs() > request.durationFilter())
                    && (idPattern == null
                            || idPattern.matcher(metadata.transactionalId()).matches());
            if (isWanted) {
                listed.add(new ListTransactionsResponse.TransactionState()
                        .setTransactionalId(metadata.transactionalId())
                        .setProducerId(metadata.producerId())
                        .setTransactionState(metadata.state().wireName()));
            }
        }
        return listed;
    }
}

package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnResult;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult;
import io.tidemark.broker.transaction.TransactionVersion;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * AddPartitionsToTxn: up to version 3 from a client, for one transaction; from version 4 on from brokers, for several,
 * each either to add the partitions or only to see whether they are in (KIP-890).
 */
public final class AddPartitionsToTxnHandler implements ApiHandler<AddPartitionsToTxnRequest> {
    private static final short FIRST_VERSION_OF_BROKERS = 4;
    private static final int FIRST_VERSION_WITH_FENCED = 2;

    private final TransactionAccess transactions;

    public AddPartitionsToTxnHandler(TransactionAccess transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.ADD_PARTITIONS_TO_TXN;
    }

    @Override
    public void handle(RequestContext context, AddPartitionsToTxnRequest request) {
        short version = context.apiVersion();
        if (version < FIRST_VERSION_OF_BROKERS) {
            add(
                    ofClient(request),
                    version,
                    result -> context.respond(
                            new AddPartitionsToTxnResponse().setResultsByTopicV3AndBelow(result.topicResults())));
            return;
        }
        Gather<AddPartitionsToTxnResult> results = new Gather<>(
                request.transactions().size(),
                whole -> context.respond(new AddPartitionsToTxnResponse().setResultsByTransaction(whole)));
        for (int i = 0; i < request.transactions().size(); i++) {
            int place = i;
            AddPartitionsToTxnTransaction transaction = request.transactions().get(i);
            if (transaction.verifyOnly()) {
                verify(transaction, result -> results.put(place, result));
            } else {
                add(transaction, version, result -> results.put(place, result));
            }
        }
    }

    /** What a client asks, in the shape of a broker's request. */
    private static AddPartitionsToTxnTransaction ofClient(AddPartitionsToTxnRequest request) {
        return new AddPartitionsToTxnTransaction()
                .setTransactionalId(request.v3AndBelowTransactionalId())
                .setProducerId(request.v3AndBelowProducerId())
                .setProducerEpoch(request.v3AndBelowProducerEpoch())
                .setTopics(request.v3AndBelowTopics());
    }

    private void add(
            AddPartitionsToTxnTransaction transaction, short version, Consumer<AddPartitionsToTxnResult> answer) {
        SortedSet<TopicPartition> partitions = partitions(transaction);
        SortedMap<TopicPartition, ErrorCode> unknown = unknown(partitions);
        if (!unknown.isEmpty()) {
            // All or nothing: where one is not there, the others are not tried.
            partitions.forEach(partition -> unknown.putIfAbsent(partition, ErrorCode.OPERATION_NOT_ATTEMPTED));
            answer.accept(result(transaction, unknown));
            return;
        }
        Consumer<ErrorCode> outcome = error ->
                answer.accept(failed(transaction, OldErrors.fenced(error, version, FIRST_VERSION_WITH_FENCED)));
        transactions
                .runtime()
                .writeInSync(
                        transactions.partitionOf(transaction.transactionalId()),
                        transactions.commitTimeoutMs(),
                        (shard, nowMs) -> shard.addPartitions(
                                transaction.transactionalId(),
                                transaction.producerId(),
                                transaction.producerEpoch(),
                                partitions,
                                TransactionVersion.ofAddPartitions(version),
                                nowMs),
                        new Respond<>(outcome, outcome));
    }

    private void verify(AddPartitionsToTxnTransaction transaction, Consumer<AddPartitionsToTxnResult> answer) {
        transactions
                .runtime()
                .read(
                        transactions.partitionOf(transaction.transactionalId()),
                        (shard, nowMs) -> shard.verifyPartitions(
                                transaction.transactionalId(),
                                transaction.producerId(),
                                transaction.producerEpoch(),
                                partitions(transaction)),
                        new Respond<SortedMap<TopicPartition, ErrorCode>>(
                                outcomes -> answer.accept(result(transaction, outcomes)),
                                error -> answer.accept(failed(transaction, error))));
    }

    private SortedMap<TopicPartition, ErrorCode> unknown(SortedSet<TopicPartition> partitions) {
        SortedMap<TopicPartition, ErrorCode> unknown = new TreeMap<>();
        for (TopicPartition partition : partitions) {
            if (transactions.image().topics().partition(partition) == null) {
                unknown.put(partition, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        return unknown;
    }

    private static SortedSet<TopicPartition> partitions(AddPartitionsToTxnTransaction transaction) {
        SortedSet<TopicPartition> partitions = new TreeSet<>();
        for (AddPartitionsToTxnTopic topic : transaction.topics()) {
            topic.partitions().forEach(partition -> partitions.add(new TopicPartition(topic.name(), partition)));
        }
        return partitions;
    }

    private static AddPartitionsToTxnResult failed(AddPartitionsToTxnTransaction transaction, ErrorCode error) {
        SortedMap<TopicPartition, ErrorCode> outcomes = new TreeMap<>();
        partitions(transaction).forEach(partition -> outcomes.put(partition, error));
        return result(transaction, outcomes);
    }

    private static AddPartitionsToTxnResult result(
            AddPartitionsToTxnTransaction transaction, SortedMap<TopicPartition, ErrorCode> outcomes) {
        Map<String, AddPartitionsToTxnTopicResult> topics = new LinkedHashMap<>();
        outcomes.forEach((partition, error) -> topics.computeIfAbsent(
                        partition.topic(), name -> new AddPartitionsToTxnTopicResult().setName(name))
                .resultsByPartition()
                .add(new AddPartitionsToTxnPartitionResult()
                        .setPartitionIndex(partition.partition())
                        .setPartitionErrorCode(error.code())));
        return new AddPartitionsToTxnResult()
                .setTransactionalId(transaction.transactionalId())
                .setTopicResults(new ArrayList<>(topics.values()));
    }

    @Override
    public AddPartitionsToTxnResponse errorResponse(AddPartitionsToTxnRequest request, short version, ErrorCode error) {
        if (version < FIRST_VERSION_OF_BROKERS) {
            return new AddPartitionsToTxnResponse()
                    .setResultsByTopicV3AndBelow(
                            failed(ofClient(request), error).topicResults());
        }
        List<AddPartitionsToTxnResult> results = new ArrayList<>();
        request.transactions().forEach(transaction -> results.add(failed(transaction, error)));
        return new AddPartitionsToTxnResponse().setErrorCode(error.code()).setResultsByTransaction(results);
    }
}

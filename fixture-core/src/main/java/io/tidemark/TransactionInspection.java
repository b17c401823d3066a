package io.tidemark;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeProducersRequest;
import io.tidemark.broker.protocol.message.DescribeProducersRequest.TopicRequest;
import io.tidemark.broker.protocol.message.DescribeProducersResponse;
import io.tidemark.broker.protocol.message.DescribeTransactionsRequest;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse.TransactionState;
import io.tidemark.broker.protocol.message.ListTransactionsRequest;
import io.tidemark.broker.protocol.message.ListTransactionsResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks the brokers for producers and transactions through their own routers, as {@link GroupInspection} does for groups:
 * once, with no waiting and with no topic created.
 */
final class TransactionInspection {
    private static final long TIMEOUT_MS = 10_000;

    private TransactionInspection() {}

    /** What a broker that takes itself for the coordinator knows of an id, the real one first; empty where none knows it. */
    static Optional<TransactionSnapshot> of(Cluster cluster, String transactionalId) {
        for (ClusterNode broker :
                CoordinatorLook.coordinatorFirst(cluster, TransactionTimeline.TOPIC, transactionalId)) {
            DescribeTransactionsResponse response = ask(
                    broker,
                    new DescribeTransactionsRequest().setTransactionalIds(List.of(transactionalId)),
                    DescribeTransactionsResponse.class);
            if (response != null && response.transactionStates().get(0).errorCode() == ErrorCode.NONE.code()) {
                return Optional.of(
                        snapshot(broker.id(), response.transactionStates().get(0)));
            }
        }
        return Optional.empty();
    }

    static TransactionSnapshot snapshot(int coordinator, TransactionState described) {
        return new TransactionSnapshot(
                described.transactionalId(),
                coordinator,
                described.transactionState(),
                described.producerId(),
                described.producerEpoch(),
                Duration.ofMillis(described.transactionTimeoutMs()),
                described.transactionStartTimeMs() < 0
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochMilli(described.transactionStartTimeMs())),
                described.topics().stream()
                        .flatMap(topic -> topic.partitions().stream().map(partition -> topic.topic() + "-" + partition))
                        .sorted()
                        .toList());
    }

    /** What a broker's replica of a partition knows of its producers; empty where it cannot be asked. */
    static Optional<List<ProducerState>> producers(ClusterNode broker, PartitionHandle partition) {
        DescribeProducersResponse response = ask(
                broker,
                new DescribeProducersRequest()
                        .setTopics(List.of(new TopicRequest()
                                .setName(partition.topic())
                                .setPartitionIndexes(List.of(partition.partition())))),
                DescribeProducersResponse.class);
        if (response == null) {
            return Optional.empty();
        }
        DescribeProducersResponse.PartitionResponse answer =
                response.topics().get(0).partitions().get(0);
        return answer.errorCode() != ErrorCode.NONE.code()
                ? Optional.empty()
                : Optional.of(answer.activeProducers().stream()
                        .map(TransactionInspection::producer)
                        .toList());
    }

    private static ProducerState producer(DescribeProducersResponse.ProducerState described) {
        return new ProducerState(
                described.producerId(),
                described.producerEpoch(),
                described.lastSequence(),
                described.lastTimestamp(),
                described.coordinatorEpoch(),
                described.currentTxnStartOffset() < 0
                        ? OptionalLong.empty()
                        : OptionalLong.of(described.currentTxnStartOffset()));
    }

    /**
     * The open transactions of a partition that no coordinator knows to be open there, as {@code kafka-transactions
     * find-hanging} names them (KIP-664); empty where not every coordinator can be asked. A coordinator knows of a
     * transaction before a leader does, and forgets it after the leader, so that one which the leader has before and
     * after, and no coordinator has in between, is nobody's.
     */
    static Optional<List<ProducerState>> hanging(Cluster cluster, PartitionHandle partition, int leader) {
        List<ProducerState> before = open(cluster, partition, leader);
        if (before.isEmpty()) {
            return producers(cluster.broker(leader), partition).map(all -> List.of());
        }
        if (!everyCoordinatorAnswers(cluster)) {
            return Optional.empty();
        }
        List<ProducerState> nobodys = new ArrayList<>();
        for (ProducerState producer : before) {
            if (!isKnown(cluster, partition, producer)) {
                nobodys.add(producer);
            }
        }
        List<ProducerState> after = open(cluster, partition, leader);
        nobodys.retainAll(after);
        return Optional.of(nobodys);
    }

    private static List<ProducerState> open(Cluster cluster, PartitionHandle partition, int leader) {
        return producers(cluster.broker(leader), partition).orElse(List.of()).stream()
                .filter(producer -> producer.transactionStartOffset().isPresent())
                .toList();
    }

    private static boolean everyCoordinatorAnswers(Cluster cluster) {
        return cluster.partitions().stream()
                .filter(state -> state.topic().equals(TransactionTimeline.TOPIC))
                .allMatch(state -> state.highWatermark().isPresent());
    }

    private static boolean isKnown(Cluster cluster, PartitionHandle partition, ProducerState producer) {
        for (ClusterNode broker : cluster.brokers()) {
            ListTransactionsResponse listed = ask(
                    broker,
                    new ListTransactionsRequest().setProducerIdFilters(List.of(producer.producerId())),
                    ListTransactionsResponse.class);
            if (listed == null) {
                continue;
            }
            if (listed.errorCode() != ErrorCode.NONE.code()) {
                return true; // It is still loading: nobody can say that it does not know.
            }
            for (ListTransactionsResponse.TransactionState transaction : listed.transactionStates()) {
                if (of(cluster, transaction.transactionalId())
                        .filter(state -> state.partitions().contains(partition.toString()))
                        .isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static <R extends ApiMessage> @Nullable R ask(ClusterNode broker, ApiMessage request, Class<R> answer) {
        return CoordinatorLook.ask(broker, request, answer, TIMEOUT_MS);
    }
}
